#include "report/report.h"

#include <string.h>
#include "base/nearest.h"
#include "base/memory_error.h"
#include "base/number.h"
#include "model/select.h"
#include "report/format.h"

static void free_table(gpointer table)
{
    af_table_free(table);
}

void af_report_free(af_report *report)
{
    if (report != NULL) {
        if (report->free_own != NULL) {
            report->free_own(report->own);
        }
        g_ptr_array_unref(report->tables);
        af_arena_free(report->arena);
        g_free(report->input);
        g_free(report->part);
        g_clear_pointer(&report->picture, g_bytes_unref);
        g_strfreev(report->findings);
        g_clear_pointer(&report->profile, g_bytes_unref);
        g_free(report->steps);
        g_free(report);
    }
}

static void add_word(GPtrArray *words, char *word)
{
    for (unsigned i = 0; i < words->len; i++) {
        if (strcmp(words->pdata[i], word) == 0) {
            g_free(word);
            return;
        }
    }
    g_ptr_array_add(words, word);
}

/* The values of --sort: "self", "inclusive", ... mean the first clock. */
static GPtrArray *list_words(const af_table *table)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    for (unsigned c = 0; c < table->columns->len; c++) {
        const af_column *column = af_table_column(table, c);
        const char *word = column->word, *dash = strrchr(word, '-');
        if (column->kind == AF_CELL_SHARE) {
            continue; /* the same order as the times */
        }
        const gboolean clocked =
            dash != NULL &&
            (strcmp(dash, "-cpu") == 0 || strcmp(dash, "-wall") == 0 || strcmp(dash, "-wait") == 0);
        add_word(words, clocked ? g_strndup(word, (gsize)(dash - word)) : g_strdup(word));
    }
    g_ptr_array_add(words, NULL);
    return words;
}

void af_report_refuse_sort(const af_table *table, const char *typed, GError **error)
{
    g_autoptr(GPtrArray) words = list_words(table);
    const char *nearest = af_word_nearest(typed, (const char *const *)(void *)words->pdata);
    g_autofree char *list = g_strjoinv(", ", (char **)words->pdata);
    if (nearest != NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown column \"%s\"; did you mean %s?",
                    typed, nearest);
    } else {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown column \"%s\"; choose one of %s",
                    typed, list);
    }
}

/* A table that lacks the column keeps its own order, but at least one must have it. */
static gboolean sort_tables(const GPtrArray *tables, const char *typed, GError **error)
{
    typed = g_strcmp0(typed, "time") == 0 ? NULL : typed; /* in the order of siblings in pictures */
    gboolean known = typed == NULL;
    for (unsigned i = 0; i < tables->len; i++) {
        af_table *table = tables->pdata[i];
        if (table->order == AF_ROWS_NESTED) {
            continue;
        }
        int column = typed != NULL ? af_table_find_word(table, typed) : -1;
        known = known || column >= 0;
        const int inclusive = af_table_find_word(table, "inclusive");
        const int self = af_table_find_word(table, "self");
        column = column >= 0 ? column : self >= 0 ? self : inclusive;
        const int next = inclusive >= 0 ? inclusive : self;
        if (column >= 0 && !af_table_sort(table, (unsigned)column, next)) {
            return af_memory_error_set(error);
        }
    }
    if (!known) {
        af_report_refuse_sort(tables->pdata[0], typed, error);
    }
    return known;
}

static gboolean check_wait(const af_scope *scope, GError **error)
{
    af_clock clock;
    if (!af_select_clock(scope->profile, AF_WAIT, &clock, error)) {
        return FALSE;
    }
    if (scope->n_threads > 0 && af_scope_n_without(scope, AF_WAIT) == scope->n_threads) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "waiting needs both clocks; no thread has both");
        return FALSE;
    }
    return TRUE;
}

static gboolean can_wait(const af_table_kind *kind, const af_scope *scope)
{
    return !kind->needs_wait || (kind->without_wait != NULL && kind->without_wait(scope));
}

static gboolean add_table(af_report *report, const af_report_request *request, const char *name,
                          GError **error)
{
    const af_table_kind *kind = af_table_kind_lookup(name);
    if (kind == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown table \"%s\"", name);
        return FALSE;
    }
    if (!can_wait(kind, &request->scope) && !check_wait(&request->scope, error)) {
        return FALSE;
    }
    af_table *table =
        kind->groups != NULL ? af_table_of_groups(request, kind) : kind->make(request);
    if (table == NULL) {
        return af_memory_error_set(error);
    }
    g_ptr_array_add(report->tables, table);
    return TRUE;
}

