#include "expected_rows.h"

#include <string.h>
#include "step_rows.h"

/* Which parts of the trees a format holds. */
static const struct {
    const char *format;
    gboolean by_title;  /* identifies threads by title, not by id */
    gboolean by_method; /* calls and CPU times belong to methods, not to stacks */
    gboolean calls, cpu;
    gboolean fractions; /* numbers that are no times have three more digits */
    gboolean steps;     /* samples, one per step */
    /* for threads without call counts: sample runs; 0 if other threads have counts */
    enum { SAMPLE_RUNS, ZERO } uncounted;
    gboolean zeros; /* CPU times that a thread lacks are 0 */
    guint longest;  /* bytes of a name; 0 = unlimited */
    guint deepest;  /* calls of a stack, the last one gets the times below it; 0 = unlimited */
} formats[] = {
    {"chrome", .by_method = TRUE, .calls = TRUE, .cpu = TRUE, .fractions = TRUE},
    {"chrome-trees", .fractions = TRUE},
    {"gecko", .steps = TRUE},
    {.format = "gecko-again"}, /* the samples of a file, which aflame has read */
    {"perfetto", .calls = TRUE, .cpu = TRUE, .deepest = 512},
    {.format = "perfetto-trees"},
    {"pprof", .by_title = TRUE, .calls = TRUE, .cpu = TRUE, .uncounted = ZERO, .zeros = TRUE},
    {"spall", .calls = TRUE, .longest = 255},
};

char *cut_name(const char *name, gsize longest)
{
    gsize n = strlen(name);
    if (n > longest) {
        n = (gsize)(g_utf8_find_prev_char(name, name + longest + 1) - name);
    }
    return g_strndup(name, n);
}

typedef struct {
    const af_profile *profile;
    export_rows *rows;
    unsigned format;
    unsigned thread;
    gboolean has_calls; /* whether any thread has call counts */
    guint64 top;
    guint64 *stacks; /* by node */
} expectation;

static void add(const expectation *p, int column, guint64 stack, const char *name, uint64_t value)
{
    rows_add(p->rows, stack, name, column, (gint64)value);
}

static void add_calls(const expectation *p, uint32_t node, guint64 mine, const char *label)
{
    const uint64_t calls = af_node_calls(p->profile, p->thread, node);
    const gboolean counted = af_thread_has_calls(p->profile, p->thread);
    if (!formats[p->format].calls || !af_profile_has_calls(p->profile)) {
        return;
    }
    if (counted || formats[p->format].uncounted == SAMPLE_RUNS) {
        add(p, CALLS, mine, label, calls);
    } else if (formats[p->format].uncounted == ZERO && p->has_calls) {
        add(p, CALLS, mine, label, 0);
    }
}

static void add_node(const expectation *p, uint32_t node)
{
    const af_profile *profile = p->profile;
    const gboolean has_cpu = af_thread_has_clock(profile, p->thread, AF_CPU);
    const gboolean has_wall = af_thread_has_clock(profile, p->thread, AF_WALL) || !has_cpu;
    const gboolean by_method = formats[p->format].by_method;
    g_autofree char *cut =
        cut_name(af_node_label(profile, p->thread, node),
                 formats[p->format].longest > 0 ? formats[p->format].longest : G_MAXUINT);
    const char *label = cut;
    const guint64 parent = p->stacks[af_node_parent(profile, p->thread, node)];
    const guint deepest = af_profile_has_calls(profile) ? formats[p->format].deepest : 0;
    const gboolean below = deepest > 0 && af_node_depth(profile, p->thread, node) > deepest;
    const guint64 stack = p->stacks[node] = below ? parent : stack_with(parent, label);
    const guint64 mine = by_method ? stack_with(stack_with(p->top, "method"), label) : stack;
    /* a format with one clock holds the first one present */
    const af_clock first = has_wall ? AF_WALL : AF_CPU;
    /* stacks of samples have one clock in formats that otherwise hold calls */
    const gboolean has_second =
        formats[p->format].cpu && (formats[p->format].zeros || af_profile_has_calls(profile));
    const gboolean thousandths = formats[p->format].fractions && af_profile_unit_is_count(profile);
    const uint64_t scale = thousandths && af_profile_unit_decimals(profile) == 0 ? 1000 : 1;
    add(p, WALL, stack, label, af_node_self_ns(profile, p->thread, node, first) * scale);
    if (!below) {
        add_calls(p, node, mine, label);
    }
    if (has_second && has_wall &&
        (has_cpu || (formats[p->format].zeros && af_profile_has_clock(profile, AF_CPU)))) {
        add(p, CPU, mine, label,
            by_method ? af_node_inclusive_ns(profile, p->thread, node, AF_CPU)
                      : af_node_self_ns(profile, p->thread, node, AF_CPU));
    }
}

static void add_thread(expectation *p)
{
    const af_profile *profile = p->profile;
    const uint32_t n = af_tree_n_nodes(profile, p->thread);
    /* a format with thread ids has no id 0 */
    p->top = formats[p->format].by_title
                 ? stack_of_thread(af_thread_title(profile, p->thread))
                 : stack_of_id((gint64)MAX(af_thread_id(profile, p->thread), 1));
    p->stacks = g_new(guint64, n);
    p->stacks[0] = p->top;
    for (uint32_t node = 1; node < n; node++) {
        add_node(p, node);
    }
    g_free(p->stacks);
}

static unsigned find_format(const char *format)
{
    for (unsigned f = 0; f < G_N_ELEMENTS(formats); f++) {
        if (strcmp(formats[f].format, format) == 0) {
            return f;
        }
    }
    refuse("no expected rows for the format %s", format);
}

gboolean expected_rows_add(export_rows *rows, const char *format, const af_profile *profile)
{
    expectation p = {.profile = profile, .rows = rows, .format = find_format(format)};
    for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
        p.has_calls = p.has_calls || af_thread_has_calls(profile, t);
    }
    if (formats[p.format].steps) {
        if (!af_profile_has_calls(profile) && af_profile_end_ns(profile) > 0) {
            return FALSE;
        }
        step_rows_add(rows, profile);
    } else {
        for (; p.thread < af_profile_n_threads(profile); p.thread++) {
            add_thread(&p);
        }
    }
    return TRUE;
}
