/* The runs of a merged profile. */
#include <string.h>

#include "build/finished_state.h"
#include "build/sink_state.h"
#include "model/run_sums.h"

gboolean af_finished_begin_runs(af_sink *sink, uint32_t n_runs, const af_span *names, uint32_t n)
{
    const char **texts = af_arena_alloc(sink->arena, sizeof *texts * ((size_t)n + 1));
    af_run *runs = af_arena_alloc(sink->arena, sizeof *runs * AF_RUNS_MAX);
    af_run_sums *sums = af_arena_alloc(sink->arena, sizeof *sums);
    if (texts == NULL || runs == NULL || sums == NULL || n_runs == 0) {
        return FALSE;
    }
    for (uint32_t i = 0; i < n; i++) {
        texts[i] = af_sink_clean(sink, names[i]);
        if (texts[i] == NULL) {
            return FALSE;
        }
    }
    *sums = (af_run_sums){.n_runs = n_runs, .names = texts, .n_names = n, .runs = runs};
    sink->finished->run_sums = sums;
    return TRUE;
}

gboolean af_finished_begin_run(af_sink *sink, const uint8_t hash[AF_FINISHED_HASH], uint32_t n)
{
    af_run_sums *sums = sink->finished->run_sums;
    if (sums->n_summed >= MIN(sums->n_runs, AF_RUNS_MAX)) {
        return FALSE;
    }
    if (!af_sink_fits(sink, sizeof(af_run_row) * (uint64_t)n)) {
        return FALSE;
    }
    af_run *run = (af_run *)&sums->runs[sums->n_summed++];
    *run = (af_run){.rows = af_arena_alloc(sink->arena, sizeof(af_run_row) * ((size_t)n + 1))};
    memcpy(run->hash, hash, AF_RUN_HASH);
    return run->rows != NULL;
}

gboolean af_finished_add_row(af_sink *sink, const af_finished_row *row)
{
    const af_run_sums *sums = sink->finished->run_sums;
    af_run *run = (af_run *)&sums->runs[sums->n_summed - 1];
    if (row->thread >= sink->finished->threads.n || row->name >= sums->n_names) {
        return FALSE;
    }
    af_run_row *to = &run->rows[run->n_rows++];
    *to = (af_run_row){
        .thread = row->thread, .name = row->name, .masked = row->masked, .calls = row->calls};
    memcpy(to->self, row->self, sizeof to->self);
    memcpy(to->inclusive, row->inclusive, sizeof to->inclusive);
    return TRUE;
}
