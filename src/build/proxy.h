/* Names for the undefined methods of ART files: methods of dynamic proxies.
 *
 * Up to Android 13 ART records the id of a proxy's method but prints the line of the interface's
 * method under a new id, assigned when the file is written. So those ids are the highest of the
 * table, defined and never used. An undefined id is paired with one of them when their number is
 * one and one, or when the name of exactly one of them is called within six levels below it. */
#ifndef AF_BUILD_PROXY_H
#define AF_BUILD_PROXY_H

#include "model/tree.h"

/* What the recovery must know of a method. */
typedef struct {
    uint64_t id;
    const char *name; /* NULL: not defined; not cleaned, need not end with a zero byte */
    size_t name_length;
    gboolean used; /* by any record */
} af_proxy_method;

/* `adopted` says for each tree how many calls were open since before the trace: they are the nodes
 * from 1 on. What their thread did before they ended was not entered below them.
 * For each method the number of the one that names it, AF_NO_LABEL for none. The labels of the
 * trees are method numbers. `named` has room for `n`. FALSE if memory is refused. */
gboolean af_proxy_recover(const af_proxy_method *methods, uint32_t n, af_tree *const *trees,
                          const uint64_t *adopted, uint32_t n_trees, uint32_t *named);

#endif
