/* The Firefox Profiler's formats: JSON with tables for each thread. Samples refer to stacks, stacks
 * to their callers and frames, frames to functions or names.
 *
 * In a Gecko profile a table is a list of rows with a schema; samples have equal weight. In a
 * processed profile ("Firefox Profiler") a table is an object of columns, functions are apart from
 * frames, and samples may have weights: times, bytes or counts. From version 56 on, tables that all
 * threads share come first or last, so the input is read as a whole. Markers are not read.
 *
 * Verified with: aflame's own exports, the processed versions 55 and 60 of the Firefox Profiler. */
#include "read/reader.h"

#include <string.h>
#include <aflame/error.h>

#include "base/pull.h"
#include "base/wide.h"
#include "read/count_unit.h"
#include "read/frames.h"
#include "read/jsonfile.h"
#include "read/owners.h"

/* How much of an object is searched to detect the format. */
#define MOST_LOOK ((size_t)64 * 1024 * 1024)

/* A few bytes of samples can repeat the deepest stack: the frames of all samples are limited. */
#define FEWEST_FRAMES   (UINT64_C(1) << 26)
#define FRAMES_PER_BYTE 64u

/* Larger numbers are invalid. */
#define MOST (INT64_MAX / 8)

#define NONE INT64_MIN

/* A stack, once its depth is known. */
typedef struct {
    int64_t prefix, frame;
} stack;

/* Columns of a thread; each may be empty. Indices are numbers, null and missing values NONE. */
typedef struct {
    af_array stacks;                    /* of stack */
    af_array frame_names, functions;    /* of int64_t, by frame: string, function */
    af_array function_names, resources; /* by function: string, resource */
    af_array resource_names;            /* by resource: string */
    af_array methods;                   /* of uint32_t, by frame: method + 1, 0 = not known yet */
    af_array strings;                   /* of af_pull_value */
    af_array sample_stacks, times, weights;
} tables;

typedef enum { UNIT_NOT_KNOWN, UNIT_SAMPLES, UNIT_TIME, UNIT_BYTES } weight_unit;

typedef struct {
    af_sink *sink;
    af_owners *owners;
    af_frames frames;
    af_span text;
    const char *asked; /* as unit in af_open_options */
    gboolean processed;
    weight_unit unit; /* of the first samples */
    uint64_t scale, frames_left, n_others;
    gboolean only_all;
    unsigned n_threads;
    af_array shared;  /* of af_pull_value: the shared tables */
    af_array methods; /* of uint32_t: the stack of a sample */
    GString *buffer, *other_buffer;
} reading;

/* ---- members ---- */

/* Finds the values of keys of an object in one pass; missing ones have no bytes. A value that is
 * truncated with the text has the bytes that are there. */
static void find_members(af_span object, const char *const keys[], af_pull_value *values,
                         unsigned n)
{
    af_pull json = af_pull_over(object);
    af_pull_value key, value;
    memset(values, 0, n * sizeof *values);
    if (object.length == 0 || *object.bytes != '{') {
        return;
    }
    af_pull_enter(&json);
    while (af_pull_next_key(&json, &key) == AF_PULL_OK &&
           af_pull_look(&json, &value.kind) == AF_PULL_OK) {
        const af_pull_value rest = {value.kind, FALSE, {json.at, (size_t)(json.end - json.at)}};
        const af_pull_state state = af_pull_take(&json, &value);
        for (unsigned i = 0; i < n && (state == AF_PULL_OK || state == AF_PULL_SHORT); i++) {
            if (af_span_is(key.text, keys[i])) {
                values[i] = state == AF_PULL_OK ? value : rest;
            }
        }
        if (state != AF_PULL_OK) {
            break;
        }
    }
}

static af_pull_value find_member(af_span object, const char *key)
{
    af_pull_value value;
    find_members(object, &key, &value, 1);
    return value;
}

static gboolean is_there(const af_pull_value *value, af_pull_kind kind)
{
    return value->text.bytes != NULL && value->kind == kind;
}

/* ---- detection ---- */

typedef enum { KIND_OTHER, KIND_NOT_KNOWN, KIND_GECKO, KIND_PROCESSED } kind;

