/* The sentences about a comparison, for the formats that people read. */
#include "report/diff/diff_format.h"

#include <string.h>

#include "base/number.h"
#include "model/behalf.h"
#include "report/report.h"

const char *af_diff_unit_id(const af_diff *diff)
{
    return diff->unit.name != NULL ? diff->unit.name : "ns";
}

const char *af_diff_thread_word(const af_diff *diff, uint64_t n)
{
    const char *word = n == 1 ? diff->thread_word : diff->threads_word;
    return word != NULL ? word : n == 1 ? "thread" : "threads";
}

char *af_diff_say_amount(const af_diff *diff, uint64_t amount)
{
    char text[AF_NUMBER_SIZE];
    return g_strdup(af_number_amount(text, amount, &diff->unit));
}

char *af_diff_say_change(const af_diff *diff, int64_t change)
{
    char text[AF_NUMBER_SIZE];
    const uint64_t size = change < 0 ? 0 - (uint64_t)change : (uint64_t)change;
    af_number_amount(text, size, &diff->unit);
    return g_strconcat(change < 0 ? "-" : change > 0 ? "+" : "", text, NULL);
}

char *af_diff_say_ratio(uint64_t before, uint64_t after)
{
    char text[AF_NUMBER_SIZE];
    return g_strdup(af_number_ratio(text, before, after));
}

const char *af_diff_status_word(af_diff_status status)
{
    static const char *const words[AF_DIFF_STATUSES] = {
        [AF_DIFF_SAME] = "same",       [AF_DIFF_NOISE] = "noise", [AF_DIFF_UNSURE] = "?",
        [AF_DIFF_CHANGED] = "changed", [AF_DIFF_MOVED] = "moved", [AF_DIFF_NEW] = "new",
        [AF_DIFF_GONE] = "gone",
    };
    return words[status];
}

/* One of the two parts is the cause if it is three times the other. */
static const char *say_split(const af_diff_method *m)
{
    if (m->p == AF_DIFF_FACT) {
        return m->by_calls > 0 ? "more calls" : "fewer calls";
    }
    const uint64_t by_calls = af_diff_size(m->by_calls), by_mean = af_diff_size(m->by_mean);
    if (by_calls / 3 >= by_mean) {
        return m->by_calls > 0 ? "more calls" : "fewer calls";
    }
    if (by_mean / 3 >= by_calls) {
        return m->by_mean > 0 ? "slower" : "faster";
    }
    return "both";
}

const char *af_diff_say_cause(const af_diff_row *row)
{
    switch (row->status) {
    case AF_DIFF_SAME:
        return "";
    case AF_DIFF_NOISE:
        return "~";
    case AF_DIFF_CHANGED:
        return row->method == NULL || !row->method->split ? "changed" : say_split(row->method);
    default:
        return af_diff_status_word(row->status);
    }
}

char *af_diff_say_p(const af_diff_row *row)
{
    if (row->p < 0) {
        return g_strdup(row->p == AF_DIFF_FACT ? "fact" : "");
    }
    const unsigned thousandths = (unsigned)(row->p * 1000 + 0.5);
    return thousandths == 0 ? g_strdup("<0.001")
                            : g_strdup_printf("%u.%03u", thousandths / 1000, thousandths % 1000);
}

static G_GNUC_PRINTF(2, 3) void add_line(GPtrArray *lines, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    g_ptr_array_add(lines, g_strdup_vprintf(format, list));
    va_end(list);
}

/* The length of the folder that all inputs have in common, with its slash. */
static size_t measure_folder(const af_diff *diff)
{
    const char *first = NULL;
    size_t common = 0;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (uint32_t i = 0; i < diff->side[s].n_inputs; i++) {
            const char *input = diff->side[s].inputs[i];
            common = first == NULL ? strlen(input) : common;
            first = first == NULL ? input : first;
            size_t same = 0;
            while (same < common && input[same] == first[same]) {
                same++;
            }
            common = same;
        }
    }
    while (common > 0 && first[common - 1] != '/') {
        common--;
    }
    return common;
}

