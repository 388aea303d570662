/* Single calls, a row for each. */

#include "base/number.h"
#include "report/calls.h"

enum { METHOD, NUMBER, CALLER, START, FIGURES };
enum { TIME, SELF, PER_CLOCK };
enum { DEPTH, THREAD, BEGIN, END, EXTRAS };
enum { RUNNABLE, SELF_RUNNABLE, SLEPT, WAKER, WAITS };

/* clang-format off */
#define EACH(before, after) {before "wall" after, before "cpu" after, before "wait" after}
/* clang-format on */

static const char *const time_ids[AF_MEASURES] = EACH("", "_ns");
static const char *const self_ids[AF_MEASURES] = EACH("self_", "_ns");
static const char *const self_words[AF_MEASURES] = EACH("self-", "");
static const char *const self_titles[AF_MEASURES] = {"self wall", "self CPU", "self waiting"};

/* Values that all calls share are above the table instead of in every row. */
typedef struct {
    const af_calls_context *m;
    const af_call *calls;
    uint32_t n;
    gboolean one_method, one_thread, all_returned;
    gboolean has_waits;              /* of any call it is known when it was runnable */
    const char **methods, **threads; /* names in the arena, by number; NULL until first use */
} listing;

/* Start times are wall times if there are any, because all threads share that clock. */
static af_clock choose_clock(const listing *l)
{
    return af_profile_has(l->m->request->scope.profile, AF_WALL) ? AF_WALL : AF_CPU;
}

static void add_front(const listing *l, af_table *table)
{
    const gboolean by_wall = choose_clock(l) == AF_WALL;
    const af_column columns[FIGURES] = {
        [METHOD] = {.id = "method", .kind = AF_CELL_TEXT, .implied = l->one_method},
        [NUMBER] = {"number", "number", l->m->sampled ? "slice" : "call",
                    "position in the trace, for --around", AF_CELL_COUNT, .plain = TRUE},
        [CALLER] = {"caller", NULL, NULL, "the calling method; none: the thread itself",
                    AF_CELL_TEXT, .rank = 12},
        [START] = {by_wall ? "start_ns" : "start_cpu_ns", "start", "start",
                   by_wall ? "start time, since the trace began"
                           : "start time in CPU time of its thread",
                   AF_CELL_TIMESTAMP, 2, .plain = TRUE},
    };
    af_table_add_columns(table, columns, FIGURES);
}

static void add_figures(const listing *l, af_table *table)
{
    for (unsigned i = 0; i < l->m->n_clocks; i++) {
        const af_clock clock = l->m->clocks[i];
        const af_column time = {
            time_ids[clock],
            af_clock_word(clock),
            af_clock_title(clock),
            clock == AF_WAIT ? "wall minus CPU time of the call" : "from start to end",
            AF_CELL_TIME,
            i == 0 ? 0 : 3 + i,
            .clock = clock};
        const af_column self = {self_ids[clock],       self_words[clock], self_titles[clock],
                                "without its callees", AF_CELL_TIME,      i == 0 ? 6 : 20 + i,
                                .clock = clock};
        af_table_add_column(table, &time);
        af_table_add_column(table, &self);
    }
}

static void add_waits(const listing *l, af_table *table)
{
    static const af_column columns[WAITS] = {
        [RUNNABLE] = {"runnable_ns", "runnable", NULL,
                      "part of the waiting: runnable, but no processor was free", AF_CELL_TIME,
                      .rank = 5},
        [SELF_RUNNABLE] = {"self_runnable_ns", "self-runnable", "self runnable",
                           "the same without its callees", AF_CELL_TIME, .rank = 23},
        [SLEPT] = {"slept_ns", "slept", NULL, "its longest sleep that another thread ended",
                   AF_CELL_TIME, .rank = 9},
        [WAKER] = {"woken_by", "woken-by", "woken by", "the thread that ended that sleep",
                   AF_CELL_TEXT, .rank = 8},
    };
    if (l->has_waits) {
        af_table_add_columns(table, columns, WAITS);
    }
}

static void add_extras(const listing *l, af_table *table)
{
    const af_column columns[EXTRAS] = {
        [DEPTH] = {"depth", NULL, NULL, "number of open calls, including this one", AF_CELL_COUNT,
                   .rank = 10},
        [THREAD] = {.id = "thread", .kind = AF_CELL_TEXT, .implied = l->one_thread, .rank = 7},
        [BEGIN] = {"begun", NULL, NULL, "early: before the trace; cut: before the selected part",
                   AF_CELL_TEXT, 3, .quiet = TRUE},
        [END] = {"ended", NULL, NULL,
                 "returned; exception; missed: its return was not recorded and that of "
                 "its caller ended it; open: the trace has no end of it; cut: after the "
                 "selected part",
                 AF_CELL_TEXT, 3, .implied = l->all_returned},
    };
    af_table_add_columns(table, columns, EXTRAS);
}

static const char *name_label(const listing *l, uint32_t label)
{
    if (label == AF_NO_LABEL) {
        return NULL;
    }
    if (l->methods[label] == NULL) {
        const af_label *method = &l->m->request->scope.profile->labels[label];
        l->methods[label] = af_arena_copy(l->m->arena, method->text, method->length);
    }
    return l->methods[label];
}

static const char *name_thread(const listing *l, uint32_t thread)
{
    if (l->threads[thread] == NULL) {
        const char *title = l->m->request->scope.profile->threads[thread].title;
        l->threads[thread] = af_arena_text(l->m->arena, title);
    }
    return l->threads[thread];
}

