/* Waiting by method and cause. Waiting without a known cause belongs to the method itself. */
#include "model/waits.h"
#include "report/report.h"

/* By label * AF_WAITS_ALL + kind; sums of af_tree_self_term(). */
typedef struct {
    uint64_t *wait_ns;
    uint64_t total_ns;
} sums;

static void add(sums *s, uint32_t label, unsigned kind, uint64_t ns)
{
    s->wait_ns[(size_t)label * AF_WAITS_ALL + kind] += ns;
    s->total_ns += ns;
}

/* By node: itself or the nearest ancestor without a known reason; the outermost one if all have one.
 * NULL if memory is refused. */
static uint32_t *find_waiters(const af_tree *tree)
{
    uint32_t *waiters = g_try_new0(uint32_t, tree->n);
    for (uint32_t n = 1; waiters != NULL && n < tree->n; n++) {
        const uint32_t parent = tree->parent[n];
        waiters[n] = tree->reason[n] != AF_WAITS_OTHER && parent > 0 ? waiters[parent] : n;
    }
    return waiters;
}

static void add_thread(sums *s, const af_tree *tree, const uint32_t *waiters)
{
    for (uint32_t n = 1; af_tree_has(tree, AF_WAIT) && n < tree->n; n++) {
        const uint64_t runnable_ns = af_tree_self_runnable_ns(tree, n);
        const uint32_t waiter = tree->label[waiters[n]];
        add(s, waiter, tree->reason[n], af_tree_self_term(tree, n, AF_WAIT) - runnable_ns);
        add(s, waiter, AF_WAITS_RUNNABLE, runnable_ns);
    }
}

/* An ANR report shows the state of each thread at one point in time. The innermost frame of a
 * thread is its state, or what it waits for, in brackets. */
static gboolean is_snapshot(const af_profile *profile)
{
    return g_strcmp0(profile->facts.format.name, "anr") == 0;
}

/* The wait reason of a thread whose stack ends in a state; AF_WAITS_ALL = it does not wait. */
static unsigned find_reason(const char *state, unsigned of_method)
{
    static const struct {
        const char *begin;
        unsigned kind;
    } states[] = {
        {"[Runnable", AF_WAITS_ALL},
        {"[waiting to lock", AF_WAITS_LOCK},
        {"[waiting on", AF_WAITS_MONITOR},
        {"[sleeping on", AF_WAITS_SLEEP},
        {"[Sleeping", AF_WAITS_SLEEP},
        {"[Blocked", AF_WAITS_LOCK},
        {"[WaitingForGcToComplete", AF_WAITS_GC},
    };
    /* a thread in the queue of messages or in a lock of java.util.concurrent waits there too */
    for (unsigned i = 0; i < G_N_ELEMENTS(states); i++) {
        const gboolean is_state = g_str_has_prefix(state, states[i].begin);
        if (is_state && (states[i].kind != AF_WAITS_MONITOR || of_method == AF_WAITS_OTHER)) {
            return states[i].kind;
        }
    }
    return of_method;
}

/* The waiting method for the innermost frame of a stack. Native code, such as that of a message
 * queue, waits on behalf of the method that called it. */
static uint32_t find_method(const af_profile *profile, const af_tree *tree, uint32_t end)
{
    uint32_t n = end;
    while (n > 0 && profile->labels[tree->label[n]].class_length == 0) {
        n = tree->parent[n];
    }
    return n > 0 && tree->reason[n] != AF_WAITS_OTHER ? n : end;
}

static void add_snapshot(sums *s, const af_profile *profile, const af_tree *tree,
                         const uint32_t *waiters)
{
    for (uint32_t n = 1; n < tree->n; n++) {
        const char *text = profile->labels[tree->label[n]].text;
        const uint32_t parent = tree->parent[n];
        const gboolean is_state = text[0] == '[' && parent > 0;
        const uint32_t method = find_method(profile, tree, is_state ? parent : n);
        const unsigned kind = find_reason(is_state ? text : "", tree->reason[method]);
        if (kind < AF_WAITS_ALL) {
            add(s, tree->label[waiters[method]], kind, tree->self[AF_WALL][n]);
        }
    }
}