char *af_diff_say_sides(const af_diff *diff)
{
    const size_t folder = measure_folder(diff);
    GString *text = g_string_new(NULL);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        const af_diff_side *side = &diff->side[s];
        g_string_append(text, s == AF_AFTER ? " → " : "");
        if (side->n_inputs == 1) {
            g_string_append(text, side->inputs[0] + folder);
        } else {
            g_string_append_printf(text, "%u runs", side->n_runs);
        }
    }
    return g_string_free(text, FALSE);
}

static void describe_inputs(GPtrArray *lines, const af_diff *diff, unsigned s)
{
    static const char *const titles[AF_SIDES] = {"before", "after"};
    const af_diff_side *side = &diff->side[s];
    const size_t folder = measure_folder(diff);
    g_autofree char *total = af_diff_say_amount(diff, side->total);
    g_autoptr(GString) names = g_string_new(NULL);
    for (uint32_t i = 0; i < side->n_inputs && i < 3; i++) {
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", side->inputs[i] + folder);
    }
    if (side->n_inputs > 3) {
        g_string_append_printf(names, " and %u more", side->n_inputs - 3);
    }
    g_autoptr(GString) of = g_string_new(NULL);
    g_string_append_printf(of, "%u %s", side->n_threads,
                           af_diff_thread_word(diff, side->n_threads));
    if (diff->mean_of == NULL) {
        g_string_append_printf(of, ", %u %s", side->n_runs, side->n_runs == 1 ? "run" : "runs");
    }
    add_line(lines, "%s: %s%s%s%s%s (%s)", titles[s], names->str, names->len > 0 ? ", " : "", total,
             diff->mean_of != NULL ? " for each " : "", diff->mean_of != NULL ? diff->mean_of : "",
             of->str);
}

static void describe_total(GPtrArray *lines, const af_diff *diff)
{
    static const char *const clocks[] = {"wall time", "CPU time", "waiting"};
    const uint64_t before = diff->side[AF_BEFORE].total, after = diff->side[AF_AFTER].total;
    g_autofree char *change = af_diff_say_change(diff, af_diff_of(before, after));
    g_autofree char *ratio = af_diff_say_ratio(before, after);
    /* a counted amount has its unit */
    add_line(lines, "difference: %s%s%s%s%s%s%s", change, *ratio != '\0' ? " (" : "", ratio,
             *ratio != '\0' ? ")" : "", diff->unit.counted ? "" : " of ",
             diff->unit.counted        ? ""
             : diff->unit.name != NULL ? "time"
                                       : clocks[diff->clock],
             diff->normalized ? ", after both sides were scaled to one total" : "");
}

/* Without runs of paths, such as those of a merged profile. */
static gboolean tests_paths(const af_diff *diff)
{
    gboolean any = diff->n_threads == 0;
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        any = any || diff->threads[t].tree.p != NULL;
    }
    return any;
}

static void describe_few_runs(GPtrArray *lines, const af_diff *diff, const char *least)
{
    const uint32_t n = diff->side[AF_BEFORE].n_runs, m = diff->side[AF_AFTER].n_runs;
    g_autofree char *runs =
        n == 1 && m == 1 ? g_strdup("one run each") : g_strdup_printf("%u and %u runs", n, m);
    add_line(lines, "%s: differences may be noise; %s. ? marks differences of at least %s", runs,
             diff->untested != NULL ? diff->untested
             : diff->counted        ? "three of each side tell facts, four tell times"
                                    : "give three or more of each side",
             least);
}

