/* Names for the undefined methods of ART files: methods of dynamic proxies.
 *
 * Up to Android 13, ART records the id of a proxy's method but prints the line of the interface's
 * method under a new id, assigned when the file is written. So these new ids are the highest of the
 * table, defined and never used. An undefined id is paired with one of them if there is one of
 * each, or if the name of exactly one of them is called within six levels below it. */
#pragma once

#include "model/tree.h"

/* The input of the recovery for a method. */
typedef struct {
    uint64_t id;
    const char *name; /* NULL: not defined; not cleaned, not necessarily zero-terminated */
    size_t name_length;
    gboolean used; /* a record uses it */
} af_proxy_method;

/* Sets named[m] to the number of the method that names method m, or AF_NO_LABEL. The labels of the
 * trees are method numbers. `adopted` has, for each tree, the number of calls that began before the
 * trace: nodes 1 to that number, whose children were not called by them. Returns FALSE if memory is
 * refused. */
gboolean af_proxy_recover(const af_proxy_method *methods, uint32_t n, af_tree *const *trees,
                          const uint64_t *adopted, uint32_t n_trees, uint32_t *named);