static gboolean add_up(sums *s, const af_scope *scope)
{
    const af_profile *profile = scope->profile;
    s->wait_ns = g_try_new0(uint64_t, ((gsize)profile->n_labels + 1) * AF_WAITS_ALL);
    gboolean ok = s->wait_ns != NULL;
    for (uint32_t i = 0; ok && i < scope->n_threads; i++) {
        const af_tree *tree = profile->threads[scope->threads[i]].tree;
        g_autofree uint32_t *waiters = find_waiters(tree);
        ok = waiters != NULL;
        if (ok && is_snapshot(profile)) {
            add_snapshot(s, profile, tree, waiters);
        } else if (ok) {
            add_thread(s, tree, waiters);
        }
    }
    return ok;
}

enum { METHOD, KIND, WAIT, SHARE, COLUMNS };

static void add_columns(af_table *table, const af_scope *scope)
{
    static const af_column columns[COLUMNS] = {
        [METHOD] = {.id = "name", .title = "method", .kind = AF_CELL_TEXT},
        [KIND] = {"waits_for", "in", "waiting for",
                  "cause of the waiting; processor: runnable, but none was free (if the "
                  "input records it); other: the method itself waited for a monitor, "
                  "memory or a processor",
                  .kind = AF_CELL_TEXT},
        [WAIT] = {"self_wait_ns", "self-wait", "waiting",
                  "wall minus CPU time, in the method and in its calls that wait", AF_CELL_TIME,
                  .clock = AF_WAIT},
        [SHARE] = {"self_wait_percent", "wait-percent", "%", "of all waiting", AF_CELL_SHARE,
                   .clock = AF_WAIT},
    };
    for (unsigned i = 0; i < COLUMNS; i++) {
        af_column column = columns[i];
        if (i >= WAIT && is_snapshot(scope->profile)) {
            column.clock = AF_WALL;
            column.id = i == WAIT ? scope->self_id : "self_percent";
            column.word = i == WAIT ? "self" : "self-percent";
            column.title = i == WAIT ? scope->unit->name : column.title;
            column.about = i == WAIT ? "stacks that end in this method" : column.about;
            column.kind = i == WAIT ? AF_CELL_AMOUNT : column.kind;
            column.unit = i == WAIT ? scope->unit : NULL;
        }
        af_table_add_column(table, &column);
    }
}

/* Limits all sums to 0. Returns how many are left. */
static uint32_t finish_sums(sums *s, const af_profile *profile)
{
    const size_t n = (size_t)profile->n_labels * AF_WAITS_ALL;
    const af_clock clock = is_snapshot(profile) ? AF_WALL : AF_WAIT;
    uint32_t rows = 0;
    s->total_ns = af_time_of_sum(s->total_ns, clock);
    for (size_t i = 0; i < n; i++) {
        s->wait_ns[i] = af_time_of_sum(s->wait_ns[i], clock);
        rows += s->wait_ns[i] > 0;
    }
    return rows;
}

static af_table *make_waits(const af_report_request *request)
{
    sums s = {NULL, 0};
    const af_profile *profile = request->scope.profile;
    af_table *table = af_table_new("waits", "what methods waited for");
    add_columns(table, &request->scope);
    table->last_column = KIND; /* waiting for work keeps nobody waiting */
    table->last_text = af_waits_title(AF_WAITS_IDLE);
    if (add_up(&s, &request->scope) && af_table_reserve(table, finish_sums(&s, profile))) {
        table->whole_ns[is_snapshot(profile) ? AF_WALL : AF_WAIT] = s.total_ns;
        const size_t n = (size_t)request->scope.profile->n_labels * AF_WAITS_ALL;
        for (size_t i = 0; i < n; i++) {
            const af_label *label = &request->scope.profile->labels[i / AF_WAITS_ALL];
            if (s.wait_ns[i] > 0) {
                af_cell *row = af_table_add_row(table);
                row[METHOD].text = af_arena_copy(request->arena, label->text, label->length);
                row[KIND].text = af_waits_title((af_waits)(i % AF_WAITS_ALL));
                row[WAIT].number = row[SHARE].number = s.wait_ns[i];
            }
        }
    } else {
        af_table_free(table);
        table = NULL;
    }
    g_free(s.wait_ns);
    return table;
}

static gboolean can_tell(const af_scope *scope)
{
    return is_snapshot(scope->profile);
}

const af_table_kind af_table_kind_waits = {
    .name = "waits", .make = make_waits, .needs_wait = TRUE, .without_wait = can_tell};