/* All tables except trees. */
static gboolean add_everything(af_report *report, const af_report_request *request, GError **error)
{
    const af_table_kind *kind;
    const gboolean has_wait = af_scope_has(&request->scope, AF_WAIT);
    gboolean ok = TRUE;
    for (unsigned i = 0; ok && (kind = af_table_kind_at(i)) != NULL; i++) {
        const gboolean left_out = kind->is_tree || (!has_wait && !can_wait(kind, &request->scope));
        ok = left_out || add_table(report, request, kind->name, error);
    }
    return ok && af_callers_callees_add_all(request, report->tables, error);
}

static gboolean add_tables(af_report *report, const af_report_request *request, GError **error)
{
    const gboolean named = request->kinds != NULL && request->kinds[0] != NULL;
    gboolean ok = TRUE;
    for (unsigned i = 0; ok && named && request->kinds[i] != NULL; i++) {
        ok = add_table(report, request, request->kinds[i], error);
    }
    if (ok && request->methods != NULL && request->methods[0] != NULL) {
        ok = af_callers_callees_add(request, report->tables, error);
    } else if (ok && !named && report->format->complete) {
        ok = add_everything(report, request, error);
    } else if (ok && !named && report->format->overview && request->all_threads) {
        ok = af_overview_add(report, request, error);
    } else if (ok && !named) {
        ok = add_table(report, request, "methods", error);
    }
    ok = ok && sort_tables(report->tables, request->sort, error);
    for (unsigned i = 0; ok && i < report->tables->len; i++) {
        af_table *table = report->tables->pdata[i];
        if (table->order != AF_ROWS_NESTED) {
            af_table_limit(table, request->top);
        }
    }
    return ok;
}

void af_scope_times(const af_scope *scope, uint64_t whole_ns[AF_MEASURES])
{
    for (unsigned c = 0; c < AF_MEASURES; c++) {
        whole_ns[c] = af_scope_has(scope, (af_clock)c) ? af_scope_time_ns(scope, (af_clock)c) : 0;
    }
}

/* A report that is sorted by a clock shows the columns of that clock first. */
static int choose_first_clock(const char *sort)
{
    for (unsigned c = 0; sort != NULL && c < AF_MEASURES; c++) {
        g_autofree char *end = g_strconcat("-", af_clock_word((af_clock)c), NULL);
        g_autofree char *inner = g_strdup_printf("_%s_", af_clock_word((af_clock)c));
        const gboolean named = strcmp(sort, end + 1) == 0 || g_str_has_suffix(sort, end) ||
                               strstr(sort, inner) != NULL;
        if (named) {
            return (int)c;
        }
    }
    return AF_CLOCK_DEFAULT;
}

/* "self_cycles": letters, digits and underscores. */
static const char *make_id(af_arena *arena, const char *figure, const char *unit)
{
    g_autofree char *id = g_strdup_printf("%s_%s", figure, unit);
    for (char *c = id; *c != '\0'; c++) {
        *c = g_ascii_isalnum(*c) ? g_ascii_tolower(*c) : '_';
    }
    return af_arena_text(arena, id);
}

/* The unit outlives the profile. FALSE if out of memory. */
static gboolean take_unit(af_report *report, af_scope *scope)
{
    const af_unit *unit = &scope->profile->facts.weights.unit;
    if (unit->name != NULL) {
        report->unit = *unit;
        report->unit.name = af_arena_text(report->arena, unit->name);
        scope->unit = &report->unit;
        scope->self_id = make_id(report->arena, "self", unit->name);
        scope->inclusive_id = make_id(report->arena, "inclusive", unit->name);
    }
    return !af_arena_failed(report->arena);
}

/* The words outlive the profile. FALSE if out of memory. */
static gboolean take_thread_words(af_report *report, af_scope *scope)
{
    const char *word = scope->profile->facts.format.thread;
    scope->thread_word = "thread";
    scope->threads_word = "threads";
    if (word != NULL) {
        g_autofree char *words = g_strconcat(word, "s", NULL);
        scope->thread_word = af_arena_text(report->arena, word);
        scope->threads_word = af_arena_text(report->arena, words);
    }
    report->thread_word = scope->thread_word;
    report->threads_word = scope->threads_word;
    return !af_arena_failed(report->arena);
}

