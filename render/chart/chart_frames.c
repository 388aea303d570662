#include "render/chart/chart_frames.h"

#include <stdlib.h>
#include <string.h>

#include "calls/frame_list.h"

typedef struct {
    af_chart_frames *to;
    uint64_t from_ns, to_ns;
    GHashTable *pids; /* of the processes, as int64_t; NULL = all */
} collecting;

/* The processes of the drawn threads, by their numbers. */
static GHashTable *list_pids(const af_profile *profile, const uint32_t *threads, uint32_t n)
{
    GHashTable *pids = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t process = profile->threads[threads[i]].process;
        int64_t *pid = g_new0(int64_t, 1);
        if (process < profile->n_processes) {
            *pid = g_ascii_strtoll(profile->processes[process].id, NULL, 10);
        } else {
            *pid = (int64_t)profile->facts.pid;
        }
        g_hash_table_add(pids, pid);
    }
    return pids;
}

static void add(const collecting *c, const af_timeline_frame *frame, af_frame_track track,
                uint64_t late_ns, af_fault fault)
{
    const int64_t pid = frame->pid, from_ns = (int64_t)c->from_ns, to_ns = (int64_t)c->to_ns;
    if (frame->end_ns <= from_ns || frame->begin_ns >= to_ns ||
        !g_hash_table_contains(c->pids, &pid)) {
        return;
    }
    af_array_append(&c->to->frames,
                    &(af_chart_frame){.begin_ns = (uint64_t)MAX(frame->begin_ns, from_ns),
                                      .end_ns = (uint64_t)MIN(frame->end_ns, to_ns),
                                      .length_ns = (uint64_t)(frame->end_ns - frame->begin_ns),
                                      .late_ns = late_ns,
                                      .token = frame->token,
                                      .track = (uint8_t)track,
                                      .fault = (uint8_t)fault});
    c->to->expected += track == AF_FRAMES_EXPECTED;
    if (track == AF_FRAMES_ACTUAL) {
        c->to->of_fault[fault]++;
        c->to->late += late_ns > 0;
    }
}

static int compare_begins(const void *a, const void *b)
{
    const af_chart_frame *x = a, *y = b;
    return x->begin_ns != y->begin_ns ? (x->begin_ns < y->begin_ns ? -1 : 1)
           : x->token != y->token     ? (x->token < y->token ? -1 : 1)
           : x->track != y->track     ? (x->track < y->track ? -1 : 1)
                                      : (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

/* Gives each frame the first row that is free. */
static void choose_rows(af_chart_frames *f)
{
    uint64_t end_ns[AF_FRAME_TRACKS][AF_FRAME_ROWS_MAX] = {{0}};
    if (f->frames.n > 0) {
        qsort(f->frames.items, f->frames.n, sizeof(af_chart_frame), compare_begins);
    }
    for (size_t i = 0; i < f->frames.n; i++) {
        af_chart_frame *frame = &AF_ARRAY_AT(&f->frames, af_chart_frame, i);
        uint64_t *ends = end_ns[frame->track];
        while (frame->row + 1u < AF_FRAME_ROWS_MAX && ends[frame->row] > frame->begin_ns) {
            frame->row++;
        }
        ends[frame->row] = MAX(ends[frame->row], frame->end_ns);
        f->rows[frame->track] = MAX(f->rows[frame->track], frame->row + 1u);
    }
}

af_chart_frames *af_chart_frames_new(const af_profile *profile, const uint32_t *threads,
                                     uint32_t n_threads, uint64_t from_ns, uint64_t to_ns)
{
    const af_frame_timeline *timeline = &profile->timeline;
    af_frame_list *list = af_frame_list_new_timeline(profile);
    if (list == NULL) {
        return NULL;
    }
    af_chart_frames *frames = g_new0(af_chart_frames, 1);
    af_array_init(&frames->frames, sizeof(af_chart_frame));
    collecting c = {frames, from_ns, to_ns, list_pids(profile, threads, n_threads)};
    GHashTable *tokens = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (size_t i = 0; i < timeline->n; i++) {
        const af_timeline_frame *frame = &timeline->frames[i];
        if (frame->kind == AF_EXPECTED_SURFACE_FRAME &&
            g_hash_table_add(tokens, (gpointer)&frame->token)) {
            add(&c, frame, AF_FRAMES_EXPECTED, 0, AF_FAULT_NONE);
        }
    }
    for (size_t i = 0; i < list->n; i++) {
        const af_listed_frame *frame = &list->frames[i];
        add(&c, frame->actual, AF_FRAMES_ACTUAL, frame->has_late ? frame->late_ns : 0,
            frame->fault);
    }
    g_hash_table_destroy(tokens);
    g_hash_table_destroy(c.pids);
    af_frame_list_free(list);
    choose_rows(frames);
    if (frames->frames.failed) {
        g_clear_pointer(&frames, af_chart_frames_free);
    }
    return frames;
}

void af_chart_frames_thin(af_chart_frames *frames, size_t most)
{
    af_chart_frame *all = frames->frames.items;
    size_t n = 0;
    if (frames->frames.n <= most) {
        return;
    }
    for (size_t i = 0; i < frames->frames.n; i++) {
        if (all[i].fault != AF_FAULT_NONE) {
            all[n++] = all[i];
        }
    }
    frames->frames.n = n;
    frames->thinned = TRUE;
}

void af_chart_frames_free(af_chart_frames *frames)
{
    if (frames != NULL) {
        af_array_clear(&frames->frames);
        g_free(frames);
    }
}
