#include "conservation.h"
#include "api/autoptr.h"
#include "model/waits.h"

#include <string.h>

/* ---- trees ---- */

/* The shortest and the longest call must be consistent with the sum. Inverted trees have no data on
 * single calls. */
static const char *check_extremes(const af_tree *tree, gboolean inverted)
{
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        for (uint32_t n = 1; tree->self[c] != NULL && n < tree->n; n++) {
            const uint64_t min = tree->min[c][n], max = tree->max[c][n];
            if (max > tree->inclusive[c][n]) {
                return "a call is longer than the sum of all calls";
            }
            if (inverted && max == 0) {
                continue;
            }
            if (tree->calls[n] == 1 && (min != max || max != tree->inclusive[c][n])) {
                return "a single call differs from the sum";
            }
        }
    }
    return NULL;
}

/* Siblings with the same label should be one frame; only folded runs may share a label, and idle and
 * blocked calls. */
static const char *check_siblings(const af_profile *profile, const af_tree *tree)
{
    g_autofree uint64_t *keys = g_new(uint64_t, tree->n);
    g_autoptr(GHashTable) known = g_hash_table_new(g_int64_hash, g_int64_equal);
    const char *wrong = NULL;
    for (uint32_t n = 1; n < tree->n && wrong == NULL; n++) {
        /* a bijection that mixes the bits: GLib's hash looks at the low half only */
        const uint32_t label = tree->label[n] * 2 + (tree->reason[n] == AF_WAITS_IDLE);
        keys[n] = ((uint64_t)tree->parent[n] << 32 | label) * 0x9E3779B97F4A7C15u;
        keys[n] ^= keys[n] >> 32;
        if (tree->label[n] >= profile->n_labels) {
            wrong = "a frame has no label";
        } else if (!g_hash_table_add(known, &keys[n]) &&
                   profile->labels[tree->label[n]].methods > 0) {
            wrong = "two siblings have one label";
        }
    }
    return wrong;
}

static const char *check_trees(const af_profile *profile, gboolean inverted)
{
    const char *wrong = NULL;
    for (uint32_t t = 0; t < profile->n_threads && wrong == NULL; t++) {
        const af_tree *tree = profile->threads[t].tree;
        wrong = af_tree_check(tree);
        wrong = wrong != NULL ? wrong : check_extremes(tree, inverted);
        wrong = wrong != NULL ? wrong : check_siblings(profile, tree);
    }
    return wrong;
}

/* ---- time ---- */

static uint64_t sum_threads(const af_profile *profile, unsigned clock)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        sum += af_thread_time_ns(profile, t, clock);
    }
    return sum;
}

static const char *check_time(const af_profile *profile, const af_profile *made)
{
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        uint64_t after = sum_threads(made, c);
        for (unsigned i = profile->n_steps; i < made->n_steps; i++) {
            after += made->steps[i].left_out_ns[c];
        }
        if (sum_threads(profile, c) != after) {
            return "time was lost or added";
        }
    }
    return NULL;
}

static uint64_t sum_runnable(const af_profile *profile)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree;
        for (uint32_t n = 0; n < tree->n; n++) {
            sum += af_tree_self_runnable_ns(tree, n);
        }
    }
    return sum;
}

/* Whether threads of a pool were reported to lack the time in which they were runnable. */
static gboolean reports_lost_runnable(const af_profile *profile, const af_profile *made)
{
    gboolean reported = FALSE;
    for (unsigned i = profile->n_steps; i < made->n_steps; i++) {
        const char *message = made->steps[i].message;
        reported |= message != NULL && strstr(message, "waiting for a processor") != NULL;
    }
    return reported;
}

/* Nobody accounts for the part of dropped time in which a thread was runnable. */
static const char *check_runnable(const af_profile *profile, const af_profile *made)
{
    gboolean whole = !made->compensated && !reports_lost_runnable(profile, made);
    for (unsigned i = profile->n_steps; i < made->n_steps; i++) {
        whole = whole && made->steps[i].left_out_ns[AF_WALL] == 0;
    }
    const uint64_t before = sum_runnable(profile), after = sum_runnable(made);
    return after > before || (whole && after < before) ? "runnable time was lost or added" : NULL;
}

/* ---- lineage ---- */

/* The clocks, the time in which threads were runnable, and calls. */
enum { RUNNABLE = AF_CLOCKS, CALLS };

static uint64_t value_of(const af_tree *tree, unsigned kind, uint32_t node)
{
    return kind == CALLS      ? tree->calls[node]
           : kind == RUNNABLE ? af_tree_self_runnable_ns(tree, node)
                              : tree->self[kind][node];
}

