#include "read/gecko/gecko_tables.h"

#include <string.h>

#include "read/jsonfile.h"
#include "read/slices.h"

gboolean af_gecko_is(const af_pull_value *value, af_pull_kind kind)
{
    return value->text.bytes != NULL && value->kind == kind;
}

static void init_tables(af_gecko_table tables[AF_GECKO_TABLES], af_meter *meter)
{
    static const size_t sizes[AF_GECKO_TABLES] = {sizeof(af_pull_value), sizeof(af_gecko_stack),
                                                  sizeof(int64_t), sizeof(int64_t),
                                                  sizeof(int64_t)};
    for (unsigned i = 0; i < AF_GECKO_TABLES; i++) {
        tables[i].parsed = FALSE;
        af_array_init_metered(&tables[i].items, sizes[i], meter);
        af_array_init_metered(&tables[i].others, sizeof(int64_t), meter);
    }
}

static void clear_tables(af_gecko_table tables[AF_GECKO_TABLES])
{
    for (unsigned i = 0; i < AF_GECKO_TABLES; i++) {
        AF_ARRAYS_CLEAR(&tables[i].items, &tables[i].others);
    }
}

void af_gecko_tables_init(af_gecko_tables *t, af_sink *sink)
{
    af_meter *const meter = af_sink_meter(sink);
    t->sink = sink;
    t->methods = &t->own_methods;
    init_tables(t->own, meter);
    for (unsigned i = 0; i < AF_GECKO_TABLES; i++) {
        t->tables[i] = &t->own[i];
    }
    af_array_init_metered(&t->own_methods, sizeof(uint32_t), meter);
    af_array_init_metered(&t->sample_stacks, sizeof(int64_t), meter);
    af_array_init_metered(&t->times, sizeof(int64_t), meter);
    af_array_init_metered(&t->weights, sizeof(int64_t), meter);
}

void af_gecko_tables_clear(af_gecko_tables *t)
{
    clear_tables(t->own);
    AF_ARRAYS_CLEAR(&t->own_methods, &t->sample_stacks, &t->times, &t->weights);
}

static int64_t read_index(const af_pull_value *value)
{
    int64_t number;
    return value->kind == AF_PULL_NUMBER && af_pull_whole(value->text, &number) ? number
                                                                                : AF_GECKO_NONE;
}

/* A time in ms as ns, or a weight in millionths. */
static int64_t read_decimal(const af_pull_value *value)
{
    int64_t number;
    return value->kind == AF_PULL_NUMBER && af_pull_scaled(value->text, 6, &number) &&
                   number <= AF_SLICES_MOST_NS && number >= -AF_SLICES_MOST_NS
               ? number
               : AF_GECKO_NONE;
}

static void take_column(const af_sink *sink, const af_pull_value *column, gboolean decimal,
                        af_array *to)
{
    if (!af_gecko_is(column, AF_PULL_ARRAY)) {
        return;
    }
    af_pull json = af_pull_into(column->text);
    af_pull_value value;
    while (af_pull_item(&json, &value) && !af_sink_is_stopped(sink)) {
        af_array_append(to, &(int64_t){decimal ? read_decimal(&value) : read_index(&value)});
    }
}

int64_t af_gecko_number_at(const af_array *column, int64_t index)
{
    return index >= 0 && (uint64_t)index < column->n ? AF_ARRAY_AT(column, int64_t, (size_t)index)
                                                     : AF_GECKO_NONE;
}

static void take_strings(const af_pull_value *list, af_array *to)
{
    if (!af_gecko_is(list, AF_PULL_ARRAY)) {
        return;
    }
    af_pull json = af_pull_into(list->text);
    af_pull_value value;
    while (af_pull_item(&json, &value)) {
        af_array_append(to, &value);
    }
}

af_span af_gecko_text_at(const af_array *strings, int64_t index, GString *buffer)
{
    const af_span none = {"", 0};
    if (index < 0 || (uint64_t)index >= strings->n) {
        return none;
    }
    const af_pull_value *value = af_array_at(strings, (size_t)index);
    return value->kind == AF_PULL_STRING ? af_pull_text(value, buffer) : none;
}

/* ---- tables of a Gecko profile ---- */

#define MOST_COLUMNS 3

