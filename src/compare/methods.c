#include "compare/methods.h"

#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "base/workers.h"
#include "compare/shift.h"
#include "model/path.h"

/* One side. */
typedef struct {
    const af_diff *diff;
    unsigned side;
    af_diff_figures *figures; /* by label */
    af_path path;             /* of labels */
} collecting;

/* All nodes below one that is not present are not present either. */
static void add_tree(collecting *c, const af_diff_tree *tree)
{
    const unsigned s = c->side;
    const uint64_t *self = tree->self[s][c->diff->clock], *calls = tree->calls[s];
    const uint64_t *width = tree->width, *rest = s == AF_AFTER ? tree->shrunk : tree->grown;
    const uint32_t *label = tree->label, *depth = tree->depth, n_nodes = tree->n;
    const uint8_t *present = tree->present[s];
    af_path path = c->path; /* a copy in registers */
    for (uint32_t n = 1; n < n_nodes; n++) {
        if (present[n] == 0) {
            continue;
        }
        af_diff_figures *to = &c->figures[label[n]];
        to->present = TRUE;
        to->self += self[n];
        if (af_path_enter(&path, depth[n], label[n]) == 0) {
            af_time_add(&to->inclusive, width[n] - rest[n], AF_WALL);
            to->calls += calls[n];
        }
    }
    af_path_restart(&path);
}

static void collect_side(void *user, unsigned side)
{
    collecting *c = (collecting *)user + side;
    for (uint32_t t = 0; t < c->diff->n_threads; t++) {
        add_tree(c, &c->diff->threads[t].tree);
    }
}

static gint compare_texts(gconstpointer a, gconstpointer b, gpointer user)
{
    const af_diff *diff = user;
    const af_diff_method *one = a, *other = b;
    const int texts = strcmp(diff->labels[one->label].text, diff->labels[other->label].text);
    return texts != 0 ? texts : (one->label > other->label) - (one->label < other->label);
}

static gboolean list_methods(af_diff *diff, const collecting sides[AF_SIDES])
{
    diff->methods =
        af_arena_alloc(diff->arena, sizeof(af_diff_method) * ((size_t)diff->n_labels + 1));
    for (uint32_t l = 0; diff->methods != NULL && l < diff->n_labels; l++) {
        const af_diff_figures *before = &sides[AF_BEFORE].figures[l];
        const af_diff_figures *after = &sides[AF_AFTER].figures[l];
        if (before->present || after->present) {
            diff->methods[diff->n_methods++] = (af_diff_method){
                .label = l,
                .side = {*before, *after},
                .p = -1,
                .moved = {{UINT32_MAX, 0}, {UINT32_MAX, 0}},
            };
        }
    }
    return diff->methods != NULL;
}

gboolean af_methods_collect(af_diff *diff, unsigned jobs)
{
    const size_t n = (size_t)diff->n_labels + 1;
    const uint32_t deepest = af_diff_deepest(diff);
    collecting sides[AF_SIDES];
    gboolean ok = TRUE;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        sides[s] = (collecting){.diff = diff, .side = s, .figures = g_try_new0(af_diff_figures, n)};
        ok = af_path_begin(&sides[s].path, n, deepest) && sides[s].figures != NULL && ok;
    }
    if (ok) {
        af_workers_run(AF_SIDES, jobs, collect_side, sides);
        ok = list_methods(diff, sides);
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        af_path_end(&sides[s].path);
        g_free(sides[s].figures);
    }
    return ok;
}

enum { SELF, INCLUSIVE, CALLS, MEASURES };

/* The numbers of a side: [method * n_runs + run]. */
typedef struct {
    const af_runs *runs;
    const uint32_t *label_of, *label_of_mask;
    const uint32_t *method_of; /* by label; UINT32_MAX = none */
    uint32_t n;                /* runs */
    uint64_t *values[MEASURES];
} matrix;

/* The label of a row; UINT32_MAX = another row has its numbers. */
static uint32_t find_label(const matrix *m, const af_run_row *row)
{
    if (row->masked) {
        return m->label_of_mask != NULL ? m->label_of_mask[row->name] : UINT32_MAX;
    }
    const uint32_t mask = af_runs_name_at(m->runs, row->name)->mask;
    const gboolean replaced =
        m->label_of_mask != NULL && AF_ARRAY_AT(&m->runs->masked, uint8_t, mask) != 0;
    return replaced ? UINT32_MAX : m->label_of[row->name];
}