static kind judge_meta(af_span meta)
{
    enum { PROCESSED, VERSION, INTERVAL, STACKWALK };
    static const char *const keys[] = {"preprocessedProfileVersion", "version", "interval",
                                       "stackwalk"};
    af_pull_value values[G_N_ELEMENTS(keys)];
    find_members(meta, keys, values, G_N_ELEMENTS(keys));
    return values[PROCESSED].text.bytes != NULL ? KIND_PROCESSED
           : values[VERSION].text.bytes != NULL &&
                   (values[INTERVAL].text.bytes != NULL || values[STACKWALK].text.bytes != NULL)
               ? KIND_GECKO
               : KIND_OTHER;
}

/* Searches the keys of the outermost object for "meta". */
static kind find_kind(const uint8_t *head, size_t length)
{
    const char *end = (const char *)head + length;
    const char *at = af_json_skip_bom((const char *)head, end);
    af_pull json = {at, end, FALSE};
    af_pull_value key, value;
    if (at == end || *at != '{') {
        return KIND_OTHER;
    }
    af_pull_enter(&json);
    for (;;) {
        af_pull_state state = af_pull_next_key(&json, &key);
        if (state == AF_PULL_OK && af_span_is(key.text, "traceEvents")) {
            return KIND_OTHER;
        }
        if (state == AF_PULL_OK) {
            state = af_pull_take(&json, &value);
        }
        if (state != AF_PULL_OK) {
            return state == AF_PULL_SHORT ? KIND_NOT_KNOWN : KIND_OTHER;
        }
        if (af_span_is(key.text, "meta")) {
            return judge_meta(value.text);
        }
    }
}

static int detect_kind(const uint8_t *head, size_t length, gboolean more, kind wanted)
{
    const kind found = find_kind(head, MIN(length, MOST_LOOK));
    if (found == KIND_NOT_KNOWN) {
        return more && length < MOST_LOOK ? AF_UNSURE : 0;
    }
    return found == wanted ? AF_SURE : 0;
}

static int detect_gecko(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    (void)named;
    return detect_kind(head, length, more, KIND_GECKO);
}

static int detect_processed(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    (void)named;
    return detect_kind(head, length, more, KIND_PROCESSED);
}

/* ---- columns ---- */

static int64_t read_index(const af_pull_value *value)
{
    int64_t number;
    return value->kind == AF_PULL_NUMBER && af_pull_whole(value->text, &number) ? number : NONE;
}

/* A time in ms as ns, or a weight in millionths. */
static int64_t read_decimal(const af_pull_value *value)
{
    int64_t number;
    return value->kind == AF_PULL_NUMBER && af_pull_scaled(value->text, 6, &number) &&
                   number <= MOST && number >= -MOST
               ? number
               : NONE;
}

static void add_number(reading *r, af_array *to, int64_t number)
{
    int64_t *added = af_array_add(to, 1);
    af_sink_fail_if(r->sink, added == NULL);
    if (added != NULL) {
        *added = number;
    }
}

static void take_column(reading *r, const af_pull_value *column, gboolean decimal, af_array *to)
{
    if (!is_there(column, AF_PULL_ARRAY)) {
        return;
    }
    af_pull json = af_pull_over(column->text);
    af_pull_value value;
    af_pull_enter(&json);
    while (af_pull_next_item(&json) == AF_PULL_OK && af_pull_take(&json, &value) == AF_PULL_OK &&
           !af_sink_is_stopped(r->sink)) {
        add_number(r, to, decimal ? read_decimal(&value) : read_index(&value));
    }
}

static int64_t number_at(const af_array *column, int64_t index)
{
    return index >= 0 && (uint64_t)index < column->n ? AF_ARRAY_AT(column, int64_t, (size_t)index)
                                                     : NONE;
}

static void take_strings(reading *r, const af_pull_value *list, af_array *to)
{
    if (!is_there(list, AF_PULL_ARRAY)) {
        return;
    }
    af_pull json = af_pull_over(list->text);
    af_pull_value value;
    af_pull_enter(&json);
    while (af_pull_next_item(&json) == AF_PULL_OK && af_pull_take(&json, &value) == AF_PULL_OK) {
        af_pull_value *added = af_array_add(to, 1);
        if (added == NULL) {
            af_sink_fail(r->sink);
            return;
        }
        *added = value;
    }
}

