/* Callgrind's format, for KCachegrind and callgrind_annotate: the self time of each method and, for
 * each pair of caller and callee, the number and time of the calls.
 *
 * Threads are root functions called "[thread TITLE]", because callgrind_annotate does not
 * understand parts of a file, which KCachegrind reads as threads. Each clock of the profile is an
 * event, the selected one first; numbers are whole ns or the profile's unit. Calls between two
 * methods inside calls between the same two count once. Samples have no call counts, but the format
 * requires one, and callgrind_annotate adds the time after a count of 0 to the caller's self time;
 * so the count is 1, and a line at the top says that it is not real. Lines for threads without CPU
 * times lack that number, which callgrind_annotate shows as a dot.
 *
 * Names are defined at their first use and referenced by number afterwards. KCachegrind skips
 * blanks before a name and ignores a name of blanks, so such names are quoted. It looks for the
 * events in the first 2 KB, so the command line is shortened to fit.
 *
 * The format has no stacks. They follow in comments, which other tools skip, so that aflame can
 * read its own files again.
 *
 * Tested with callgrind_annotate 3.19.0 (--tree=both), KCachegrind 22.12.3 (opens the output of the
 * fixtures in tests/data without messages) and speedscope 1.25.0. */
#include "export/exporter.h"

#include "base/array.h"
#include "base/idmap.h"
#include "base/memory_error.h"
#include "base/textmap.h"
#include "export/calls.h"
#include "export/label_numbers.h"

#define MOST_EVENTS 3

/* Length limit of the command line in bytes. */
#define MOST_COMMAND 1000

/* A caller and a callee by their function numbers. */
typedef struct {
    uint32_t caller, callee;
    uint32_t open; /* number of such calls that enclose the current node */
    uint64_t calls;
    uint64_t inclusive[MOST_EVENTS];
    unsigned n_known; /* number of leading events for which a thread of the pair has times */
} pair;

typedef struct {
    uint64_t self[MOST_EVENTS];
    unsigned n_known; /* as in pair */
    uint32_t first;   /* its pairs as a caller, in `by_caller`; ends at the next function's */
    gboolean named;
} function;

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    af_out *out;
    af_label_numbers used;
    unsigned n_events;
    af_clock events[MOST_EVENTS];
    function *functions; /* labels by number, then threads by index */
    uint32_t n_functions;
    af_idmap numbers; /* of pairs */
    af_array pairs;   /* of pair */
    af_array path;    /* of uint32_t: the pairs from the outermost call to the node */
    uint32_t *by_caller;
    af_textmap files;
    af_array named_files; /* of gboolean */
} writer;

static uint32_t find_pair(writer *w, uint32_t caller, uint32_t callee)
{
    const uint32_t number = af_idmap_number(&w->numbers, (uint64_t)caller << 32 | callee);
    if (number == AF_IDMAP_NONE || !af_array_reach(&w->pairs, (size_t)number + 1)) {
        return AF_IDMAP_NONE;
    }
    AF_ARRAY_AT(&w->pairs, pair, number).caller = caller;
    AF_ARRAY_AT(&w->pairs, pair, number).callee = callee;
    return number;
}

/* Closes the calls that do not enclose a node of that depth. */
static void leave_calls(writer *w, uint32_t depth)
{
    while (w->path.n >= depth) {
        AF_ARRAY_AT(&w->pairs, pair, AF_ARRAY_AT(&w->path, uint32_t, --w->path.n)).open--;
    }
}

/* The number of events for which the tree has times. The selected event is first and always
 * present. */
static unsigned count_known(const writer *w, const af_tree *tree)
{
    unsigned n = 1;
    while (n < w->n_events && af_tree_has(tree, w->events[n])) {
        n++;
    }
    return n;
}

