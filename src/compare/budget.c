#include "compare/budget.h"

#include <string.h>

#include <aflame/error.h>
#include "base/number.h"
#include "base/wide.h"
#include "model/pattern.h"
#include "model/run_sums.h"
#include "model/waits.h"

static const char *const keys[] = {"thread",   "method",   "waits", "measure", "limit",
                                   "increase", "optional", "runs",  NULL};

static const char *const measures[] = {"self", "inclusive", "wait", "calls",
                                       "mean", "max",       "p95",  NULL};

static const struct {
    const char *word;
    af_waits kind;
} causes[] = {
    {"idle", AF_WAITS_IDLE},   {"monitor", AF_WAITS_MONITOR},    {"lock", AF_WAITS_LOCK},
    {"sleep", AF_WAITS_SLEEP}, {"binder", AF_WAITS_BINDER},      {"network", AF_WAITS_NETWORK},
    {"files", AF_WAITS_FILE},  {"drawing", AF_WAITS_DRAWING},    {"gc", AF_WAITS_GC},
    {"other", AF_WAITS_OTHER}, {"processor", AF_WAITS_RUNNABLE},
};

/* The position of the parser in the file. */
typedef struct {
    af_budget *budget;
    const char *group;
    GError **error;
} reading;

static G_GNUC_PRINTF(3, 4) gboolean
    refuse(const reading *r, const char *key, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    g_autofree char *text = g_strdup_vprintf(format, list);
    va_end(list);
    g_set_error(r->error, AF_ERROR, AF_ERROR_USAGE, "[%s] %s%s%s", r->group, key != NULL ? key : "",
                key != NULL ? ": " : "", text);
    return FALSE;
}

/* "80 ms", or "14". */
static gboolean read_amount(const char *text, af_budget_amount *amount)
{
    char *packed = g_strdup(text), *to = packed;
    int64_t time_ns = 0;
    guint64 count = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (!g_ascii_isspace(*c)) {
            *to++ = *c;
        }
    }
    *to = '\0';
    gboolean ok = TRUE;
    if (g_ascii_string_to_unsigned(packed, 10, 0, G_MAXINT64, &count, NULL)) {
        *amount = (af_budget_amount){count, count == 0 ? AF_BUDGET_ANY : AF_BUDGET_COUNT};
    } else if (af_time_parse(packed, &time_ns, NULL) && time_ns >= 0) {
        *amount = (af_budget_amount){(uint64_t)time_ns, AF_BUDGET_TIME};
    } else {
        ok = FALSE;
    }
    g_free(packed);
    return ok;
}

/* "5 %" as hundredths. */
static gboolean read_percent(const char *text, unsigned *percent_c)
{
    char *end;
    const double value = g_ascii_strtod(text, &end);
    while (g_ascii_isspace(*end)) {
        end++;
    }
    if (end == text || strcmp(end, "%") != 0 || value < 0 || value > 100000) {
        return FALSE;
    }
    *percent_c = (unsigned)(value * 100 + 0.5);
    return TRUE;
}

static gboolean read_increase(const reading *r, af_budget_entry *e, const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    gboolean ok = parts[0] != NULL;
    for (char **part = parts; ok && *part != NULL; part++) {
        const char *it = g_strstrip(*part);
        it += g_str_has_prefix(it, "at least ") ? strlen("at least ") : 0;
        ok = read_percent(it, &e->increase_c) || read_amount(it, &e->increase_least);
    }
    e->has_increase = TRUE;
    return ok || refuse(r, "increase", "takes \"5 %%, at least 2 ms\", not \"%s\"", text);
}

static int find_word(const char *const *words, const char *word)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) {
            return i;
        }
    }
    return -1;
}

/* With `waits`, which may come before or after it, the measure can only be "wait". */
static gboolean read_measure(const reading *r, af_budget_entry *e, const char *text)
{
    if (g_key_file_has_key(r->budget->file, r->group, "waits", NULL)) {
        return strcmp(text, measures[AF_MEASURE_WAIT]) == 0 ||
               refuse(r, "measure", "must be wait or left out if waits is given, not \"%s\"", text);
    }
    static const char *const clocks[] = {"wall", "cpu", NULL};
    g_auto(GStrv) words = g_strsplit_set(text, " \t", 2);
    const int measure = words[0] != NULL ? find_word(measures, words[0]) : -1;
    const int clock = words[0] != NULL && words[1] != NULL ? find_word(clocks, words[1]) : -1;
    const gboolean ok = measure >= 0 && (words[1] == NULL || clock >= 0);
    if (ok) {
        e->measure = (af_measure)measure;
        e->clock = measure == AF_MEASURE_WAIT ? AF_WAIT
                   : clock >= 0               ? (af_clock)clock
                                              : AF_CLOCK_DEFAULT;
    }
    return ok || refuse(r, "measure",
                        "takes self, inclusive, wait, calls, mean, max or p95, the times also with "
                        "wall or cpu, not \"%s\"",
                        text);
}