af_report *af_report_open(af_scope *scope, const af_report_format *format, GError **error)
{
    af_report *report = g_new0(af_report, 1);
    report->format = format;
    report->tables = g_ptr_array_new_with_free_func(free_table);
    report->arena = af_arena_new();
    report->n_clocks = af_scope_clocks(scope, report->clocks);
    report->n_threads = scope->n_threads;
    report->all_threads = scope->profile->n_threads;
    report->n_left_out = scope->n_left_out;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        report->n_without[c] =
            af_scope_has(scope, (af_clock)c) ? af_scope_n_without(scope, (af_clock)c) : 0;
    }
    report->sampled = af_content_is_sampled(scope->profile->facts.content);
    report->threadless = scope->profile->facts.threadless;
    report->part = g_strdup(scope->profile->facts.part.title);
    report->warnings = scope->profile->warnings;
    report->unrecorded_ns = scope->profile->facts.recording.unrecorded_ns;
    if (!take_unit(report, scope) || !take_thread_words(report, scope) ||
        !af_report_copy_steps(report, scope->profile)) {
        af_memory_error_set(error);
        af_report_free(report);
        return NULL;
    }
    af_scope_times(scope, report->time_ns);
    return report;
}

af_report *af_report_finish(af_report *report, gboolean ok, GError **error)
{
    if (ok && af_arena_failed(report->arena)) {
        ok = af_memory_error_set(error);
    }
    if (!ok) {
        g_clear_pointer(&report, af_report_free);
    }
    return report;
}

af_report *af_report_make(const af_report_request *wanted, const af_report_format *format,
                          GError **error)
{
    af_report_request request = *wanted;
    const af_scope *scope = &request.scope;
    request.scope.first = choose_first_clock(wanted->sort);
    if (scope->profile->callers_above) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "inverted call trees cannot be added up; use --tree up instead "
                            "of --invert-callers");
        return NULL;
    }
    af_report *report = af_report_open(&request.scope, format, error);
    if (report == NULL) {
        return NULL;
    }
    request.arena = report->arena;
    const gboolean ok = (format->alone || add_tables(report, &request, error)) &&
                        (af_arena_failed(report->arena) || format->gather == NULL ||
                         format->gather(report, &request, error));
    return af_report_finish(report, ok, error);
}

/* "; 2 of them have no CPU times", "; 2 without CPU times left out". */
static void append_without(GString *line, const af_report *report)
{
    static const char *const names[AF_CLOCKS] = {"wall", "CPU"};
    char text[AF_NUMBER_SIZE];
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        const uint32_t n = report->n_without[c];
        if (n > 0) {
            g_string_append_printf(line, "; %s of them ha%s no %s times", af_number_count(text, n),
                                   n == 1 ? "s" : "ve", names[c]);
        }
    }
    if (report->n_left_out > 0) {
        g_string_append_printf(line, "; %s without %s times left out",
                               af_number_count(text, report->n_left_out),
                               names[report->clocks[0] == AF_WALL ? AF_WALL : AF_CPU]);
    }
}

void af_report_append_times(GString *line, const af_report *report,
                            const uint64_t time_ns[AF_MEASURES], gboolean is_whole)
{
    char text[AF_NUMBER_SIZE];
    g_string_append(line, is_whole ? "100 % = " : "");
    for (unsigned c = 0; c < report->n_clocks; c++) {
        const gboolean clocked = report->unit.name == NULL;
        af_number_amount(text, time_ns[report->clocks[c]], &report->unit);
        g_string_append_printf(line, "%s%s%s%s", c > 0 ? ", " : "", text, clocked ? " " : "",
                               clocked ? af_clock_title(report->clocks[c]) : "");
    }
}

char *af_report_describe_scope(const af_report *report)
{
    char text[AF_NUMBER_SIZE], all[AF_NUMBER_SIZE];
    GString *line = g_string_new(report->part);
    g_string_append(line, report->part != NULL ? "; " : "");
    af_report_append_times(line, report, report->time_ns, !report->in_parts);
    af_number_count(text, report->n_threads);
    af_number_count(all, report->all_threads);
    const char *word = report->all_threads == 1 ? report->thread_word : report->threads_word;
    if (report->threadless) {
        return g_string_free(line, FALSE);
    }
    if (report->n_threads == report->all_threads) {
        g_string_append_printf(line, " of %s %s", text, word);
    } else {
        g_string_append_printf(line, " of %s of %s %s", text, all, word);
    }
    append_without(line, report);
    if (report->sampled) {
        g_string_append(line, "; samples, without call counts");
    }
    return g_string_free(line, FALSE);
}