static void fill_waits(const listing *l, af_cell *waits, const af_call *call)
{
    const gboolean slept = call->has_runnable && call->slept_ns > 0;
    waits[RUNNABLE].number = call->has_runnable ? call->runnable_ns : AF_ABSENT;
    waits[SELF_RUNNABLE].number = call->has_runnable ? call->self_runnable_ns : AF_ABSENT;
    waits[SLEPT].number = slept ? call->slept_ns : AF_ABSENT;
    const af_profile *profile = l->m->request->scope.profile;
    const char *name =
        call->slept_ns > 0 && call->waker < profile->n_wakers ? profile->wakers[call->waker] : NULL;
    waits[WAKER].text = af_arena_text(l->m->arena, name);
}

static void add_row(const listing *l, af_table *table, const af_call *call)
{
    static const char *const begins[] = {NULL, "early", "cut"};
    const af_profile *profile = l->m->request->scope.profile;
    const af_clock clock = choose_clock(l);
    const uint64_t zero_ns = clock == AF_WALL ? af_profile_start_ns(profile) : 0;
    af_cell *row = af_table_add_row(table), *figures = row + FIGURES;
    af_cell *waits = figures + (size_t)l->m->n_clocks * PER_CLOCK;
    af_cell *extras = waits + (l->has_waits ? WAITS : 0);
    if (l->has_waits) {
        fill_waits(l, waits, call);
    }
    row[CALLER].text = name_label(l, call->caller);
    row[NUMBER].number = call->number;
    row[METHOD].text = name_label(l, call->label);
    row[START].number = call->begin_ns[clock] - MIN(zero_ns, call->begin_ns[clock]);
    for (unsigned i = 0; i < l->m->n_clocks; i++) {
        const gboolean known = af_call_has(call, l->m->clocks[i]);
        figures[i * PER_CLOCK + TIME].number =
            known ? af_call_time_ns(call, l->m->clocks[i]) : AF_ABSENT;
        figures[i * PER_CLOCK + SELF].number =
            known ? af_call_self_ns(call, l->m->clocks[i]) : AF_ABSENT;
    }
    extras[DEPTH].number = call->depth;
    extras[THREAD].text = name_thread(l, call->thread);
    extras[BEGIN].text = begins[call->begin];
    static const char *const words[] = {"returned", "exception", "missed", "open"};
    extras[END].text = call->cut ? "cut" : words[call->end];
}

/* "calls of com.example.Adapter.onBind", "slices of onBind". */
static void name_table(const listing *l, af_table *table)
{
    const af_calls_request *request = l->m->request;
    const uint64_t n = af_call_store_n(request->store);
    char count[AF_NUMBER_SIZE], listed[AF_NUMBER_SIZE];
    const char *what = l->m->sampled ? "slice" : "call";
    g_autofree char *title = g_strdup_printf(
        "%ss of %s", what, l->one_method ? name_label(l, l->calls[0].label) : request->pattern);
    g_autoptr(GString) subtitle = g_string_new(af_number_count(count, n));
    g_string_append_printf(subtitle, " %s%s", what, n == 1 ? "" : "s");
    if (l->one_thread) {
        g_string_append_printf(subtitle, " on %s", name_thread(l, l->calls[0].thread));
    }
    if (n > l->n) {
        g_string_append_printf(subtitle,
                               "; only the %s longest are listed, and medians are accurate to 1 %%",
                               af_number_count(listed, l->n));
    }
    if (l->m->sampled) {
        g_string_append(subtitle, "; a slice lasts as long as consecutive samples show the method");
    }
    const char *copy = af_arena_text(l->m->arena, title);
    table->title = copy != NULL ? copy : "calls";
    table->subtitle = af_arena_copy(l->m->arena, subtitle->str, subtitle->len);
}

/* The manual lists them. A new one is appended, for the databases that hold the others. */
static const char *const fixed_ids[] = {
    "method",           "number",   "caller",       "start_ns",
    "start_cpu_ns",     "wall_ns",  "self_wall_ns", "cpu_ns",
    "self_cpu_ns",      "wait_ns",  "self_wait_ns", "runnable_ns",
    "self_runnable_ns", "slept_ns", "woken_by",     "depth",
    "thread",           "begun",    "ended",        NULL,
};

af_table *af_table_of_calls(const af_calls_context *m)
{
    const af_profile *profile = m->request->scope.profile;
    listing l = {.m = m};
    l.calls = af_call_store_calls(m->request->store, &l.n);
    l.methods = g_try_new0(const char *, (gsize)profile->n_labels + 1);
    l.threads = g_try_new0(const char *, (gsize)profile->n_threads + 1);
    g_autoptr(af_table) table = af_table_new("calls", "calls");
    l.one_method = l.one_thread = l.all_returned = TRUE;
    for (uint32_t i = 0; i < l.n; i++) {
        l.one_method = l.one_method && l.calls[i].label == l.calls[0].label;
        l.one_thread = l.one_thread && l.calls[i].thread == l.calls[0].thread;
        l.all_returned = l.all_returned && l.calls[i].end == AF_CALL_RETURNED && !l.calls[i].cut;
        l.has_waits = l.has_waits || l.calls[i].has_runnable;
    }
    l.has_waits = l.has_waits && af_scope_has(&l.m->request->scope, AF_WAIT);
    table->fixed_ids = fixed_ids;
    table->name = l.one_method ? CALLER : METHOD;
    add_front(&l, table);
    add_figures(&l, table);
    add_waits(&l, table);
    add_extras(&l, table);
    const gboolean ok = l.methods != NULL && l.threads != NULL && af_table_reserve(table, l.n);
    for (uint32_t i = 0; ok && i < l.n; i++) {
        add_row(&l, table, &l.calls[i]);
    }
    if (ok && l.n > 0) {
        name_table(&l, table);
    }
    g_free(l.methods);
    g_free(l.threads);
    return ok ? g_steal_pointer(&table) : NULL;
}
