/* The statements of a description, one function each. */
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void recording_fail(const recording *r, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    g_autofree char *message = g_strdup_vprintf(format, list);
    va_end(list);
    script_fail(r->path, r->line, "%s", message);
}

void recording_output(recording *r, const char *suffix, GByteArray *bytes, gsize data_at)
{
    const output o = {g_strdup(suffix), bytes, data_at};
    g_array_append_val(r->outputs, o);
}

/* ---- words ---- */

typedef struct {
    script_word *words;
    guint n;
} line_words;

static line_words expand_all(const recording *r, uint64_t round, const script_statement *s)
{
    line_words line = {g_new(script_word, s->words->len + 1), s->words->len};
    for (guint i = 0; i < line.n; i++) {
        const script_word *word = &g_array_index(s->words, script_word, i);
        line.words[i].text = expand_word(r, round, word);
        line.words[i].quoted = word->quoted;
    }
    line.words[line.n].text = NULL;
    return line;
}

static void free_words(line_words line)
{
    for (guint i = 0; i < line.n; i++) {
        g_string_free(line.words[i].text, TRUE);
    }
    g_free(line.words);
}

/* The value of `key=value` among the words, or NULL. */
static const char *find_option(line_words line, const char *key)
{
    const gsize length = strlen(key);
    for (guint i = 1; i < line.n; i++) {
        const char *text = line.words[i].text->str;
        if (strncmp(text, key, length) == 0 && text[length] == '=') {
            return text + length + 1;
        }
    }
    return NULL;
}

static uint64_t find_number(const recording *r, line_words line, const char *key, uint64_t fallback)
{
    const char *text = find_option(line, key);
    return text != NULL ? read_number(r, text) : fallback;
}