/* Reads columns of {"schema": {NAME: INDEX}, "data": [[...], ...]}. */
static void take_rows(af_gecko_tables *t, const af_pull_value *table, const char *const names[],
                      af_array *const to[], const gboolean decimal[], unsigned n)
{
    static const char *const keys[] = {"schema", "data"};
    af_pull_value parts[2], indices[MOST_COLUMNS], row;
    int64_t index[MOST_COLUMNS];
    af_json_find_members(table->text, keys, parts, 2);
    af_json_find_members(parts[0].text, names, indices, n);
    for (unsigned c = 0; c < n; c++) {
        index[c] = read_index(&indices[c]);
    }
    if (!af_gecko_is(&parts[1], AF_PULL_ARRAY)) {
        return;
    }
    af_pull json = af_pull_into(parts[1].text);
    while (af_pull_item(&json, &row) && !af_sink_is_stopped(t->sink)) {
        int64_t numbers[MOST_COLUMNS] = {AF_GECKO_NONE, AF_GECKO_NONE, AF_GECKO_NONE};
        if (row.kind == AF_PULL_ARRAY) {
            af_pull items = af_pull_into(row.text);
            af_pull_value item;
            for (int64_t i = 0; af_pull_item(&items, &item); i++) {
                for (unsigned c = 0; c < n; c++) {
                    if (i == index[c]) {
                        numbers[c] = decimal[c] ? read_decimal(&item) : read_index(&item);
                    }
                }
            }
        }
        for (unsigned c = 0; c < n; c++) {
            af_array_append(to[c], &numbers[c]);
        }
    }
}

/* Joins two columns to stacks. With `offsets`, a prefix is the distance to it, 0 = none. */
static void join_stacks(const af_array *prefixes, const af_array *frames, gboolean offsets,
                        af_array *to)
{
    for (size_t i = 0; i < frames->n; i++) {
        int64_t prefix = af_gecko_number_at(prefixes, (int64_t)i);
        af_gecko_stack *added = af_array_add(to, 1);
        if (added == NULL) {
            return;
        }
        if (offsets) {
            prefix = prefix <= 0 || prefix > (int64_t)i ? AF_GECKO_NONE : (int64_t)i - prefix;
        }
        *added = (af_gecko_stack){.prefix = prefix, .frame = AF_ARRAY_AT(frames, int64_t, i)};
    }
}

void af_gecko_tables_take(af_gecko_tables *t, af_span thread)
{
    enum { SAMPLES, STACKS, FRAMES, STRINGS };
    static const char *const keys[] = {"samples", "stackTable", "frameTable", "stringTable"};
    static const char *const of_samples[] = {"stack", "time"};
    static const char *const of_stacks[] = {"prefix", "frame"};
    static const char *const of_frames[] = {"location"};
    static const gboolean second[] = {FALSE, TRUE}, none[] = {FALSE, FALSE};
    af_pull_value values[G_N_ELEMENTS(keys)];
    af_meter *const meter = af_sink_meter(t->sink);
    af_array prefixes, frames;
    af_json_find_members(thread, keys, values, G_N_ELEMENTS(keys));
    af_array_init_metered(&prefixes, sizeof(int64_t), meter);
    af_array_init_metered(&frames, sizeof(int64_t), meter);
    take_rows(t, &values[SAMPLES], of_samples, (af_array *[]){&t->sample_stacks, &t->times}, second,
              2);
    take_rows(t, &values[STACKS], of_stacks, (af_array *[]){&prefixes, &frames}, none, 2);
    take_rows(t, &values[FRAMES], of_frames, (af_array *[]){&t->own[AF_GECKO_FRAMES].items}, none,
              1);
    take_strings(&values[STRINGS], &t->own[AF_GECKO_STRINGS].items);
    join_stacks(&prefixes, &frames, FALSE, &t->own[AF_GECKO_STACKS].items);
    af_array_clear(&prefixes);
    af_array_clear(&frames);
}

/* ---- tables of a processed profile ---- */

static const char *const shared_tables[AF_GECKO_TABLES] = {
    [AF_GECKO_STRINGS] = "stringArray",     [AF_GECKO_STACKS] = "stackTable",
    [AF_GECKO_FRAMES] = "frameTable",       [AF_GECKO_FUNCTIONS] = "funcTable",
    [AF_GECKO_RESOURCES] = "resourceTable",
};

void af_gecko_shared_init(af_gecko_shared *shared, af_sink *sink, af_span object)
{
    init_tables(shared->tables, af_sink_meter(sink));
    af_array_init_metered(&shared->methods, sizeof(uint32_t), af_sink_meter(sink));
    af_json_find_members(object, shared_tables, shared->values, AF_GECKO_TABLES);
}

void af_gecko_shared_clear(af_gecko_shared *shared)
{
    clear_tables(shared->tables);
    af_array_clear(&shared->methods);
}