static af_span text_at(const af_array *strings, int64_t index, GString *buffer)
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
static void take_rows(reading *r, const af_pull_value *table, const char *const names[],
                      af_array *const to[], const gboolean decimal[], unsigned n)
{
    static const char *const keys[] = {"schema", "data"};
    af_pull_value parts[2], indices[MOST_COLUMNS], row;
    int64_t index[MOST_COLUMNS];
    find_members(table->text, keys, parts, 2);
    find_members(parts[0].text, names, indices, n);
    for (unsigned c = 0; c < n; c++) {
        index[c] = read_index(&indices[c]);
    }
    if (!is_there(&parts[1], AF_PULL_ARRAY)) {
        return;
    }
    af_pull json = af_pull_over(parts[1].text);
    af_pull_enter(&json);
    while (af_pull_next_item(&json) == AF_PULL_OK && af_pull_take(&json, &row) == AF_PULL_OK &&
           !af_sink_is_stopped(r->sink)) {
        int64_t numbers[MOST_COLUMNS] = {NONE, NONE, NONE};
        if (row.kind == AF_PULL_ARRAY) {
            af_pull items = af_pull_over(row.text);
            af_pull_value item;
            af_pull_enter(&items);
            for (int64_t i = 0; af_pull_next_item(&items) == AF_PULL_OK &&
                                af_pull_take(&items, &item) == AF_PULL_OK;
                 i++) {
                for (unsigned c = 0; c < n; c++) {
                    if (i == index[c]) {
                        numbers[c] = decimal[c] ? read_decimal(&item) : read_index(&item);
                    }
                }
            }
        }
        for (unsigned c = 0; c < n; c++) {
            add_number(r, to[c], numbers[c]);
        }
    }
}

/* Joins two columns to stacks. With `offsets`, a prefix is the distance to it, 0 = none. */
static void join_stacks(reading *r, tables *t, const af_array *prefixes, const af_array *frames,
                        gboolean offsets)
{
    for (size_t i = 0; i < frames->n; i++) {
        int64_t prefix = number_at(prefixes, (int64_t)i);
        stack *added = af_array_add(&t->stacks, 1);
        if (added == NULL) {
            af_sink_fail(r->sink);
            return;
        }
        if (offsets) {
            prefix = prefix <= 0 || prefix > (int64_t)i ? NONE : (int64_t)i - prefix;
        }
        *added = (stack){prefix, AF_ARRAY_AT(frames, int64_t, i)};
    }
}

static void take_gecko_tables(reading *r, af_span thread, tables *t)
{
    enum { SAMPLES, STACKS, FRAMES, STRINGS };
    static const char *const keys[] = {"samples", "stackTable", "frameTable", "stringTable"};
    static const char *const of_samples[] = {"stack", "time"};
    static const char *const of_stacks[] = {"prefix", "frame"};
    static const char *const of_frames[] = {"location"};
    static const gboolean second[] = {FALSE, TRUE}, none[] = {FALSE, FALSE};
    af_pull_value values[G_N_ELEMENTS(keys)];
    uint64_t *const meter = af_sink_meter(r->sink);
    af_array prefixes, frames;
    find_members(thread, keys, values, G_N_ELEMENTS(keys));
    af_array_init_metered(&prefixes, sizeof(int64_t), meter);
    af_array_init_metered(&frames, sizeof(int64_t), meter);
    take_rows(r, &values[SAMPLES], of_samples, (af_array *[]){&t->sample_stacks, &t->times}, second,
              2);
    take_rows(r, &values[STACKS], of_stacks, (af_array *[]){&prefixes, &frames}, none, 2);
    take_rows(r, &values[FRAMES], of_frames, (af_array *[]){&t->frame_names}, none, 1);
    take_strings(r, &values[STRINGS], &t->strings);
    join_stacks(r, t, &prefixes, &frames, FALSE);
    af_array_clear(&prefixes);
    af_array_clear(&frames);
}

/* ---- tables of a processed profile ---- */

/* Returns a table of the thread or, from version 56 or 60 on, the shared one. */
static af_pull_value find_table(const reading *r, const af_pull_value *own, unsigned i)
{
    const gboolean shared = own->text.bytes == NULL && i < r->shared.n;
    return shared ? AF_ARRAY_AT(&r->shared, af_pull_value, i) : *own;
}

/* Tables that may be shared, in the order of `shared`. */
enum { STRING_ARRAY, STACK_TABLE, FRAME_TABLE, FUNC_TABLE, RESOURCE_TABLE, SHARED_TABLES };

static const char *const shared_tables[SHARED_TABLES] = {[STRING_ARRAY] = "stringArray",
                                                         [STACK_TABLE] = "stackTable",
                                                         [FRAME_TABLE] = "frameTable",
                                                         [FUNC_TABLE] = "funcTable",
                                                         [RESOURCE_TABLE] = "resourceTable"};

