/* Records of one size brought in order, also when they are too many for memory.
 *
 * As many as fit are held and sorted; when there are more, they are written to a file without a
 * name as a run in order, and the runs are merged while they are read back. Two records that
 * neither key nor comparison tell apart come in no certain order. */
#ifndef AF_BASE_SORTER_H
#define AF_BASE_SORTER_H

#include <stdint.h>
#include <glib.h>

typedef struct af_sorter af_sorter;

/* What a record begins with in the order: who, then when. Most records are told apart by that, and
 * it is compared without a call. */
typedef struct {
    uint32_t who;
    int64_t when;
} af_sorter_key;

typedef struct {
    af_sorter_key (*key)(const void *record);
    int (*compare)(const void *, const void *); /* of two with the same key */
} af_sorter_order;

/* `most_held`: bytes of records that are held; 0 = the usual number. `order` is borrowed. */
af_sorter *af_sorter_new(size_t record_size, const af_sorter_order *order, size_t most_held);
void af_sorter_free(af_sorter *sorter);

/* FALSE with AF_ERROR_MEMORY if there is no room, neither in memory nor in a file. */
gboolean af_sorter_add(af_sorter *sorter, const void *record, GError **error);

/* No more records: they can be asked for now. FALSE as above. */
gboolean af_sorter_begin(af_sorter *sorter, GError **error);

/* The next record in order, lent until the next call; NULL in *record at the end. FALSE as above.
 */
gboolean af_sorter_next(af_sorter *sorter, const void **record, GError **error);

#endif