static gboolean fill_matrix(matrix *m, af_diff *diff, const af_scale *scale)
{
    const size_t n = (size_t)diff->n_methods * m->n + 1;
    m->values[SELF] = g_try_new0(uint64_t, n);
    m->values[CALLS] = af_arena_alloc(diff->arena, n * sizeof(uint64_t));
    m->values[INCLUSIVE] = af_arena_alloc(diff->arena, n * sizeof(uint64_t));
    if (m->values[SELF] == NULL || m->values[CALLS] == NULL || m->values[INCLUSIVE] == NULL) {
        return FALSE;
    }
    memset(m->values[INCLUSIVE], 0, n * sizeof(uint64_t));
    memset(m->values[CALLS], 0, n * sizeof(uint64_t));
    for (uint32_t r = 0; r < m->n; r++) {
        const af_run *run = &g_array_index(m->runs->runs, af_run, r);
        for (uint32_t i = 0; i < run->n_rows; i++) {
            const af_run_row *row = &run->rows[i];
            const uint32_t label = find_label(m, row);
            const uint32_t method = label != UINT32_MAX ? m->method_of[label] : UINT32_MAX;
            if (method != UINT32_MAX) {
                const size_t at = (size_t)method * m->n + r;
                m->values[SELF][at] += row->self[diff->clock];
                af_time_add(&m->values[INCLUSIVE][at], row->inclusive[diff->clock], AF_WALL);
                m->values[CALLS][at] += row->calls;
            }
        }
    }
    /* the scale of a side divides by its number of runs */
    for (size_t i = 0; diff->normalized && i < n; i++) {
        for (unsigned v = 0; v < CALLS; v++) {
            const af_u128 scaled =
                (af_u128)m->values[v][i] * scale->times * m->runs->n_runs + scale->over / 2;
            m->values[v][i] = (uint64_t)(scaled / scale->over);
        }
    }
    return TRUE;
}

static void take_medians(const matrix *m, af_diff *diff, unsigned side)
{
    for (uint32_t i = 0; i < diff->n_methods; i++) {
        const size_t at = (size_t)i * m->n;
        af_diff_figures *figures = &diff->methods[i].side[side];
        figures->self = af_shift_median(m->values[SELF] + at, m->n);
        figures->inclusive = af_shift_median(m->values[INCLUSIVE] + at, m->n);
        figures->calls = af_shift_median(m->values[CALLS] + at, m->n);
        figures->runs = m->values[INCLUSIVE] + at;
        figures->run_calls = m->values[CALLS] + at;
    }
}

gboolean af_methods_take_runs(af_diff *diff, const af_runs *const sides[AF_SIDES],
                              const af_pairing_labels *labels, const af_scale scale[AF_SIDES])
{
    g_autofree uint32_t *method_of = g_try_new(uint32_t, (size_t)diff->n_labels + 1);
    qsort_r(diff->methods, diff->n_methods, sizeof *diff->methods, compare_texts, diff);
    for (uint32_t l = 0; method_of != NULL && l < diff->n_labels; l++) {
        method_of[l] = UINT32_MAX;
    }
    for (uint32_t i = 0; method_of != NULL && i < diff->n_methods; i++) {
        method_of[diff->methods[i].label] = i;
    }
    gboolean ok = method_of != NULL;
    for (unsigned s = 0; ok && s < AF_SIDES; s++) {
        matrix m = {.runs = sides[s],
                    .label_of = labels->label_of[s],
                    .label_of_mask = labels->label_of_mask[s],
                    .method_of = method_of,
                    .n = sides[s]->runs->len};
        ok = fill_matrix(&m, diff, &scale[s]);
        if (ok) {
            take_medians(&m, diff, s);
        }
        g_free(m.values[SELF]);
    }
    return ok;
}

/* number * by / over, rounded to nearest, halves away from zero. */
static int64_t scale_signed(int64_t number, uint64_t by, uint64_t over)
{
    const af_i128 product = (af_i128)number * by, half = (af_i128)(over / 2);
    return (int64_t)((product + (product < 0 ? -half : half)) / (af_i128)over);
}

int64_t af_methods_by_calls(uint64_t before, uint64_t calls_before, uint64_t after,
                            uint64_t calls_after)
{
    return calls_before == 0
               ? af_diff_of(before, after)
               : scale_signed(af_diff_of(calls_before, calls_after), before, calls_before);
}

void af_methods_split(af_diff *diff)
{
    for (uint32_t i = 0; diff->counted && i < diff->n_methods; i++) {
        const af_diff_figures *before = &diff->methods[i].side[AF_BEFORE],
                              *after = &diff->methods[i].side[AF_AFTER];
        diff->methods[i].split = TRUE;
        diff->methods[i].by_calls =
            af_methods_by_calls(before->inclusive, before->calls, after->inclusive, after->calls);
        diff->methods[i].by_mean =
            af_diff_of(before->inclusive, after->inclusive) - diff->methods[i].by_calls;
    }
}

static gint compare_methods(gconstpointer a, gconstpointer b, gpointer user)
{
    const af_diff_method *one = a, *other = b;
    const uint64_t sizes[] = {
        af_diff_size(af_diff_of(one->side[AF_BEFORE].inclusive, one->side[AF_AFTER].inclusive)),
        af_diff_size(af_diff_of(other->side[AF_BEFORE].inclusive, other->side[AF_AFTER].inclusive)),
        af_diff_size(af_diff_of(one->side[AF_BEFORE].self, one->side[AF_AFTER].self)),
        af_diff_size(af_diff_of(other->side[AF_BEFORE].self, other->side[AF_AFTER].self)),
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i += 2) {
        if (sizes[i] != sizes[i + 1]) {
            return sizes[i] > sizes[i + 1] ? -1 : 1;
        }
    }
    return compare_texts(a, b, user);
}

void af_methods_sort(af_diff *diff)
{
    qsort_r(diff->methods, diff->n_methods, sizeof *diff->methods, compare_methods, diff);
}