static void take_stack_columns(reading *r, af_span table, tables *t)
{
    enum { FRAME, PREFIX, OFFSET };
    static const char *const keys[] = {"frame", "prefix", "prefixOffset"};
    af_pull_value columns[G_N_ELEMENTS(keys)];
    uint64_t *const meter = af_sink_meter(r->sink);
    af_array prefixes, frames;
    find_members(table, keys, columns, G_N_ELEMENTS(keys));
    af_array_init_metered(&prefixes, sizeof(int64_t), meter);
    af_array_init_metered(&frames, sizeof(int64_t), meter);
    const gboolean offsets = columns[PREFIX].text.bytes == NULL;
    take_column(r, &columns[offsets ? OFFSET : PREFIX], FALSE, &prefixes);
    take_column(r, &columns[FRAME], FALSE, &frames);
    join_stacks(r, t, &prefixes, &frames, offsets);
    af_array_clear(&prefixes);
    af_array_clear(&frames);
}

static void take_processed_tables(reading *r, af_span thread, tables *t)
{
    static const char *const of_functions[] = {"name", "resource"};
    af_pull_value own[SHARED_TABLES], table, columns[2];
    find_members(thread, shared_tables, own, SHARED_TABLES);
    table = find_table(r, &own[STRING_ARRAY], STRING_ARRAY);
    if (table.text.bytes == NULL) {
        table = find_member(thread, "stringTable"); /* before version 38 */
    }
    take_strings(r, &table, &t->strings);
    table = find_table(r, &own[STACK_TABLE], STACK_TABLE);
    take_stack_columns(r, table.text, t);
    table = find_table(r, &own[FRAME_TABLE], FRAME_TABLE);
    columns[0] = find_member(table.text, "func");
    take_column(r, &columns[0], FALSE, &t->functions);
    table = find_table(r, &own[FUNC_TABLE], FUNC_TABLE);
    find_members(table.text, of_functions, columns, 2);
    take_column(r, &columns[0], FALSE, &t->function_names);
    take_column(r, &columns[1], FALSE, &t->resources);
    table = find_table(r, &own[RESOURCE_TABLE], RESOURCE_TABLE);
    columns[0] = find_member(table.text, "name");
    take_column(r, &columns[0], FALSE, &t->resource_names);
}

/* Returns the unit of the weights. */
static weight_unit take_samples(reading *r, af_span thread, tables *t)
{
    enum { STACK, TIME, DELTA, WEIGHT, TYPE };
    static const char *const keys[] = {"stack", "time", "timeDeltas", "weight", "weightType"};
    af_pull_value columns[G_N_ELEMENTS(keys)];
    find_members(find_member(thread, "samples").text, keys, columns, G_N_ELEMENTS(keys));
    take_column(r, &columns[STACK], FALSE, &t->sample_stacks);
    take_column(r, &columns[TIME], TRUE, &t->times);
    take_column(r, &columns[WEIGHT], TRUE, &t->weights);
    if (t->times.n == 0) {
        int64_t now = 0;
        take_column(r, &columns[DELTA], TRUE, &t->times);
        for (size_t i = 0; i < t->times.n; i++) {
            int64_t *time = &AF_ARRAY_AT(&t->times, int64_t, i);
            now = *time == NONE || now > MOST - MAX(*time, 0) ? now : now + *time;
            *time = now;
        }
    }
    return !is_there(&columns[WEIGHT], AF_PULL_ARRAY)     ? UNIT_SAMPLES
           : af_span_is(columns[TYPE].text, "tracing-ms") ? UNIT_TIME
           : af_span_is(columns[TYPE].text, "bytes")      ? UNIT_BYTES
                                                          : UNIT_SAMPLES;
}

/* ---- methods ---- */

/* Whether the text in "NAME (in TEXT)" is a file, and not the kind of a method. */
static gboolean is_library(af_span text)
{
    return memchr(text.bytes, '/', text.length) != NULL ||
           memchr(text.bytes, '.', text.length) != NULL || (text.length > 0 && *text.bytes == '[');
}

/* Splits "NAME (in LIBRARY)"; the library has no parentheses. aflame writes "at " before names that
 * look like addresses. */