static void describe_test(GPtrArray *lines, const af_diff *diff)
{
    const uint32_t n = diff->side[AF_BEFORE].n_runs, m = diff->side[AF_AFTER].n_runs;
    g_autofree char *least = af_diff_say_amount(diff, diff->min_delta);
    const char *facts = diff->counted
                            ? " Facts need no test: calls on one side only, or numbers of calls "
                              "that do not overlap."
                            : "";
    switch (diff->ground) {
    case AF_DIFF_BY_NOTHING:
        describe_few_runs(lines, diff, least);
        break;
    case AF_DIFF_BY_DELTA:
        add_line(lines, "changed means a difference of at least %s", least);
        break;
    case AF_DIFF_BY_GAP:
        add_line(lines,
                 "%u and %u runs: changed means a gap between the ranges of the sides that is as "
                 "wide as the wider range, and at least %s; a fourth run of each side allows a "
                 "test; ~ marks noise.%s Values of methods are medians; totals and paths are means",
                 n, m, least, facts);
        break;
    case AF_DIFF_BY_TEST:
        add_line(lines,
                 "%u and %u runs: changed means p <= 0.05 for the whole table and at least %s; ~ "
                 "marks noise.%s Values of methods are medians; totals and paths are means",
                 n, m, least, facts);
        break;
    }
    if (diff->ground >= AF_DIFF_BY_GAP && !tests_paths(diff)) {
        add_line(lines, "a merged profile does not store call paths for each run: a path "
                        "counts as changed if its method changed");
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        if (diff->side[s].n_tested < diff->side[s].n_runs && diff->untested == NULL) {
            add_line(lines, "statistics use %u of the %u runs of %s", diff->side[s].n_tested,
                     diff->side[s].n_runs, s == AF_BEFORE ? "before" : "after");
        }
    }
}

static af_category get_category(const void *user, uint32_t label)
{
    const af_diff *diff = user;
    return label == AF_NO_LABEL ? AF_CATEGORY_UNKNOWN : diff->labels[label].category;
}

static const char *get_text(const void *user, uint32_t label)
{
    const af_diff *diff = user;
    return label == AF_NO_LABEL ? "" : diff->labels[label].text;
}

/* The code of the app that led to a path, or its caller: a method calls others of the same name
 * only to do its own work. */
static void append_origin(GString *text, const af_diff *diff, const af_diff_tree *tree,
                          uint32_t node)
{
    const af_behalf_view view = {tree->parent, tree->label, get_category, get_text, diff};
    const uint32_t behalf = af_behalf_find(&view, node);
    if (behalf != AF_NO_NODE) {
        g_string_append_printf(text, ", on behalf of %s", diff->labels[tree->label[behalf]].text);
        return;
    }
    uint32_t caller = tree->parent[node];
    while (caller != 0 && tree->label[caller] == tree->label[node]) {
        caller = tree->parent[caller];
    }
    if (caller != 0) {
        g_string_append_printf(text, ", called by %s", diff->labels[tree->label[caller]].text);
    }
}

static void describe_cause(GPtrArray *lines, const af_diff *diff, const af_diff_cause *cause)
{
    const af_diff_thread *thread = &diff->threads[cause->thread];
    const af_diff_tree *tree = &thread->tree;
    const uint32_t n = cause->node;
    g_autofree char *amount = af_diff_say_amount(diff, af_diff_size(cause->delta));
    g_autoptr(GString) text = g_string_new(NULL);
    const gboolean unsure = tree->status[n] == AF_DIFF_UNSURE;
    g_string_append_printf(text, "%s: %s%s %s in %s", thread->title, unsure ? "perhaps " : "",
                           amount,
                           cause->delta > 0     ? "more"
                           : diff->unit.counted ? "fewer"
                                                : "less",
                           diff->labels[tree->label[n]].text);
    append_origin(text, diff, tree, n);
    if (tree->present[AF_BEFORE][n] == 0) {
        g_string_append(text, unsure ? "; only in after" : "; it is new");
    } else if (tree->present[AF_AFTER][n] == 0) {
        g_string_append(text, unsure ? "; only in before" : "; it is gone");
    } else if (!thread->uncounted && tree->calls[AF_BEFORE][n] != tree->calls[AF_AFTER][n]) {
        char before[AF_NUMBER_SIZE], after[AF_NUMBER_SIZE];
        g_string_append_printf(text, "; %s calls instead of %s",
                               af_number_count(after, tree->calls[AF_AFTER][n]),
                               af_number_count(before, tree->calls[AF_BEFORE][n]));
    }
    add_line(lines, "%s", text->str);
}

/* Threads on one side only have no counterpart to compare with. */
static void describe_lonely(GPtrArray *lines, const af_diff *diff)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        g_autoptr(GString) names = g_string_new(NULL);
        unsigned n = 0;
        for (uint32_t t = 0; t < diff->n_threads; t++) {
            const af_diff_thread *thread = &diff->threads[t];
            if (thread->name[1 - s] == NULL) {
                if (n++ < 5) {
                    g_string_append_printf(names, "%s%s", n > 1 ? ", " : "", thread->title);
                }
            }
        }
        if (n > 5) {
            g_string_append_printf(names, " and %u more", n - 5);
        }
        if (n > 0) {
            add_line(lines, "only in %s: %s %s", s == AF_BEFORE ? "before" : "after",
                     af_diff_thread_word(diff, n), names->str);
        }
    }
}