static gboolean read_waits(const reading *r, af_budget_entry *e, const char *text)
{
    e->waits = g_strsplit(text, ",", -1);
    for (char **word = e->waits; *word != NULL; word++) {
        unsigned i = 0;
        g_strstrip(*word);
        while (i < G_N_ELEMENTS(causes) && strcmp(causes[i].word, *word) != 0) {
            i++;
        }
        if (i == G_N_ELEMENTS(causes)) {
            return refuse(r, "waits",
                          "takes messages, monitor, lock, sleep, binder, network, files, drawing, "
                          "gc, processor and other, not \"%s\"",
                          *word);
        }
        e->causes |= 1u << causes[i].kind;
    }
    e->measure = AF_MEASURE_WAITS;
    e->clock = AF_WAIT;
    return e->causes != 0 || refuse(r, "waits", "names no cause");
}

static gboolean read_method(const reading *r, af_budget_entry *e, const char *value)
{
    g_autoptr(GError) why = NULL;
    g_autoptr(af_pattern) pattern = af_pattern_new(value, &why);
    if (pattern == NULL) {
        refuse(r, "method", "%s", why->message);
        return FALSE;
    }
    g_free(e->method);
    e->method = g_strdup(value);
    return TRUE;
}

static gboolean read_runs(const reading *r, af_budget_entry *e, const char *value)
{
    guint64 n = 0;
    if (!g_ascii_string_to_unsigned(value, 10, 1, AF_RUNS_MAX, &n, NULL)) {
        return refuse(r, "runs", "takes a number from 1 to %u, not \"%s\"", AF_RUNS_MAX, value);
    }
    e->least_runs = (unsigned)n;
    return TRUE;
}

static gboolean read_key(const reading *r, af_budget_entry *e, const char *key, const char *value)
{
    switch (find_word(keys, key)) {
    case 0:
        g_free(e->thread);
        e->thread = g_strdup(value);
        return TRUE;
    case 1:
        return read_method(r, e, value);
    case 2:
        return read_waits(r, e, value);
    case 3:
        return read_measure(r, e, value);
    case 4:
        e->has_limit = TRUE;
        return read_amount(value, &e->limit) ||
               refuse(r, key, "takes a time such as 80 ms, or a number, not \"%s\"", value);
    case 5:
        return read_increase(r, e, value);
    case 6:
        e->optional = strcmp(value, "true") == 0;
        return e->optional || strcmp(value, "false") == 0 ||
               refuse(r, key, "takes true or false, not \"%s\"", value);
    case 7:
        return read_runs(r, e, value);
    default:
        break;
    }
    return refuse(r, NULL,
                  "unknown key \"%s\"; the keys are thread, method, waits, measure, limit, "
                  "increase, runs and optional",
                  key);
}

static gboolean read_group(const reading *r)
{
    af_budget_entry e = {.name = r->group,
                         .measure = AF_MEASURE_INCLUSIVE,
                         .clock = AF_CLOCK_DEFAULT,
                         .least_runs = AF_DIFF_LEAST_RUNS};
    g_auto(GStrv) names = g_key_file_get_keys(r->budget->file, r->group, NULL, NULL);
    gboolean ok = TRUE;
    for (char **key = names; ok && key != NULL && *key != NULL; key++) {
        g_autofree char *value = g_key_file_get_string(r->budget->file, r->group, *key, NULL);
        ok = value != NULL ? read_key(r, &e, *key, g_strstrip(value))
                           : refuse(r, *key, "has an invalid value");
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        af_array_init(&e.values[s], sizeof(uint64_t));
    }
    g_array_append_val(r->budget->entries, e);
    if (ok && e.method == NULL && e.waits == NULL) {
        ok = refuse(r, NULL, "needs method or waits");
    }
    if (ok && !e.has_limit && !e.has_increase) {
        ok = refuse(r, NULL, "needs limit or increase");
    }
    const gboolean timed =
        e.limit.kind == AF_BUDGET_TIME || e.increase_least.kind == AF_BUDGET_TIME;
    if (ok && e.measure == AF_MEASURE_CALLS && timed) {
        ok = refuse(r, e.limit.kind == AF_BUDGET_TIME ? "limit" : "increase",
                    "takes a number of calls, not a time");
    }
    return ok;
}