static void split_location(af_span *name, af_span *library)
{
    static const char in[] = " (in ";
    const char *end = name->bytes + name->length;
    if (name->length > sizeof in && end[-1] == ')') {
        for (const char *at = end - sizeof in; at > name->bytes && *at != ')'; at--) {
            if (memcmp(at, in, sizeof in - 1) == 0) {
                const char *text = at + sizeof in - 1;
                *library = (af_span){text, (size_t)(end - 1 - text)};
                name->length = (size_t)(at - name->bytes);
                break;
            }
        }
    }
    if (name->length > 5 && memcmp(name->bytes, "at 0x", 5) == 0) {
        *name = (af_span){name->bytes + 3, name->length - 3};
    }
}

static uint32_t make_method(reading *r, const tables *t, int64_t frame)
{
    af_span name, library = {"", 0};
    if (r->processed) {
        const int64_t function = number_at(&t->functions, frame);
        const int64_t resource = number_at(&t->resources, function);
        name = text_at(&t->strings, number_at(&t->function_names, function), r->buffer);
        library = text_at(&t->strings, number_at(&t->resource_names, resource), r->other_buffer);
    } else {
        name = text_at(&t->strings, number_at(&t->frame_names, frame), r->buffer);
        split_location(&name, &library);
    }
    if (name.length == 0) {
        af_sink_warn(r->sink, AF_WARN_UNKNOWN_METHOD, 1, AF_NO_OFFSET);
        return af_frames_name(&r->frames, (af_span){"[unknown]", 9});
    }
    name = af_sink_truncate(r->sink, name);
    library = af_sink_truncate(r->sink, library);
    char *path = is_library(library) ? g_strndup(library.bytes, library.length) : NULL;
    const uint32_t method =
        af_frames_method(&r->frames, name.bytes, name.length, AF_FRAME_ANY, path);
    g_free(path);
    return method;
}

static uint32_t method_of(reading *r, tables *t, int64_t frame)
{
    const size_t n = r->processed ? t->functions.n : t->frame_names.n;
    if (frame < 0 || (uint64_t)frame >= n || !af_array_reach(&t->methods, n)) {
        af_sink_fail_if(r->sink, t->methods.failed);
        af_sink_warn(r->sink, AF_WARN_UNKNOWN_METHOD, 1, AF_NO_OFFSET);
        return af_frames_name(&r->frames, (af_span){"[unknown]", 9});
    }
    uint32_t *known = &AF_ARRAY_AT(&t->methods, uint32_t, (size_t)frame);
    if (*known == 0) {
        *known = make_method(r, t, frame) + 1;
    }
    return *known - 1;
}

/* ---- samples ---- */

/* Collects the methods of a stack. A prefix precedes its stack, so cycles end. */
static gboolean collect_stack(reading *r, tables *t, int64_t number)
{
    r->methods.n = 0;
    while (number >= 0 && (uint64_t)number < t->stacks.n) {
        const stack *s = af_array_at(&t->stacks, (size_t)number);
        const uint32_t method = method_of(r, t, s->frame);
        uint32_t *added = method == UINT32_MAX ? NULL : af_array_add(&r->methods, 1);
        if (added == NULL) {
            af_sink_fail(r->sink);
            return FALSE;
        }
        *added = method;
        if (s->prefix >= number) {
            af_sink_warn(r->sink, AF_WARN_FRAME_CYCLE, 1, AF_NO_OFFSET);
            break;
        }
        if (r->methods.n > r->frames_left) {
            af_sink_warn(r->sink, AF_WARN_MANY_FRAMES, 1, AF_NO_OFFSET);
            return FALSE;
        }
        number = s->prefix;
    }
    r->frames_left -= r->methods.n;
    af_frames_turn(&r->methods);
    return TRUE;
}

/* Returns 0 if the sample is dropped. */
static uint64_t weigh(reading *r, const tables *t, int64_t i)
{
    const int64_t millionths = t->weights.n == 0 ? 1000000 : number_at(&t->weights, i);
    if (millionths == NONE) {
        af_sink_warn(r->sink, AF_WARN_NO_WEIGHT, 1, AF_NO_OFFSET);
        return 0;
    }
    if (millionths < 0) {
        af_sink_warn(r->sink, AF_WARN_NEGATIVE_WEIGHT, 1, AF_NO_OFFSET);
        return 0;
    }
    if (r->unit == UNIT_TIME) {
        return (uint64_t)millionths; /* of a ms */
    }
    return (uint64_t)MIN(((af_u128)(uint64_t)millionths * r->scale + 500000) / 1000000,
                         (af_u128)INT64_MAX);
}