/* Information is for `info`; a warning may make the numbers wrong. */
static void describe_warnings(GPtrArray *lines, const af_diff *diff, unsigned s)
{
    const af_warnings *warnings = &diff->side[s].warnings;
    for (unsigned i = 0; af_warnings_kind_at(warnings, i) >= 0; i++) {
        if (!af_warning_is_info((af_warning_kind)af_warnings_kind_at(warnings, i))) {
            g_autofree char *text = af_report_describe_warning(warnings, i);
            add_line(lines, "warning about %s: %s", s == AF_BEFORE ? "before" : "after", text);
        }
    }
}

GPtrArray *af_diff_describe_whole(const af_diff *diff)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    describe_inputs(lines, diff, AF_BEFORE);
    describe_inputs(lines, diff, AF_AFTER);
    describe_total(lines, diff);
    describe_test(lines, diff);
    describe_lonely(lines, diff);
    describe_warnings(lines, diff, AF_BEFORE);
    describe_warnings(lines, diff, AF_AFTER);
    return lines;
}

/* The largest status of any method or thread. */
static af_diff_status find_worst(const af_diff *diff)
{
    af_diff_status worst = AF_DIFF_SAME;
    for (uint32_t i = 0; i < diff->n_methods; i++) {
        worst = MAX(worst, diff->methods[i].status);
    }
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        worst = MAX(worst, diff->threads[t].status);
    }
    return worst;
}

char *af_diff_say_verdict(const af_diff *diff)
{
    static const char *const clocks[] = {"wall time", "CPU time", "waiting"};
    const uint64_t before = diff->side[AF_BEFORE].total, after = diff->side[AF_AFTER].total;
    const char *of = diff->unit.counted ? "" : diff->unit.name != NULL ? " of time" : " of ";
    const char *clock = diff->unit.name != NULL ? "" : clocks[diff->clock];
    const char *perhaps = diff->ground == AF_DIFF_BY_NOTHING ? "; this may be noise" : "";
    const af_diff_status worst = find_worst(diff);
    if (worst == AF_DIFF_SAME) {
        return g_strdup("Nothing changed: both sides are equal");
    }
    if (worst == AF_DIFF_NOISE) {
        return g_strdup("Nothing changed beyond noise");
    }
    g_autofree char *old = af_diff_say_amount(diff, before), *new = af_diff_say_amount(diff, after);
    if (before == after) {
        return g_strdup_printf("Both sides take %s%s%s, on different paths%s", new, of, clock,
                               perhaps);
    }
    g_autofree char *size = af_diff_say_amount(diff, af_diff_size(af_diff_of(before, after)));
    g_autofree char *ratio = af_diff_say_ratio(before, after);
    return g_strdup_printf("After takes %s %s than before%s%s%s: %s%s%s instead of %s%s", size,
                           after > before       ? "more"
                           : diff->unit.counted ? "fewer"
                                                : "less",
                           *ratio != '\0' ? " (" : "", ratio, *ratio != '\0' ? ")" : "", new, of,
                           clock, old, perhaps);
}

GPtrArray *af_diff_describe_causes(const af_diff *diff)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    const af_diff_status worst = find_worst(diff);
    for (uint32_t i = 0; i < diff->n_causes; i++) {
        describe_cause(lines, diff, &diff->causes[i]);
    }
    if (worst == AF_DIFF_SAME) {
        add_line(lines, "nothing changed: both sides are equal");
    } else if (worst == AF_DIFF_NOISE) {
        add_line(lines, "nothing changed beyond noise");
    }
    return lines;
}

GPtrArray *af_diff_describe(const af_diff *diff)
{
    GPtrArray *lines = af_diff_describe_whole(diff);
    g_ptr_array_extend_and_steal(lines, af_diff_describe_causes(diff));
    return lines;
}
