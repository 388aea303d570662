/* Replaces runs of frames with one frame: "… 14 framework frames".
 *
 * A run is a connected group of matching frames, from one frame upwards. It may branch; its number
 * is the number of frames that most of its time passes through. Runs of one frame keep their name, because hiding
 * it would gain nothing. Runs under one caller become one frame, whatever methods started them. */
#include "transform/step.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory_error.h"
#include "base/number.h"

/* The label of folded frames until their number is known. */
#define FOLDED (AF_NO_LABEL - 1)

typedef struct {
    const guint8 *matches;
    uint32_t *heights; /* by node of the tree that matches: the number of frames of the longest run
                          from it upwards */
    const char *what;  /* "framework" or the pattern */
    af_label like;     /* a template for the labels of runs, except for their text */
} fold;

static void measure_runs(const af_tree *tree, const fold *f)
{
    memset(f->heights, 0, sizeof *f->heights * tree->n);
    for (uint32_t n = tree->n - 1; n > 0; n--) {
        const uint32_t parent = tree->parent[n];
        if (f->matches[tree->label[n]] != 0) {
            f->heights[n]++;
            f->heights[parent] = MAX(f->heights[parent], f->heights[n]);
        }
    }
}

static gboolean is_part(const af_tree *tree, const fold *f, uint32_t n)
{
    return n > 0 && f->matches[tree->label[n]] != 0;
}

static uint64_t plan_fold(const af_tree *tree, af_plan *plan, const void *user)
{
    const fold *f = user;
    uint64_t folded = 0;
    measure_runs(tree, f);
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t parent = tree->parent[n];
        plan->parent[n] = plan->into[parent];
        if (!is_part(tree, f, n)) {
            continue;
        }
        if (is_part(tree, f, parent)) {
            plan->into[n] = plan->into[parent];
            plan->label[n] = FOLDED;
            folded++;
        } else if (f->heights[n] > 1) {
            plan->label[n] = FOLDED;
            folded++;
        }
    }
    return folded;
}

static uint32_t name_run(af_working_copy *draft, const fold *f, uint32_t frames)
{
    char number[AF_NUMBER_SIZE];
    g_autofree char *text = g_strdup_printf("\u2026 %s %s frame%s", af_number_count(number, frames),
                                            f->what, frames == 1 ? "" : "s");
    return af_working_copy_add_label(draft, &f->like, text);
}

/* Time that passes through `frames` frames of a run, from its lowest one to the end of the run. */
typedef struct {
    uint32_t run;    /* a node of the made tree */
    uint32_t frames; /* up to this node */
    uint64_t time;   /* of the node and all that it calls outside the run */
} part;

static int compare_parts(const void *a, const void *b)
{
    const part *x = a, *y = b;
    return x->run != y->run ? (x->run > y->run ? 1 : -1)
                            : (x->frames > y->frames) - (x->frames < y->frames);
}

/* One part for each node of a run. Returns their number. */
static uint32_t list_parts(const af_tree *tree, const af_tree *made, const uint32_t *node_of,
                           const fold *f, part *parts)
{
    const uint64_t *times = tree->inclusive[tree->self[AF_WALL] != NULL ? AF_WALL : AF_CPU];
    uint32_t *part_of = f->heights; /* the heights are of no more use */
    uint32_t n_parts = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t parent = tree->parent[n];
        part *above =
            is_part(tree, f, n) && is_part(tree, f, parent) ? &parts[part_of[parent]] : NULL;
        const uint32_t run = above != NULL ? above->run : node_of[n];
        if (!is_part(tree, f, n) || run == AF_NO_NODE || made->label[run] != FOLDED) {
            continue;
        }
        parts[n_parts] = (part){run, above != NULL ? above->frames + 1 : 1, times[n]};
        if (above != NULL) {
            above->time -= times[n];
        }
        part_of[n] = n_parts++;
    }
    return n_parts;
}

/* Names the run of these parts, which are sorted: by the number of frames with the most time, of
 * equal ones by the largest. Returns the number of its parts. */
static uint32_t name_parts(af_working_copy *draft, const fold *f, af_tree *made, const part *parts,
                           uint32_t n)
{
    uint64_t most = 0, sum = 0;
    uint32_t frames = 0, i = 0;
    for (; i < n && parts[i].run == parts[0].run; i++) {
        sum = (i > 0 && parts[i].frames == parts[i - 1].frames ? sum : 0) + parts[i].time;
        if (sum >= most) {
            most = sum;
            frames = parts[i].frames;
        }
    }
    made->label[parts[0].run] = name_run(draft, f, frames);
    return i;
}

static gboolean name_runs(af_working_copy *draft, af_tree *made, const af_tree *tree,
                          const uint32_t *node_of, const void *user)
{
    const fold *f = user;
    g_autofree part *parts = g_try_new(part, tree->n);
    const uint32_t n = parts != NULL ? list_parts(tree, made, node_of, f, parts) : 0;
    gboolean ok = parts != NULL;
    if (n > 1) {
        qsort(parts, n, sizeof *parts, compare_parts);
    }
    for (uint32_t i = 0; ok && i < n;) {
        const uint32_t run = parts[i].run;
        i += name_parts(draft, f, made, parts + i, n - i);
        ok = made->label[run] != AF_NO_LABEL;
    }
    return ok;
}

static gboolean is_framework(const af_label *label)
{
    switch (label->category) {
    case AF_CATEGORY_ANDROID:
    case AF_CATEGORY_ANDROIDX:
    case AF_CATEGORY_KOTLIN:
    case AF_CATEGORY_JAVA:
        return label->methods > 0; /* runs of runs are not folded */
    default:
        return FALSE;
    }
}

static guint8 *match_framework(const af_profile *profile)
{
    guint8 *matches = g_malloc0((gsize)profile->n_labels + 1);
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        matches[l] = (guint8)is_framework(&profile->labels[l]);
    }
    return matches;
}

static gboolean fold_runs(af_working_copy *draft, const af_step *step, GError **error)
{
    const gboolean framework = strcmp(step->text, "framework") == 0;
    fold f = {.what = step->text, .like = {.category = AF_CATEGORY_FOLDED}};
    g_autofree guint8 *matches =
        framework ? match_framework(draft->made) : af_working_copy_match(draft, step->text, error);
    if (matches == NULL) {
        return FALSE;
    }
    g_autofree uint32_t *heights = g_try_new(uint32_t, af_working_copy_largest(draft));
    f.matches = matches;
    f.heights = heights;
    for (uint32_t l = draft->made->n_labels; l-- > 0;) { /* ends with the first that matches */
        f.like.method = matches[l] != 0 ? draft->made->labels[l].method : f.like.method;
    }
    return heights != NULL ? af_working_copy_replan(draft, plan_fold, name_runs, &f, error)
                           : af_memory_error_set(error);
}

const af_step_class af_step_fold = {
    "fold",
    "Merge runs of these, or of \"framework\"",
    "Replace each run of two or more of these methods on a path with one slim frame\n"
    "that shows the number in which most of its time passes; framework means Android,\n"
    "AndroidX, Kotlin and Java.\n"
    "All time stays.",
    AF_STEP_PATTERN,
    .unmatched = "no two matching frames follow each other on a path",
    .run = fold_runs};
