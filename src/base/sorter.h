/* Sorts records of one size, even if they do not fit in memory.
 *
 * The sorter keeps and sorts as many records as fit in memory; it writes any more to an unnamed
 * file in sorted runs and merges the runs while it reads them back. Records that are equal keep the
 * order in which they were added. */
#pragma once

#include <stdint.h>
#include <glib.h>

typedef struct af_sorter af_sorter;

/* The first sort key: owner, then time. It is compared without a function call. */
typedef struct {
    uint32_t who;
    int64_t when;
} af_sorter_key;

typedef struct {
    af_sorter_key (*key)(const void *record);
    int (*compare)(const void *, const void *); /* of two records with the same key; NULL = equal */
} af_sorter_order;

/* `most_held`: bytes of records in memory; 0 = the default. `order` is borrowed. */
af_sorter *af_sorter_new(size_t record_size, const af_sorter_order *order, size_t most_held);
void af_sorter_free(af_sorter *sorter);

/* FALSE with AF_ERROR_MEMORY if neither memory nor a file has space. */
gboolean af_sorter_add(af_sorter *sorter, const void *record, GError **error);

/* Ends adding; the records can be read from now on. FALSE as above. */
gboolean af_sorter_begin(af_sorter *sorter, GError **error);

/* The next record in order, valid until the next call; sets *record to NULL at the end. FALSE as
 * above. */
gboolean af_sorter_next(af_sorter *sorter, const void **record, GError **error);