static void give_samples(reading *r, tables *t, uint32_t thread)
{
    for (size_t i = 0; i < t->sample_stacks.n && !af_sink_is_stopped(r->sink); i++) {
        const int64_t number = AF_ARRAY_AT(&t->sample_stacks, int64_t, i);
        const int64_t time = number_at(&t->times, (int64_t)i);
        if (number == NONE) {
            continue; /* nothing ran */
        }
        const uint64_t weight = weigh(r, t, (int64_t)i);
        if (time < 0) {
            af_sink_warn(r->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
            continue;
        }
        if (weight == 0) {
            continue;
        }
        if (!collect_stack(r, t, number)) {
            return;
        }
        if (r->methods.n == 0) {
            af_sink_warn(r->sink, AF_WARN_FRAME_CYCLE, 1, AF_NO_OFFSET);
            continue;
        }
        const af_sample sample = {.thread = thread,
                                  .methods = r->methods.items,
                                  .n = r->methods.n,
                                  .weight = {weight, 0},
                                  .time_ns = (uint64_t)time,
                                  .offset = AF_NO_OFFSET};
        af_sink_sample(r->sink, &sample);
    }
}

/* Whether some weight in the file has decimals: weights that are read twice, for charts and exports,
 * need the same scale both times. */
static gboolean has_fractions(af_span text)
{
    static const char word[] = "\"weight\"";
    const char *at = text.bytes, *const end = at + text.length;
    while ((at = memmem(at, (size_t)(end - at), word, sizeof word - 1)) != NULL) {
        af_pull json = {at + sizeof word - 1, end, FALSE};
        af_pull_skip_blanks(&json);
        json.at += json.at < end && *json.at == ':';
        af_pull_skip_blanks(&json);
        at = json.at;
        if (at < end && *at == '[') {
            for (; at < end && *at != ']'; at++) {
                if (*at == '.' || *at == 'e' || *at == 'E') {
                    return TRUE;
                }
            }
        }
    }
    return FALSE;
}

static void start(reading *r, weight_unit unit)
{
    af_unit of = {.name = "ns"};
    r->unit = unit;
    if (unit == UNIT_SAMPLES) {
        of = af_count_unit(r->asked, &r->scale);
    } else if (unit == UNIT_BYTES) {
        of = (af_unit){.name = "bytes", .counted = TRUE, .digits = 3};
        r->scale = AF_COUNTS_SCALE;
    }
    if (of.counted && !has_fractions(r->text)) {
        of.digits = 0;
        r->scale = 1;
    }
    af_sink_start_samples(r->sink, &of, 1u << AF_WALL,
                          unit == UNIT_TIME ? AF_SAMPLES_LASTING : AF_SAMPLES_TIMED);
}

/* ---- threads ---- */

static void init_tables(reading *r, tables *t)
{
    uint64_t *const meter = af_sink_meter(r->sink);
    af_array *const columns[] = {&t->frame_names, &t->functions,      &t->function_names,
                                 &t->resources,   &t->resource_names, &t->sample_stacks,
                                 &t->times,       &t->weights};
    for (unsigned i = 0; i < G_N_ELEMENTS(columns); i++) {
        af_array_init_metered(columns[i], sizeof(int64_t), meter);
    }
    af_array_init_metered(&t->stacks, sizeof(stack), meter);
    af_array_init_metered(&t->methods, sizeof(uint32_t), meter);
    af_array_init_metered(&t->strings, sizeof(af_pull_value), meter);
}

static void clear_tables(tables *t)
{
    af_array *const all[] = {&t->frame_names, &t->functions,      &t->function_names,
                             &t->resources,   &t->resource_names, &t->sample_stacks,
                             &t->times,       &t->weights,        &t->stacks,
                             &t->methods,     &t->strings};
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++) {
        af_array_clear(all[i]);
    }
}

static af_owner_id read_id(const af_pull_value *value, GString *buffer)
{
    af_owner_id id = {0};
    if (value->text.bytes != NULL && !af_pull_whole(value->text, &id.number)) {
        id.text = value->kind == AF_PULL_STRING ? af_pull_text(value, buffer) : value->text;
    }
    return id;
}