static gboolean find_flag(line_words line, const char *flag)
{
    for (guint i = 1; i < line.n; i++) {
        if (strcmp(line.words[i].text->str, flag) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

static void check_word_count(const recording *r, line_words line, guint least, guint most)
{
    if (line.n < least || line.n > most) {
        recording_fail(r, "`%s` has the wrong number of words", line.words[0].text->str);
    }
}

/* ---- format ---- */

static const container *find_container(const recording *r, const char *name)
{
    const container *const all[] = {&container_v1,   &container_stream, &container_v2,
                                    &container_dump, &container_raw,    &container_spall};
    for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
        if (strcmp(all[i]->name, name) == 0) {
            return all[i];
        }
    }
    recording_fail(r, "unknown container: %s", name);
}

static gsize default_record_size(unsigned version)
{
    switch (version & 15) {
    case 1:
        return 9;
    case 2:
        return 10;
    default:
        return 14;
    }
}

/* Sets the sizes and offsets in the header to those of Android's writers, unless the description
 * gives others. */
static void set_format(recording *r, line_words line)
{
    check_word_count(r, line, 2, 20);
    r->container = find_container(r, line.words[1].text->str);
    const gboolean stream = r->container == &container_stream;
    const gboolean v2 = r->container == &container_v2;
    r->version = (unsigned)find_number(r, line, "version", stream ? 0xf3 : v2 ? 5 : 3);
    r->header = find_number(r, line, "header", 32);
    r->record_size = find_number(r, line, "record", default_record_size(r->version));
    const gboolean spall = r->container == &container_spall;
    r->dual =
        !spall && ((r->version & 15) == 5 || ((r->version & 15) == 3 && r->record_size != 10));
    r->offset_field = find_number(r, line, "offset-field", r->header);
    r->record_field = find_number(r, line, "record-field", r->version >= 3 ? r->record_size : 0);
    r->start = find_number(r, line, "start", 0);
    r->frequency = find_number(r, line, "frequency", 0);
    r->split = find_flag(line, "split");
    r->in_text = find_flag(line, "anr-text");
    r->process = find_number(r, line, "process", 0);
    const char *unit = find_option(line, "unit");
    r->unit = unit != NULL ? g_ascii_strtod(unit, NULL) : 1;
    const char *layout = find_option(line, "layout");
    r->layout = (char)(layout != NULL ? *layout : v2 ? 'd' : 'l');
    const char *suffix = find_option(line, "suffix");
    r->suffix = g_strdup(suffix != NULL ? suffix : ".trace");
    r->container->begin(r);
}

/* ---- the text part, threads, methods ---- */

void recording_thread(recording *r, uint64_t id, const GString *name)
{
    (r->in_key_text ? key_text_thread : r->container->thread)(r, id, name);
}

void recording_method(recording *r, uint64_t id, const GString *columns)
{
    (r->in_key_text ? key_text_method : r->container->method)(r, id, columns);
}

static void add_thread(recording *r, line_words line)
{
    check_word_count(r, line, 3, 3);
    recording_thread(r, read_number(r, line.words[1].text->str), line.words[2].text);
}

/* Class and method become a name that records can use instead of the id. */
static void add_method(recording *r, line_words line)
{
    check_word_count(r, line, 2, 8);
    const uint64_t id = read_number(r, line.words[1].text->str);
    g_autoptr(GString) columns = g_string_new(NULL);
    for (guint i = 2; i < line.n; i++) {
        if (i > 2) {
            g_string_append_c(columns, '\t');
        }
        g_string_append_len(columns, line.words[i].text->str, (gssize)line.words[i].text->len);
    }
    recording_method(r, id, columns);
    if (line.n >= 4) {
        char *name = g_strdup_printf("%s.%s", line.words[2].text->str, line.words[3].text->str);
        if (!g_hash_table_contains(r->methods, name)) {
            g_hash_table_insert(r->methods, name, g_memdup2(&id, sizeof id));
        } else {
            g_free(name);
        }
    }
}

static void add_key(recording *r, line_words line)
{
    for (guint i = 1; i < line.n; i++) {
        g_ptr_array_add(r->text.keys,
                        g_string_new_len(line.words[i].text->str, (gssize)line.words[i].text->len));
    }
}

static void add_line(recording *r, line_words line)
{
    const char *kind = line.words[0].text->str;
    check_word_count(r, line, 2, 2);
    GString *copy = g_string_new_len(line.words[1].text->str, (gssize)line.words[1].text->len);
    if (strcmp(kind, "thread-line") == 0) {
        g_ptr_array_add(r->text.threads, copy);
    } else if (strcmp(kind, "method-line") == 0) {
        g_ptr_array_add(r->text.methods, copy);
    } else {
        g_string_append_len(r->text.verbatim, copy->str, (gssize)copy->len);
        g_string_append_c(r->text.verbatim, '\n');
        g_string_free(copy, TRUE);
    }
}

/* ---- records ---- */

static thread_clock *find_clock(recording *r, uint64_t thread)
{
    thread_clock *clock = g_hash_table_lookup(r->clocks, &thread);
    if (clock == NULL) {
        clock = g_new0(thread_clock, 1);
        g_hash_table_insert(r->clocks, g_memdup2(&thread, sizeof thread), clock);
    }
    return clock;
}

static void step_clock(const recording *r, uint64_t *time, const char *text)
{
    if (*text == '+') {
        *time += read_number(r, text + 1);
    } else if (*text == '-') {
        *time -= read_number(r, text + 1);
    } else {
        *time = read_number(r, text);
    }
}

/* `cpu/wall` if the file has two clocks, otherwise one time; + and - count from the thread's
 * last. */
static void read_times(recording *r, thread_clock *clock, const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "/", 3);
    const guint n = g_strv_length(parts);
    if (n > 2 || (n == 2 && !r->dual)) {
        recording_fail(r, "expected one time per clock of the file: %s", text);
    }
    step_clock(r, &clock->time[CPU], parts[0]);
    step_clock(r, &clock->time[WALL], parts[n - 1]);
}

static uint64_t find_method(const recording *r, const char *text)
{
    if (g_ascii_isdigit(*text)) {
        return read_number(r, text);
    }
    const uint64_t *id = g_hash_table_lookup(r->methods, text);
    if (id == NULL) {
        recording_fail(r, "unknown method: %s", text);
    }
    return *id;
}

static void add_record(recording *r, line_words line)
{
    static const char *const actions[] = {"enter", "exit", "unwind", "odd"};
    check_word_count(r, line, 3, 4);
    trace_record record = {.thread = read_number(r, line.words[0].text->str)};
    gsize a = 0;
    while (a < G_N_ELEMENTS(actions) && strcmp(line.words[1].text->str, actions[a]) != 0) {
        a++;
    }
    if (a == G_N_ELEMENTS(actions)) {
        recording_fail(r, "expected enter, exit, unwind or odd: %s", line.words[1].text->str);
    }
    record.action = (record_action)a;
    record.method = find_method(r, line.words[2].text->str);
    thread_clock *clock = find_clock(r, record.thread);
    if (line.n == 4) {
        read_times(r, clock, line.words[3].text->str);
    }
    memcpy(record.time, clock->time, sizeof record.time);
    r->container->put(r, &record);
}

static void add_raw(recording *r, line_words line)
{
    g_autoptr(GByteArray) bytes = recording_bytes(r, line.words + 1, line.n - 1);
    r->container->raw(r, bytes->data, bytes->len);
}

static void put_zlib(GByteArray *to, const GByteArray *plain)
{
    uLongf length = compressBound(plain->len);
    g_byte_array_set_size(to, (guint)length);
    compress(to->data, &length, plain->data, plain->len);
    g_byte_array_set_size(to, (guint)length);
}

/* The bytes, compressed with zlib. */
static void add_zlib(recording *r, line_words line)
{
    g_autoptr(GByteArray) bytes = recording_bytes(r, line.words + 1, line.n - 1);
    g_autoptr(GByteArray) packed = g_byte_array_new();
    put_zlib(packed, bytes);
    r->container->raw(r, packed->data, packed->len);
}

static void begin_block(recording *r, line_words line)
{
    entry_block_end(r, find_flag(line, "keep"));
    r->block.has_header_count = find_option(line, "count") != NULL;
    r->block.header_count = find_number(r, line, "count", 0);
    r->block.has_header_size = find_option(line, "size") != NULL;
    r->block.header_size = find_number(r, line, "size", 0);
    if (find_option(line, "thread") != NULL) {
        entry_block_open(r, find_number(r, line, "thread", 0));
    }
}

/* ---- blocks of statements ---- */

static void run_block(recording *r, const GPtrArray *block, uint64_t round);

static void need_block(const recording *r, const script_statement *s)
{
    if (s->block == NULL) {
        recording_fail(r, "a block is missing");
    }
}

static void run_key_text(recording *r, const script_statement *s, uint64_t round)
{
    need_block(r, s);
    key_text_clear(&r->text);
    r->in_key_text = TRUE;
    run_block(r, s->block, round);
    r->in_key_text = FALSE;
    if (strcmp(g_array_index(s->words, script_word, 0).text->str, "summary") == 0) {
        r->container->summary(r, &r->text);
    } else {
        GByteArray *bytes = g_byte_array_new();
        g_autofree char *suffix = g_strconcat(r->suffix, ".sec", NULL);
        key_text_write(&r->text, r, bytes);
        recording_output(r, suffix, bytes, 0);
    }
}

static void run_repeat(recording *r, const script_statement *s, line_words line)
{
    need_block(r, s);
    check_word_count(r, line, 2, 2);
    const uint64_t rounds = read_number(r, line.words[1].text->str);
    for (uint64_t i = 1; i <= rounds; i++) {
        run_block(r, s->block, i);
    }
}

/* ---- protobuf messages ---- */

static void put_varint(GByteArray *to, uint64_t value)
{
    do {
        const guint8 byte = (guint8)((value & 0x7F) | (value >= 0x80 ? 0x80 : 0));
        g_byte_array_append(to, &byte, 1);
        value >>= 7;
    } while (value > 0);
}

static void put_bytes(GByteArray *to, uint64_t field, const void *bytes, gsize length)
{
    put_varint(to, field << 3 | 2);
    put_varint(to, length);
    g_byte_array_append(to, bytes, (guint)length);
}

static uint64_t read_value(recording *r, const char *word)
{
    char *end;
    const gint64 number = g_ascii_strtoll(word, &end, 0);
    if (*word != '-') {
        return g_ascii_strtoull(word, NULL, 0);
    }
    if (*end != '\0') {
        recording_fail(r, "not a number: %s", word);
    }
    return (uint64_t)number;
}

/* A field with one value, or with several numbers, packed. */
static void put_field(recording *r, GByteArray *to, line_words line)
{
    const uint64_t field = read_number(r, line.words[0].text->str);
    const GString *value = line.n < 2 ? NULL : line.words[1].text;
    if (line.n == 2 && line.words[1].quoted) {
        put_bytes(to, field, value->str, value->len);
    } else if (line.n == 2 && g_str_has_suffix(value->str, ":f64")) {
        const double number = g_ascii_strtod(value->str, NULL);
        put_varint(to, field << 3 | 1);
        g_byte_array_append(to, (const guint8 *)&number, sizeof number);
    } else if (line.n == 2) {
        put_varint(to, field << 3);
        put_varint(to, read_value(r, value->str));
    } else {
        g_autoptr(GByteArray) packed = g_byte_array_new();
        for (guint i = 1; i < line.n; i++) {
            put_varint(packed, read_value(r, line.words[i].text->str));
        }
        put_bytes(to, field, packed->data, packed->len);
    }
}

static void put_message(recording *r, GByteArray *to, const script_statement *s, uint64_t round);

static void put_fields(recording *r, GByteArray *to, const GPtrArray *block, uint64_t round)
{
    for (guint i = 0; i < block->len; i++) {
        const script_statement *s = block->pdata[i];
        r->line = s->line;
        line_words line = expand_all(r, round, s);
        if (strcmp(line.words[0].text->str, "repeat") == 0) {
            const uint64_t rounds = read_number(r, line.words[1].text->str);
            for (uint64_t k = 1; k <= rounds; k++) {
                put_fields(r, to, s->block, k);
            }
        } else if (s->block != NULL) {
            put_message(r, to, s, round);
        } else {
            put_field(r, to, line);
        }
        free_words(line);
    }
}

/* FIELD {, or FIELD zlib {: the fields of the block, compressed. */
static void put_message(recording *r, GByteArray *to, const script_statement *s, uint64_t round)
{
    g_autoptr(GByteArray) inside = g_byte_array_new(), packed = g_byte_array_new();
    line_words line = expand_all(r, round, s);
    const guint first = strcmp(line.words[0].text->str, "message") == 0 ? 1 : 0;
    check_word_count(r, line, first + 1, first + 2);
    put_fields(r, inside, s->block, round);
    const gboolean zlib = line.n == first + 2;
    if (zlib) {
        put_zlib(packed, inside);
    }
    put_bytes(to, read_number(r, line.words[first].text->str), zlib ? packed->data : inside->data,
              zlib ? packed->len : inside->len);
    free_words(line);
}

/* message FIELD {: a field of the file. */
static void add_message(recording *r, const script_statement *s, uint64_t round)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    need_block(r, s);
    put_message(r, bytes, s, round);
    r->container->raw(r, bytes->data, bytes->len);
}