static gboolean add_node(writer *w, const af_thread *thread, uint32_t node,
                         uint32_t thread_function)
{
    const af_tree *tree = thread->tree;
    const uint32_t parent = tree->parent[node];
    const uint32_t callee = w->used.number_of[tree->label[node]];
    const uint32_t caller = parent == 0 ? thread_function : w->used.number_of[tree->label[parent]];
    const uint32_t number = find_pair(w, caller, callee);
    leave_calls(w, tree->depth[node]);
    uint32_t *last = number == AF_IDMAP_NONE ? NULL : af_array_add(&w->path, 1);
    if (last == NULL) {
        return FALSE;
    }
    *last = number;
    pair *p = &AF_ARRAY_AT(&w->pairs, pair, number);
    const gboolean counts = p->open == 0 && caller != callee;
    const unsigned n_known = count_known(w, tree);
    w->functions[callee].n_known = MAX(w->functions[callee].n_known, n_known);
    p->n_known = MAX(p->n_known, n_known);
    for (unsigned e = 0; e < n_known; e++) {
        w->functions[callee].self[e] += af_tree_self_widths(tree, w->events[e])[node];
        p->inclusive[e] += counts ? af_tree_widths(tree, w->events[e])[node] : 0;
    }
    p->calls += af_thread_counts_calls(w->profile, thread) ? tree->calls[node] : 0;
    p->open++;
    return TRUE;
}

static gboolean add_threads(writer *w)
{
    for (uint32_t i = 0; i < w->selection->n_threads; i++) {
        const af_tree *tree = w->profile->threads[w->selection->threads[i]].tree;
        w->functions[w->used.n + i].n_known = count_known(w, tree);
        for (unsigned e = 0; e < count_known(w, tree); e++) {
            if (af_tree_widths(tree, w->events[e]) == NULL) {
                return FALSE;
            }
        }
        for (uint32_t n = 1; n < tree->n; n++) {
            if (!add_node(w, &w->profile->threads[w->selection->threads[i]], n, w->used.n + i)) {
                return FALSE;
            }
        }
        leave_calls(w, 1);
    }
    return TRUE;
}

/* Sorts the pairs by caller; pairs of one caller keep their order. */
static gboolean sort_pairs(writer *w)
{
    const uint32_t n = (uint32_t)w->pairs.n;
    w->by_caller = g_try_new(uint32_t, (size_t)n + 1);
    if (w->by_caller == NULL) {
        return FALSE;
    }
    for (uint32_t i = 0; i < n; i++) {
        w->functions[AF_ARRAY_AT(&w->pairs, pair, i).caller + 1].first++;
    }
    for (uint32_t f = 0; f < w->n_functions; f++) {
        w->functions[f + 1].first += w->functions[f].first;
    }
    /* filled backwards, so that `first` ends at the right position */
    for (uint32_t f = w->n_functions; f > 0; f--) {
        w->functions[f].first = w->functions[f - 1].first;
    }
    for (uint32_t i = 0; i < n; i++) {
        w->by_caller[w->functions[AF_ARRAY_AT(&w->pairs, pair, i).caller + 1].first++] = i;
    }
    return TRUE;
}

static void put_name(af_out *out, const char *name)
{
    const gboolean quoted = g_unichar_isspace(g_utf8_get_char(name));
    af_out_texts(out, quoted ? "\"" : "", name, quoted ? "\"" : "");
}

/* "fl=(3) Main.java" or "cfl=(3)". */
static void put_file(writer *w, const char *key, const char *source)
{
    const char *name = source != NULL ? source : "???";
    const uint32_t number = af_textmap_add(&w->files, name, strlen(name));
    if (number == AF_TEXTMAP_NONE || !af_array_reach(&w->named_files, (size_t)number + 1)) {
        return; /* reported when the file is complete */
    }
    gboolean *named = &AF_ARRAY_AT(&w->named_files, gboolean, number);
    af_out_number(w->out, key, number + UINT64_C(1), *named ? ")" : ") ");
    put_name(w->out, *named ? "" : name);
    af_out_char(w->out, '\n');
    *named = TRUE;
}