static void take_stack_columns(af_sink *sink, af_span table, af_array *to)
{
    enum { FRAME, PREFIX, OFFSET };
    static const char *const keys[] = {"frame", "prefix", "prefixOffset"};
    af_pull_value lists[G_N_ELEMENTS(keys)];
    af_array prefixes, frames;
    af_json_find_members(table, keys, lists, G_N_ELEMENTS(keys));
    af_array_init_metered(&prefixes, sizeof(int64_t), af_sink_meter(sink));
    af_array_init_metered(&frames, sizeof(int64_t), af_sink_meter(sink));
    const gboolean offsets = lists[PREFIX].text.bytes == NULL;
    take_column(sink, &lists[offsets ? OFFSET : PREFIX], FALSE, &prefixes);
    take_column(sink, &lists[FRAME], FALSE, &frames);
    join_stacks(&prefixes, &frames, offsets, to);
    af_array_clear(&prefixes);
    af_array_clear(&frames);
}

static void parse_table(af_sink *sink, unsigned number, const af_pull_value *value,
                        af_gecko_table *table)
{
    static const char *const columns[AF_GECKO_TABLES][2] = {
        [AF_GECKO_FRAMES] = {"func", ""},
        [AF_GECKO_FUNCTIONS] = {"name", "resource"},
        [AF_GECKO_RESOURCES] = {"name", ""}};
    table->parsed = TRUE;
    if (number == AF_GECKO_STRINGS) {
        take_strings(value, &table->items);
    } else if (number == AF_GECKO_STACKS) {
        take_stack_columns(sink, value->text, &table->items);
    } else {
        af_pull_value lists[2];
        af_json_find_members(value->text, columns[number], lists, 2);
        take_column(sink, &lists[0], FALSE, &table->items);
        take_column(sink, &lists[1], FALSE, &table->others);
    }
}

void af_gecko_tables_take_processed(af_gecko_tables *t, af_span thread, af_gecko_shared *shared)
{
    static const unsigned names =
        1u << AF_GECKO_STRINGS | 1u << AF_GECKO_FUNCTIONS | 1u << AF_GECKO_RESOURCES;
    af_pull_value own[AF_GECKO_TABLES];
    unsigned owned = 0;
    af_json_find_members(thread, shared_tables, own, AF_GECKO_TABLES);
    if (own[AF_GECKO_STRINGS].text.bytes == NULL &&
        shared->values[AF_GECKO_STRINGS].text.bytes == NULL) {
        /* before version 38 */
        af_json_find_member(thread, "stringTable", &own[AF_GECKO_STRINGS]);
    }
    for (unsigned i = 0; i < AF_GECKO_TABLES; i++) {
        if (own[i].text.bytes != NULL) {
            owned |= 1u << i;
            parse_table(t->sink, i, &own[i], &t->own[i]);
        } else if (shared->values[i].text.bytes != NULL) {
            if (!shared->tables[i].parsed) {
                parse_table(t->sink, i, &shared->values[i], &shared->tables[i]);
            }
            t->tables[i] = &shared->tables[i];
        }
    }
    /* the methods of shared frames, if all threads agree on their names */
    if (t->tables[AF_GECKO_FRAMES] != &t->own[AF_GECKO_FRAMES] && (owned & names) == 0) {
        t->methods = &shared->methods;
    }
}

/* Returns the unit of the weights. */
af_gecko_unit af_gecko_tables_take_samples(af_gecko_tables *t, af_span thread)
{
    enum { STACK, TIME, DELTA, WEIGHT, TYPE };
    static const char *const keys[] = {"stack", "time", "timeDeltas", "weight", "weightType"};
    af_pull_value lists[G_N_ELEMENTS(keys)];
    af_pull_value samples;
    af_json_find_member(thread, "samples", &samples);
    af_json_find_members(samples.text, keys, lists, G_N_ELEMENTS(keys));
    take_column(t->sink, &lists[STACK], FALSE, &t->sample_stacks);
    take_column(t->sink, &lists[TIME], TRUE, &t->times);
    take_column(t->sink, &lists[WEIGHT], TRUE, &t->weights);
    if (t->times.n == 0) {
        int64_t now = 0;
        take_column(t->sink, &lists[DELTA], TRUE, &t->times);
        for (size_t i = 0; i < t->times.n; i++) {
            int64_t *time = &AF_ARRAY_AT(&t->times, int64_t, i);
            const int64_t next = *time == AF_GECKO_NONE ? now : now + *time;
            now = next > AF_SLICES_MOST_NS || next < -AF_SLICES_MOST_NS ? now : next;
            *time = now;
        }
    }
    return !af_gecko_is(&lists[WEIGHT], AF_PULL_ARRAY)  ? AF_GECKO_UNIT_SAMPLES
           : af_span_is(lists[TYPE].text, "tracing-ms") ? AF_GECKO_UNIT_TIME
           : af_span_is(lists[TYPE].text, "bytes")      ? AF_GECKO_UNIT_BYTES
                                                        : AF_GECKO_UNIT_SAMPLES;
}