static gboolean run_simple(recording *r, line_words line)
{
    static const struct {
        const char *name;
        void (*run)(recording *r, line_words line);
    } all[] = {
        {"format", set_format},  {"thread", add_thread},    {"method", add_method},
        {"set", add_key},        {"thread-line", add_line}, {"method-line", add_line},
        {"text-line", add_line}, {"raw", add_raw},          {"block", begin_block},
        {"zlib", add_zlib},
    };
    const char *name = line.words[0].text->str;
    if (g_ascii_isdigit(*name)) {
        add_record(r, line);
        return TRUE;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
        if (strcmp(all[i].name, name) == 0) {
            all[i].run(r, line);
            return TRUE;
        }
    }
    return FALSE;
}

static void run_statement(recording *r, const script_statement *s, uint64_t round)
{
    line_words line = expand_all(r, round, s);
    const char *name = line.words[0].text->str;
    if (r->container == NULL && strcmp(name, "format") != 0) {
        recording_fail(r, "`format` comes first");
    }
    if (strcmp(name, "repeat") == 0) {
        run_repeat(r, s, line);
    } else if (strcmp(name, "message") == 0) {
        add_message(r, s, round);
    } else if (strcmp(name, "summary") == 0 || strcmp(name, "sec") == 0) {
        run_key_text(r, s, round);
    } else if (!run_simple(r, line)) {
        recording_fail(r, "unknown statement: %s", name);
    }
    free_words(line);
}

static void run_block(recording *r, const GPtrArray *block, uint64_t round)
{
    for (guint i = 0; i < block->len; i++) {
        const script_statement *s = block->pdata[i];
        r->line = s->line;
        run_statement(r, s, round);
    }
}

/* Damage applies to whole files, so its statements wait until all others have run. */
static gboolean is_damage(const script_statement *s)
{
    return strcmp(g_array_index(s->words, script_word, 0).text->str, "damage") == 0;
}

void recording_run(recording *r, const GPtrArray *script)
{
    key_text_init(&r->text);
    for (guint i = 0; i < script->len; i++) {
        const script_statement *s = script->pdata[i];
        r->line = s->line;
        if (!is_damage(s)) {
            run_statement(r, s, 0);
        }
    }
    if (r->container == NULL) {
        recording_fail(r, "the description has no `format`");
    }
    r->container->finish(r);
    for (guint i = 0; i < script->len; i++) {
        const script_statement *s = script->pdata[i];
        r->line = s->line;
        if (is_damage(s)) {
            recording_damage(r, &g_array_index(s->words, script_word, 1), s->words->len - 1);
        }
    }
}