/* Writes the file and the name of a function; returns its line. */
static int32_t put_function(writer *w, uint32_t number, gboolean called)
{
    const gboolean method = number < w->used.n;
    int32_t line = 0;
    const char *source = method ? af_label_source(w->profile, w->used.labels[number], &line) : NULL;
    put_file(w, called ? "cfl=(" : "fl=(", source);
    af_out_number(w->out, called ? "cfn=(" : "fn=(", number + UINT64_C(1), ")");
    if (!w->functions[number].named && method) {
        af_out_char(w->out, ' ');
        put_name(w->out, w->profile->labels[w->used.labels[number]].text);
    } else if (!w->functions[number].named) {
        af_out_texts(w->out, " [thread ",
                     w->profile->threads[w->selection->threads[number - w->used.n]].title, "]");
    }
    w->functions[number].named = TRUE;
    af_out_char(w->out, '\n');
    return MAX(line, 0);
}

/* Trailing numbers may be omitted: readers treat them as absent or 0. */
static void put_costs(writer *w, int32_t line, const uint64_t costs[], unsigned n_known)
{
    af_out_i64(w->out, line);
    for (unsigned e = 0; e < n_known; e++) {
        af_out_number(w->out, " ", costs[e], "");
    }
    af_out_char(w->out, '\n');
}

static void put_all_of(writer *w, uint32_t number)
{
    const uint32_t end = w->functions[number + 1].first;
    const int32_t line = put_function(w, number, FALSE);
    put_costs(w, line, w->functions[number].self, w->functions[number].n_known);
    for (uint32_t i = w->functions[number].first; i < end && w->out->error == NULL; i++) {
        const pair *p = &AF_ARRAY_AT(&w->pairs, pair, w->by_caller[i]);
        const int32_t begins = put_function(w, p->callee, TRUE);
        af_out_number(w->out, "calls=", MAX(p->calls, 1), " ");
        af_out_i64(w->out, begins);
        af_out_char(w->out, '\n');
        put_costs(w, line, p->inclusive, p->n_known);
    }
    af_out_char(w->out, '\n');
}

/* One line for each node: its depth, its function and its self times, without zeros at the end. */
static void put_node(writer *w, const af_tree *tree, uint32_t node)
{
    uint64_t self[MOST_EVENTS];
    unsigned n = 0;
    for (unsigned e = 0; e < count_known(w, tree); e++) {
        self[e] = af_tree_self_widths(tree, w->events[e])[node];
        n = self[e] > 0 ? e + 1 : n;
    }
    af_out_number(w->out, "#=", tree->depth[node], " ");
    af_out_u64(w->out, w->used.number_of[tree->label[node]] + UINT64_C(1));
    for (unsigned e = 0; e < n; e++) {
        af_out_number(w->out, " ", self[e], "");
    }
    af_out_char(w->out, '\n');
}

static void put_stacks(writer *w)
{
    af_out_text(w->out, "# stacks, for aflame: depth, function, self times\n");
    for (uint32_t i = 0; i < w->selection->n_threads; i++) {
        const af_tree *tree = w->profile->threads[w->selection->threads[i]].tree;
        af_out_number(w->out, "#=0 ", (uint64_t)w->used.n + i + 1, "\n");
        for (uint32_t n = 1; n < tree->n && w->out->error == NULL; n++) {
            put_node(w, tree, n);
        }
    }
    af_out_text(w->out, "#=end\n");
}

/* The event's name in a form that the format accepts. */
static char *name_event(const writer *w, af_clock clock)
{
    static const char *const names[] = {"wall_ns", "cpu_ns", "wait_ns"};
    const af_unit *unit = &w->profile->facts.weights.unit;
    if (!unit->counted) {
        return g_strdup(unit->name == NULL ? names[clock] : "time_ns");
    }
    char *name = g_strconcat(unit->digits > 0 ? "thousandths_of_" : "", unit->name, NULL);
    return g_strcanon(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS, '_');
}

/* "desc: Calls: 1 where the input has no call counts: main (samples), pool" */
static void put_uncounted(const writer *w)
{
    const char *before = "desc: Calls: 1 where the input has no call counts: ";
    if (!af_profile_counts_calls(w->profile)) {
        af_out_text(w->out, "desc: Calls: always 1, the input has no call counts\n");
        return;
    }
    for (uint32_t i = 0; i < w->selection->n_threads; i++) {
        const af_thread *thread = &w->profile->threads[w->selection->threads[i]];
        if (!af_thread_counts_calls(w->profile, thread)) {
            af_out_texts(w->out, before, thread->title);
            before = ", ";
        }
    }
    af_out_text(w->out, *before == ',' ? "\n" : "");
}

