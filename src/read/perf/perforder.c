#include "read/perf/perforder.h"

#include "base/array.h"
#include "base/sorter.h"
#include "read/frames.h"
#include "read/held.h"

#define NO_PATH UINT32_MAX

typedef struct {
    uint64_t time_ns;
    uint64_t weight[AF_CLOCKS], offset;
    uint32_t thread, kind;
    uint32_t path; /* NO_PATH = no methods */
} stored_sample;

struct af_perf_order {
    af_sink *sink;
    af_sorter *sorter;
    af_idmap paths;   /* of the caller's path << 32 | method */
    af_array methods; /* of uint32_t: the stack of the last sample */
};

static af_sorter_key find_key(const void *record)
{
    const stored_sample *one = record;
    return (af_sorter_key){0, (int64_t)(one->time_ns ^ UINT64_C(1) << 63)};
}

static const af_sorter_order by_time = {find_key, NULL};

af_perf_order *af_perf_order_new(af_sink *sink)
{
    af_perf_order *order = g_new0(af_perf_order, 1);
    order->sink = sink;
    order->sorter = af_sorter_new(sizeof(stored_sample), &by_time, af_held_by_sorter(sink));
    af_idmap_init_hashed(&order->paths, af_sink_meter(sink));
    order->paths.most = NO_PATH;
    af_array_init_metered(&order->methods, sizeof(uint32_t), af_sink_meter(sink));
    return order;
}

void af_perf_order_free(af_perf_order *order)
{
    af_sorter_free(order->sorter);
    af_idmap_clear(&order->paths);
    af_array_clear(&order->methods);
    g_free(order);
}

gboolean af_perf_order_add(af_perf_order *order, const af_sample *sample, uint32_t kind,
                           GError **error)
{
    stored_sample added = {.time_ns = sample->time_ns,
                           .weight = {sample->weight[AF_WALL], sample->weight[AF_CPU]},
                           .offset = sample->offset,
                           .thread = sample->thread,
                           .kind = kind,
                           .path = NO_PATH};
    for (size_t i = 0; i < sample->n; i++) {
        added.path =
            af_idmap_number(&order->paths, (uint64_t)added.path << 32 | sample->methods[i]);
        if (added.path == AF_IDMAP_NONE) {
            return FALSE;
        }
    }
    return af_sorter_add(order->sorter, &added, error);
}

gboolean af_perf_order_begin(af_perf_order *order, GError **error)
{
    return af_sorter_begin(order->sorter, error);
}

gboolean af_perf_order_next(af_perf_order *order, af_sample *sample, uint32_t *kind, GError **error)
{
    const void *next = NULL;
    if (!af_sorter_next(order->sorter, &next, error) || next == NULL) {
        return FALSE;
    }
    const stored_sample *stored = next;
    order->methods.n = 0;
    for (uint32_t path = stored->path; path != NO_PATH;
         path = (uint32_t)(order->paths.ids[path] >> 32)) {
        if (!af_array_append(&order->methods, &(uint32_t){(uint32_t)order->paths.ids[path]})) {
            return FALSE;
        }
    }
    af_frames_turn(&order->methods);
    *sample = (af_sample){.thread = stored->thread,
                          .methods = order->methods.items,
                          .n = order->methods.n,
                          .weight = {stored->weight[AF_WALL], stored->weight[AF_CPU]},
                          .time_ns = stored->time_ns,
                          .offset = stored->offset};
    *kind = stored->kind;
    return TRUE;
}