/* Returns the sink's number of the thread. */
static uint32_t take_owner(reading *r, af_span object)
{
    enum { NAME, TID, PID, PROCESS };
    static const char *const keys[] = {"name", "tid", "pid", "processName"};
    af_pull_value values[G_N_ELEMENTS(keys)];
    find_members(object, keys, values, G_N_ELEMENTS(keys));
    const af_owner_id process = read_id(&values[PID], r->buffer);
    const af_owner_id id = read_id(&values[TID], r->other_buffer);
    const uint32_t thread = af_owners_thread(r->owners, &process, &id);
    if (is_there(&values[NAME], AF_PULL_STRING)) {
        const af_span name = af_pull_text(&values[NAME], r->other_buffer);
        af_owners_name_thread(r->owners, thread, name);
        r->only_all = r->n_threads == 0 && af_span_is(name, "all");
    }
    /* aflame's word for a process without a name */
    if (is_there(&values[PROCESS], AF_PULL_STRING) && !af_span_is(values[PROCESS].text, "trace")) {
        af_owners_name_process(r->owners, &process,
                               af_pull_text(&values[PROCESS], r->other_buffer));
    }
    return thread;
}

static void take_thread(reading *r, af_span object)
{
    tables t = {0};
    weight_unit unit = UNIT_SAMPLES;
    init_tables(r, &t);
    if (r->processed) {
        unit = take_samples(r, object, &t);
    }
    if (!r->processed || t.sample_stacks.n > 0) {
        (r->processed ? take_processed_tables : take_gecko_tables)(r, object, &t);
    }
    if (t.sample_stacks.n > 0) {
        if (r->unit == UNIT_NOT_KNOWN) {
            start(r, unit);
        }
        if (unit == r->unit) {
            const uint32_t thread = take_owner(r, object);
            r->n_threads++;
            give_samples(r, &t, thread);
        } else {
            r->n_others++;
        }
    }
    clear_tables(&t);
}

/* ---- the file ---- */

static void take_meta(reading *r, af_span meta)
{
    static const char *const keys[] = {"product", "platform", "oscpu", "importedFrom"};
    af_pull_value values[G_N_ELEMENTS(keys)];
    find_members(meta, keys, values, G_N_ELEMENTS(keys));
    for (unsigned i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (is_there(&values[i], AF_PULL_STRING)) {
            af_sink_add_fact(r->sink, (af_span){keys[i], strlen(keys[i])},
                             af_pull_text(&values[i], r->buffer));
        }
    }
}

static void take_threads(reading *r, const af_pull_value *threads)
{
    if (!is_there(threads, AF_PULL_ARRAY)) {
        return;
    }
    af_pull json = af_pull_over(threads->text);
    af_pull_value thread;
    af_pull_enter(&json);
    while (af_pull_next_item(&json) == AF_PULL_OK && !af_sink_is_stopped(r->sink)) {
        const char *begin = json.at;
        const af_pull_state state = af_pull_take(&json, &thread);
        if (state == AF_PULL_SHORT || (state == AF_PULL_STRANGE && json.at == begin)) {
            break;
        }
        if (state == AF_PULL_OK && thread.kind == AF_PULL_OBJECT) {
            take_thread(r, thread.text);
        } else {
            af_sink_warn(r->sink, AF_WARN_BROKEN_TEXT, 1, AF_NO_OFFSET);
        }
        if (!af_sink_advance(r->sink, (size_t)(json.at - begin))) {
            break;
        }
    }
}

/* Reads a profile, then the profiles of other processes in it. The text of `object` may be
 * truncated. */
static void take_profile(reading *r, af_span object)
{
    enum { META, SHARED, PROCESSES };
    static const char *const keys[] = {"meta", "shared", "processes"};
    af_array waiting; /* of af_span */
    af_array_init_metered(&waiting, sizeof(af_span), af_sink_meter(r->sink));
    af_span *first = af_array_add(&waiting, 1);
    if (first != NULL) {
        *first = object;
    }
    for (size_t i = 0; i < waiting.n && !af_sink_is_stopped(r->sink); i++) {
        const af_span profile = AF_ARRAY_AT(&waiting, af_span, i);
        af_pull_value values[G_N_ELEMENTS(keys)], child;
        find_members(profile, keys, values, G_N_ELEMENTS(keys));
        if (i == 0) {
            take_meta(r, values[META].text);
        }
        af_array_clear(&r->shared);
        af_array_init_metered(&r->shared, sizeof(af_pull_value), af_sink_meter(r->sink));
        if (values[SHARED].text.bytes != NULL && af_array_reach(&r->shared, SHARED_TABLES)) {
            find_members(values[SHARED].text, shared_tables, r->shared.items, SHARED_TABLES);
        }
        const af_pull_value threads = find_member(profile, "threads");
        take_threads(r, &threads);
        if (is_there(&values[PROCESSES], AF_PULL_ARRAY)) {
            af_pull json = af_pull_over(values[PROCESSES].text);
            af_pull_enter(&json);
            while (af_pull_next_item(&json) == AF_PULL_OK &&
                   af_pull_take(&json, &child) == AF_PULL_OK) {
                af_span *added = af_array_add(&waiting, 1);
                if (added != NULL) {
                    *added = child.text;
                }
            }
        }
    }
    af_sink_fail_if(r->sink, waiting.failed || r->shared.failed);
    af_array_clear(&waiting);
}