/* Adds up the calls or times of the original nodes at the nodes that they moved to. */
static const char *check_sums(const af_profile *profile, const af_profile *made,
                              const af_lineage *lineage, unsigned kind, gboolean inverted)
{
    const char *wrong = NULL;
    uint32_t *const *moved = kind == CALLS ? lineage->node : lineage->time;
    for (uint32_t at = 0; at < made->n_threads && wrong == NULL; at++) {
        const af_tree *tree = made->threads[at].tree;
        g_autofree uint64_t *sums = g_new0(uint64_t, tree->n);
        for (uint32_t t = 0; t < profile->n_threads; t++) {
            const uint32_t n = lineage->thread[t] == at ? profile->threads[t].tree->n : 0;
            for (uint32_t i = 0; i < n && wrong == NULL; i++) {
                const uint32_t node = moved[t][i];
                if (node != AF_NO_NODE && node >= tree->n) {
                    wrong = "a node moved to a missing node";
                } else if (node != AF_NO_NODE) {
                    sums[node] += value_of(profile->threads[t].tree, kind, i);
                }
            }
        }
        /* threads have no calls, and inverted trees have those of others */
        for (uint32_t n = kind == CALLS; n < tree->n && wrong == NULL; n++) {
            if (sums[n] != value_of(tree, kind, n) && !(kind == CALLS && inverted)) {
                wrong = kind == CALLS ? "calls are missing at the node that they moved to"
                                      : "time is not where it came to";
            }
        }
    }
    return wrong;
}

static const char *check_times(const af_profile *profile, const af_profile *made,
                               const af_lineage *lineage)
{
    const char *wrong = NULL;
    for (unsigned c = 0; c <= RUNNABLE && wrong == NULL && !made->compensated; c++) {
        if (c == RUNNABLE ? !reports_lost_runnable(profile, made)
                          : af_profile_has(made, (af_clock)c)) {
            wrong = check_sums(profile, made, lineage, c, FALSE);
        }
    }
    return wrong;
}

static const char *check_lineage(const af_profile *profile, const af_profile *made,
                                 const af_lineage *lineage, gboolean inverted)
{
    if (lineage->n_threads != profile->n_threads) {
        return "the lineage belongs to another profile";
    }
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        if (lineage->thread[t] != AF_NO_NODE && lineage->thread[t] >= made->n_threads) {
            return "a thread moved to a missing thread";
        }
        if ((lineage->thread[t] == AF_NO_NODE) != (lineage->node[t] == NULL)) {
            return "a dropped thread has nodes";
        }
    }
    const char *wrong = inverted ? NULL : check_times(profile, made, lineage);
    return wrong != NULL ? wrong : check_sums(profile, made, lineage, CALLS, inverted);
}

static guint hash_profile(const af_profile *profile)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_MD5);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree;
        g_checksum_update(sum, tree->block, (gssize)tree->block_size);
    }
    const guint hash = g_str_hash(g_checksum_get_string(sum));
    return hash;
}

static gboolean is_refusal(const GError *error, const af_step *steps, size_t n)
{
    gboolean valid = error->domain == AF_ERROR && error->message[0] != '\0' &&
                     strchr(error->message, '\n') == NULL;
    /* only the profile decides whether these apply: its threads, its clocks, the cost of its
     * tracer */
    gboolean checked = TRUE, depends = FALSE;
    for (size_t i = 0; i < n; i++) {
        checked = checked && af_step_check(&steps[i], NULL);
        depends = depends || steps[i].kind == AF_STEP_THREADS ||
                  steps[i].kind == AF_STEP_COMPENSATE || steps[i].clock >= 0;
    }
    return valid && (error->code == AF_ERROR_NOTHING ||
                     (error->code == AF_ERROR_USAGE && (!checked || depends)));
}

const char *conservation_break(const af_profile *profile, const af_step *steps, size_t n)
{
    const guint before = hash_profile(profile);
    af_lineage *lineage = NULL;
    GError *error = NULL;
    g_autoptr(af_profile) made = af_reshape_run(profile, steps, n, &lineage, &error);
    if (made == NULL) {
        const gboolean fine = error != NULL && is_refusal(error, steps, n);
        g_clear_error(&error);
        return fine ? NULL : "the steps were refused for no good reason";
    }
    gboolean inverted = profile->callers_above;
    for (size_t i = 0; i < n; i++) {
        inverted = inverted || steps[i].kind == AF_STEP_INVERT_CALLERS;
    }
    const char *wrong = check_trees(made, inverted);
    wrong = wrong != NULL ? wrong : check_time(profile, made);
    wrong = wrong != NULL ? wrong : check_runnable(profile, made);
    wrong = wrong != NULL ? wrong : check_lineage(profile, made, lineage, inverted);
    if (wrong == NULL && hash_profile(profile) != before) {
        wrong = "the original changed";
    }
    if (wrong == NULL && made->n_steps != profile->n_steps + n) {
        wrong = "a step is not on record";
    }
    af_lineage_free(lineage);
    return wrong;
}