void af_budget_free(af_budget *budget)
{
    if (budget == NULL) {
        return;
    }
    for (guint i = 0; i < budget->entries->len; i++) {
        af_budget_entry *e = &g_array_index(budget->entries, af_budget_entry, i);
        g_strfreev(e->waits);
        g_free(e->thread);
        g_free(e->method);
        af_array_clear(&e->values[AF_BEFORE]);
        af_array_clear(&e->values[AF_AFTER]);
    }
    g_array_unref(budget->entries);
    g_strfreev(budget->groups);
    g_key_file_unref(budget->file);
    g_free(budget->unit_name);
    g_free(budget);
}

/* GKeyFile merges groups of the same name, so that one of their limits would be ignored. */
static gboolean repeats_name(const char *text, GError **error)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    gboolean repeats = FALSE;
    for (char **line = lines; !repeats && *line != NULL; line++) {
        g_strstrip(*line);
        repeats = (*line)[0] == '[' && !g_hash_table_add(names, *line);
        if (repeats) {
            g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                        "%s occurs twice; each budget needs a name of its own", *line);
        }
    }
    return repeats;
}

af_budget *af_budget_new(const char *text, GError **error)
{
    af_budget *budget = g_new0(af_budget, 1);
    GError *why = NULL;
    gsize n = 0;
    budget->file = g_key_file_new();
    budget->entries = g_array_new(FALSE, FALSE, sizeof(af_budget_entry));
    gboolean ok =
        g_key_file_load_from_data(budget->file, text, strlen(text), G_KEY_FILE_KEEP_COMMENTS, &why);
    if (!ok) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "not a valid budget file: %s", why->message);
        g_clear_error(&why);
    }
    ok = ok && !repeats_name(text, error);
    budget->groups = g_key_file_get_groups(budget->file, &n);
    if (ok && n == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "contains no budget; begin one with a line [NAME]");
        ok = FALSE;
    }
    for (gsize i = 0; ok && i < n; i++) {
        const reading r = {budget, budget->groups[i], error};
        ok = read_group(&r);
    }
    if (!ok) {
        g_clear_pointer(&budget, af_budget_free);
    }
    return budget;
}

gboolean af_budget_counts(const af_budget *budget, const af_budget_entry *entry)
{
    return entry->measure == AF_MEASURE_CALLS || budget->unit.counted;
}

const char *af_budget_describe(const af_budget_entry *entry)
{
    static const char *const clocks[] = {" wall", " CPU", ""};
    g_autofree char *text = NULL;
    if (entry->waits != NULL) {
        g_autofree char *list = g_strjoinv(", ", entry->waits);
        text = g_strdup_printf("waiting for %s", list);
    } else {
        const gboolean named = entry->clock == AF_WALL || entry->clock == AF_CPU;
        const gboolean waiting = entry->measure == AF_MEASURE_WAIT;
        text = g_strconcat(waiting ? "waiting" : measures[entry->measure],
                           named ? clocks[entry->clock] : "", NULL);
    }
    return g_intern_string(text);
}

/* Rounded up to three digits, so that the file stays readable. */
static uint64_t round_up(uint64_t value)
{
    uint64_t unit = 1;
    while (value / unit >= 1000) {
        unit *= 10;
    }
    return (value + unit - 1) / unit * unit;
}

char *af_budget_updated(const af_budget *budget, unsigned margin_c)
{
    for (guint i = 0; i < budget->entries->len; i++) {
        const af_budget_entry *e = &g_array_index(budget->entries, af_budget_entry, i);
        if (!e->has_limit || !e->found[AF_AFTER]) {
            continue;
        }
        const af_u128 wide =
            (af_u128)af_budget_median(e, AF_AFTER) * (10000 + (af_u128)margin_c) + 9999;
        const uint64_t value = round_up((uint64_t)(wide / 10000));
        char text[AF_NUMBER_SIZE];
        if (af_budget_counts(budget, e)) {
            g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, value);
        } else {
            af_number_typed(text, value);
        }
        g_key_file_set_value(budget->file, e->name, "limit", text);
    }
    return g_key_file_to_data(budget->file, NULL, NULL);
}