/* Whether the text ends inside the outermost object. */
static gboolean is_cut(af_span object)
{
    af_pull json = af_pull_over(object);
    af_pull_value value;
    return af_pull_take(&json, &value) == AF_PULL_SHORT;
}

static gboolean finish(reading *r, af_span object, GError **error)
{
    af_facts *facts = af_sink_facts(r->sink);
    const gboolean cut = is_cut(object);
    if (r->unit == UNIT_NOT_KNOWN && !af_sink_is_stopped(r->sink)) {
        g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED, "%s: no thread has samples",
                    cut ? "truncated inside the first thread" : "empty profile");
        return FALSE;
    }
    if (cut) {
        facts->recording.truncated = TRUE;
        af_sink_warn(r->sink, AF_WARN_TRUNCATED, 1, AF_NO_OFFSET);
    }
    if (r->n_others > 0) {
        af_sink_warn(r->sink, AF_WARN_OTHER_UNIT, r->n_others, AF_NO_OFFSET);
    }
    facts->threadless = r->n_threads == 1 && r->only_all;
    af_owners_finish(r->owners);
    return TRUE;
}

static gboolean read_profile(af_source *source, const af_open_options *options, af_sink *sink,
                             gboolean processed, GError **error)
{
    if (!af_source_reach_end(source, error)) {
        return FALSE;
    }
    const char *const end = (const char *)source->bytes + source->length;
    const char *at = af_json_skip_bom((const char *)source->bytes, end);
    const af_span object = {at, (size_t)(end - at)};
    reading r = {.sink = sink,
                 .text = object,
                 .asked = options->unit,
                 .processed = processed,
                 .frames_left = FEWEST_FRAMES + FRAMES_PER_BYTE * (uint64_t)object.length,
                 .owners = af_owners_new(sink),
                 .buffer = g_string_new(NULL),
                 .other_buffer = g_string_new(NULL)};
    af_facts *facts = af_sink_facts(sink);
    facts->container = AF_CONTAINER_OTHER;
    facts->format.name = processed ? "firefox" : "gecko";
    facts->format.title = processed ? "a Firefox Profiler file" : "a Gecko profile";
    facts->format.record = "sample";
    af_sink_set_total(sink, source->length);
    af_frames_init(&r.frames, sink);
    af_array_init_metered(&r.methods, sizeof(uint32_t), af_sink_meter(sink));
    take_profile(&r, object);
    const gboolean ok = finish(&r, object, error);
    af_array_clear(&r.methods);
    af_array_clear(&r.shared);
    af_frames_clear(&r.frames);
    af_owners_free(r.owners);
    g_string_free(r.buffer, TRUE);
    g_string_free(r.other_buffer, TRUE);
    return ok;
}

static gboolean read_gecko(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    (void)other;
    return read_profile(source, options, sink, FALSE, error);
}

static gboolean read_firefox(af_source *source, af_source *other, const af_open_options *options,
                             af_sink *sink, GError **error)
{
    (void)other;
    return read_profile(source, options, sink, TRUE, error);
}

const af_reader af_reader_gecko = {
    .name = "gecko",
    .title = "Gecko profiles, also of simpleperf's gecko_profile_generator.py",
    .extensions = "json",
    .detect = detect_gecko,
    .read = read_gecko,
};

const af_reader af_reader_firefox = {
    .name = "firefox",
    .title = "files of the Firefox Profiler, also of samply",
    .extensions = "json",
    .detect = detect_processed,
    .read = read_firefox,
};