static void put_head(writer *w)
{
    const char *command = w->profile->app != NULL ? w->profile->app : "trace";
    af_out_text(w->out, "# callgrind format\nversion: 1\ncreator: aflame\n");
    if (w->profile->facts.has_pid) {
        af_out_number(w->out, "pid: ", w->profile->facts.pid, "\n");
    }
    af_out_text(w->out, "cmd: ");
    af_out_bytes(w->out, command, MIN(strlen(command), MOST_COMMAND));
    af_out_text(w->out, "\npart: 1\n");
    if (w->selection->left_out != NULL) {
        af_out_texts(w->out, "desc: Left out: ", w->selection->left_out, "\n");
    }
    put_uncounted(w);
    af_out_text(w->out, "\npositions: line\nevents:");
    for (unsigned e = 0; e < w->n_events; e++) {
        g_autofree char *name = name_event(w, w->events[e]);
        af_out_texts(w->out, " ", name);
    }
    af_out_text(w->out, "\nsummary:");
    for (unsigned e = 0; e < w->n_events; e++) {
        uint64_t sum = 0;
        for (uint32_t f = 0; f < w->used.n; f++) {
            sum += w->functions[f].self[e];
        }
        af_out_number(w->out, " ", sum, "");
    }
    af_out_text(w->out, "\n\n");
}

static gboolean write_functions(writer *w, GError **error)
{
    w->n_functions = w->used.n + w->selection->n_threads;
    w->functions = g_try_new0(function, (size_t)w->n_functions + 1);
    if (w->functions == NULL || !add_threads(w) || !sort_pairs(w)) {
        return af_memory_error_set(error);
    }
    put_head(w);
    for (uint32_t f = w->used.n; f < w->n_functions && w->out->error == NULL; f++) {
        put_all_of(w, f);
    }
    for (uint32_t f = 0; f < w->used.n && w->out->error == NULL; f++) {
        put_all_of(w, f);
    }
    put_stacks(w);
    return !(w->files.failed || w->named_files.failed) || af_memory_error_set(error);
}

static gboolean write_callgrind(const af_profile *profile, const af_selection *selection,
                                af_out *out, GError **error)
{
    writer w = {.profile = profile, .selection = selection, .out = out};
    if (!af_label_numbers_init(&w.used, profile, selection->threads, selection->n_threads)) {
        return af_memory_error_set(error);
    }
    af_idmap_init_hashed(&w.numbers, NULL);
    af_array_init(&w.pairs, sizeof(pair));
    af_array_init(&w.path, sizeof(uint32_t));
    af_array_init(&w.named_files, sizeof(gboolean));
    af_textmap_init(&w.files);
    const af_clock meant = w.selection->clock;
    w.events[w.n_events++] = meant;
    for (int c = 0; c < AF_CLOCKS && af_profile_has_clocks(w.profile); c++) {
        if ((af_clock)c != meant && af_profile_has(w.profile, (af_clock)c)) {
            w.events[w.n_events++] = (af_clock)c;
        }
    }
    const gboolean ok = write_functions(&w, error);
    af_textmap_clear(&w.files);
    af_array_clear(&w.named_files);
    af_array_clear(&w.path);
    af_array_clear(&w.pairs);
    af_idmap_clear(&w.numbers);
    g_free(w.by_caller);
    g_free(w.functions);
    af_label_numbers_clear(&w.used);
    return ok;
}

const af_exporter af_exporter_callgrind = {
    .name = "callgrind",
    .extensions = "callgrind callgrind.out callgrind.out.*",
    .title = "callgrind, for KCachegrind and callgrind_annotate",
    .loses = AF_LOSES_TIMELINE | AF_LOSES_OVERFLOW,
    .write = write_callgrind,
};
