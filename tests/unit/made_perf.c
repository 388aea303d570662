#include "made_perf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <aflame/aflame.h>

#include "suite.h"

enum { HAS, TYPE, CONFIG, PERIOD, ID, FLAGS, READ_FORMAT, BRANCH_TYPE, REGS, KEYS };

static const char *const keys[KEYS] = {"has",   "type",        "config",      "period", "id",
                                       "flags", "read-format", "branch-type", "regs"};

/* The fields of a sample, by their bits. */
static const char *const fields[] = {"ip",  "tid",    "time",   "addr", "read",   "chain", "id",
                                     "cpu", "period", "stream", "raw",  "branch", "regs",  "stack"};

enum { DEFAULT = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5 | 1 << 8, IDENTIFIER = 1 << 16 };

typedef struct {
    uint64_t values[KEYS];
} made_event;

struct made_perf {
    uint64_t entry_size;
    uint64_t backward;
    uint64_t data_size; /* in the header; UINT64_MAX = the real size */
    GByteArray *head;   /* NULL = that of perf.data */
    GByteArray *data;
    GByteArray *features[256];
    GArray *events; /* made_event */
    GArray *pokes;  /* uint64_t: offset, byte */
};

made_perf *made_perf_new(void)
{
    made_perf *perf = g_new0(made_perf, 1);
    perf->entry_size = 128;
    perf->data_size = UINT64_MAX;
    perf->data = g_byte_array_new();
    perf->events = g_array_new(FALSE, FALSE, sizeof(made_event));
    perf->pokes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    return perf;
}

void made_perf_free(made_perf *perf)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(perf->features); i++) {
        g_clear_pointer(&perf->features[i], g_byte_array_unref);
    }
    g_clear_pointer(&perf->head, g_byte_array_unref);
    g_byte_array_unref(perf->data);
    g_array_unref(perf->events);
    g_array_unref(perf->pokes);
    g_free(perf);
}

/* ---- words ---- */

static void put(GByteArray *to, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        g_byte_array_append(to, &(guint8){(guint8)(i < 8 ? value >> (8 * i) : 0)}, 1);
    }
}

static void poke(GByteArray *to, size_t at, uint64_t value, unsigned width)
{
    ck_assert_uint_le(at + width, to->len);
    for (unsigned i = 0; i < width; i++) {
        to->data[at + i] = (uint8_t)(value >> (8 * i));
    }
}

static uint64_t take_number(const char **at)
{
    char *end;
    const uint64_t value = **at == '-' ? (uint64_t)strtoll(*at, &end, 0) : strtoull(*at, &end, 0);
    ck_assert_msg(end > *at, "not a number: %s", *at);
    *at = end;
    return value;
}

void made_bytes(GByteArray *to, const char *words)
{
    const guint begin = to->len;
    guint open = 0;
    for (const char *at = words + strspn(words, " "); *at != '\0'; at += strspn(at, " ")) {
        if (*at == '\'' || *at == '"') {
            const char *end = strchr(at + 1, *at);
            ck_assert_msg(end != NULL, "%s", at);
            g_byte_array_append(to, (const guint8 *)at + 1, (guint)(end - at - 1));
            put(to, 0, *at == '\'' ? 1 : 0);
            at = end + 1;
        } else if (strncmp(at, "pad", 3) == 0) {
            put(to, 0, (8 - (to->len - begin) % 8) % 8);
            at += 3;
        } else if (*at == '[') {
            open = to->len;
            put(to, 0, 4);
            at++;
        } else if (*at == ']') {
            poke(to, open, to->len - open - 4, 4);
            at++;
        } else {
            const uint64_t value = take_number(&at);
            at += *at == '/';
            put(to, value, at[-1] == '/' ? (unsigned)take_number(&at) : 8);
            ck_assert_msg(*at == ' ' || *at == '\0', "%s", at);
        }
    }
}

/* ---- lines ---- */

static uint64_t take_fields(const char **at)
{
    if (g_ascii_isdigit(**at)) {
        return take_number(at);
    }
    g_autofree char *word = g_strndup(*at, strcspn(*at, " "));
    g_auto(GStrv) names = g_strsplit(word, "+", -1);
    uint64_t has = 0;
    *at += strlen(word);
    for (char **name = names; *name != NULL; name++) {
        unsigned bit = 0;
        while (bit < G_N_ELEMENTS(fields) && strcmp(fields[bit], *name) != 0) {
            bit++;
        }
        has |= strcmp(*name, "default") == 0      ? DEFAULT
               : strcmp(*name, "identifier") == 0 ? IDENTIFIER
                                                  : UINT64_C(1) << bit;
        ck_assert_msg(bit < G_N_ELEMENTS(fields) || (has & (DEFAULT | IDENTIFIER)), "%s", *name);
    }
    return has;
}

static void add_event(made_perf *perf, const char *text)
{
    made_event event = {.values = {DEFAULT}};
    for (const char *at = text + strspn(text, " "); *at != '\0'; at += strspn(at, " ")) {
        unsigned key = 0;
        const size_t length = strcspn(at, "=");
        while (key < KEYS && (strlen(keys[key]) != length || strncmp(keys[key], at, length) != 0)) {
            key++;
        }
        ck_assert_msg(key < KEYS, "%s", at);
        at += length + 1;
        event.values[key] = key == HAS ? take_fields(&at) : take_number(&at);
    }
    g_array_append_val(perf->events, event);
}

static void add_record(made_perf *perf, uint32_t type, unsigned misc, const char *words)
{
    const guint begin = perf->data->len;
    put(perf->data, type, 4);
    put(perf->data, 0, 4);
    g_autoptr(GByteArray) body = g_byte_array_new();
    made_bytes(body, words);
    g_byte_array_append(perf->data, body->data, body->len);
    const guint size = perf->data->len - begin;
    poke(perf->data, begin + 4, type >= 32768 ? size >> 16 : misc, 2);
    poke(perf->data, begin + 6, size, 2);
}

static void add_numbered_record(made_perf *perf, const char *text)
{
    const uint32_t type = (uint32_t)take_number(&text);
    const unsigned misc = (unsigned)take_number(&text);
    add_record(perf, type, misc, text);
}

static void add_map(made_perf *perf, const char *text)
{
    const int numbers = (int)strcspn(text, "'");
    g_autofree char *words =
        g_strdup_printf("%.*s 0/4 0/4 0 0 5/4 2/4 %s pad", numbers, text, text + numbers);
    add_record(perf, 10, 2, words);
}

static void add_bytes(made_perf *perf, const char *words)
{
    made_bytes(perf->data, words);
}

static void add_feature(made_perf *perf, const char *text)
{
    const unsigned number = (unsigned)take_number(&text);
    if (perf->features[number] == NULL) {
        perf->features[number] = g_byte_array_new();
    }
    made_bytes(perf->features[number], text);
}

static void move_to_feature(made_perf *perf, const char *text)
{
    perf->features[take_number(&text)] = perf->data;
    perf->data = g_byte_array_new();
}

static void add_poke(made_perf *perf, const char *text)
{
    const uint64_t at = take_number(&text), byte = take_number(&text);
    g_array_append_val(perf->pokes, at);
    g_array_append_val(perf->pokes, byte);
}

static void set_head(made_perf *perf, const char *words)
{
    perf->head = g_byte_array_new();
    made_bytes(perf->head, words);
}

static void add_library(made_perf *perf, const char *text)
{
    made_perf_add(perf, "map 7/4 7/4 0x1000 0x1000 0 '/lib/l.so'\n"
                        "comm 7/4 7/4 't' pad\n"
                        "feature 128 [ '/lib/l.so' 2/4 0 3/4 0x10 0x10/4 'a' 0x20 0x10/4 'b' "
                        "0x30 0x10/4 'c' 0 ]");
}

static void set_linux(made_perf *perf, const char *text)
{
    add_feature(perf, "12 1/4 0/4 0/4 [ 'cycles' ]");
}

static void add_java(made_perf *perf, const char *jit)
{
    g_autofree char *lines = g_strdup_printf(
        "map 7/4 7/4 0x1000 0x1000 0 '/lib/app.so'\n"
        "map 7/4 7/4 0x2000 0x1000 0 '/apex/libart.so'\n"
        "map 7/4 7/4 0x3000 0x1000 0 '/app/base.vdex'\n"
        "map 7/4 7/4 0x4000 0x1000 0 '%s'\n"
        "comm 7/4 7/4 't' pad\n"
        "feature 128 [ '/lib/app.so' 2/4 0 3/4 0 0x10/4 'n0' 0x10 0x10/4 'x_jni_trampoline' "
        "0x20 0x10/4 'n2' 0 ]\n"
        "feature 128 [ '/apex/libart.so' 2/4 0 3/4 0 0x10/4 'art0' 0x10 0x10/4 'art1' "
        "0x20 0x10/4 'art_jni_trampoline' 0 ]\n"
        "feature 128 [ '/app/base.vdex' 3/4 0 3/4 0 0x10/4 'p.A.d0' 0x10 0x10/4 'p.A.d1' "
        "0x20 0x10/4 'p.A.d2' 0/4 ]\n"
        "feature 128 [ '%s' 2/4 0 4/4 0 0x10/4 'void p.A.d0(int)' 0x10 0x10/4 'p.A.j1' "
        "0x20 0x10/4 'p.A.d2' 0x30 0x10/4 'z_jni_trampoline' 0 ]",
        jit, jit);
    made_perf_add(perf, lines);
}

static void add_line(made_perf *perf, const char *line)
{
    static const struct {
        const char *word;
        uint32_t type; /* of a record */
        unsigned misc;
    } records[] = {{"sample", 9, 2},      {"kernel-sample", 9, 1}, {"mmap", 1, 2}, {"mmap2", 10, 2},
                   {"kernel-mmap", 1, 1}, {"comm", 3, 0},          {"fork", 7, 0}, {"exit", 4, 0}};
    static const struct {
        const char *word;
        void (*add)(made_perf *perf, const char *text);
    } others[] = {
        {"event", add_event},     {"record", add_numbered_record},
        {"map", add_map},         {"bytes", add_bytes},
        {"feature", add_feature}, {"move-to-feature", move_to_feature},
        {"poke", add_poke},       {"head", set_head},
        {"library", add_library}, {"linux", set_linux},
        {"java", add_java},
    };
    const struct {
        const char *word;
        uint64_t *value;
    } numbers[] = {{"entry-size", &perf->entry_size},
                   {"backward", &perf->backward},
                   {"data-size", &perf->data_size}};
    g_autofree char *word = g_strndup(line, strcspn(line, " "));
    const char *rest = line + strlen(word) + strspn(line + strlen(word), " ");
    unsigned known = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(records); i++) {
        if (strcmp(records[i].word, word) == 0) {
            add_record(perf, records[i].type, records[i].misc, rest);
            known++;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        if (strcmp(others[i].word, word) == 0) {
            others[i].add(perf, rest);
            known++;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        if (strcmp(numbers[i].word, word) == 0) {
            *numbers[i].value = take_number(&rest);
            known++;
        }
    }
    ck_assert_msg(known == 1, "unknown line: %s", line);
}

void made_perf_add(made_perf *perf, const char *lines)
{
    g_auto(GStrv) all = g_strsplit(lines, "\n", -1);
    for (char **line = all; *line != NULL; line++) {
        if (**line != '\0') {
            add_line(perf, *line);
        }
    }
}

/* ---- the file ---- */

static void put_event(GByteArray *file, const made_event *event, uint32_t entry, guint id_at)
{
    const uint64_t *v = event->values;
    g_autoptr(GByteArray) attr = g_byte_array_new();
    put(attr, v[TYPE], 4);
    put(attr, entry - 16, 4);
    put(attr, v[CONFIG], 8);
    put(attr, v[PERIOD], 8);
    put(attr, v[HAS], 8);
    put(attr, v[READ_FORMAT], 8);
    put(attr, v[FLAGS], 8);
    put(attr, 0, 24);
    put(attr, v[BRANCH_TYPE], 8);
    put(attr, v[REGS], 8);
    put(attr, 0, 512);
    g_byte_array_append(file, attr->data, entry - 16); /* old versions had fewer fields */
    put(file, id_at, 8);
    put(file, v[ID] != 0 ? 8 : 0, 8);
}

static void put_features(GByteArray *file, const made_perf *perf)
{
    const guint table = file->len;
    guint at[256], n = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(perf->features); i++) {
        if (perf->features[i] != NULL) {
            at[i] = table + 16 * n++;
            put(file, 0, 16);
            file->data[72 + i / 8] |= (uint8_t)(1 << i % 8);
        }
    }
    for (unsigned k = 0; k < G_N_ELEMENTS(perf->features); k++) {
        const unsigned i = perf->backward != 0 ? 255 - k : k;
        if (perf->features[i] != NULL) {
            poke(file, at[i], file->len, 8);
            poke(file, at[i] + 8, perf->features[i]->len, 8);
            g_byte_array_append(file, perf->features[i]->data, perf->features[i]->len);
        }
    }
}

GByteArray *made_perf_bytes(const made_perf *perf)
{
    GByteArray *file = g_byte_array_new();
    if (perf->head != NULL) {
        g_byte_array_append(file, perf->head->data, perf->head->len);
        g_byte_array_append(file, perf->data->data, perf->data->len);
        return file;
    }
    const made_event first = {.values = {DEFAULT}};
    const guint n = MAX(perf->events->len, 1);
    const made_event *events =
        perf->events->len > 0 ? (const made_event *)(const void *)perf->events->data : &first;
    made_bytes(file, "\"PERFILE2\" 104 0 0 0 0 0 0 0 0 0 0 0");
    poke(file, 16, perf->entry_size, 8);
    const guint ids = file->len;
    for (guint i = 0; i < n; i++) {
        put(file, events[i].values[ID], 8);
    }
    poke(file, 24, file->len, 8);
    poke(file, 32, perf->entry_size * n, 8);
    for (guint i = 0; i < n; i++) {
        put_event(file, &events[i], (uint32_t)perf->entry_size, ids + 8 * i);
    }
    poke(file, 40, file->len, 8);
    poke(file, 48, perf->data_size == UINT64_MAX ? perf->data->len : perf->data_size, 8);
    g_byte_array_append(file, perf->data->data, perf->data->len);
    put_features(file, perf);
    for (guint i = 0; i < perf->pokes->len; i += 2) {
        poke(file, g_array_index(perf->pokes, uint64_t, i),
             g_array_index(perf->pokes, uint64_t, i + 1), 1);
    }
    return file;
}

/* ---- reading ---- */

af_profile *made_perf_open(const GByteArray *bytes, const char *symfs, GError **error)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.symfs = symfs;
    const int fd = memfd_create("made_perf", 0);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes->data, bytes->len), (ssize_t)bytes->len);
    ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
    af_profile *profile = af_profile_open_fd(fd, &options, error);
    close(fd);
    return profile;
}

char *made_perf_stacks(const af_profile *profile)
{
    GString *text = g_string_new(NULL);
    for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
        for (uint32_t n = 1; n < af_tree_n_nodes(profile, t); n++) {
            const uint64_t self = af_node_self_ns(profile, t, n, AF_CLOCK_DEFAULT);
            const gsize end = text->len;
            for (uint32_t up = n; self > 0 && up != 0; up = af_node_parent(profile, t, up)) {
                g_string_insert(text, (gssize)end, af_node_label(profile, t, up));
                g_string_insert_c(text, (gssize)end, ';');
            }
            if (self > 0) {
                g_string_insert(text, (gssize)end, af_thread_title(profile, t));
                g_string_insert(text, (gssize)end, end > 0 ? " | " : "");
                g_string_append_printf(text, " %" G_GUINT64_FORMAT, self);
            }
        }
    }
    return g_string_free(text, FALSE);
}

char *made_perf_warnings(const af_profile *profile)
{
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < af_profile_n_warnings(profile); i++) {
        af_warning_view warning = AF_WARNING_VIEW_INIT;
        af_profile_warning(profile, i, &warning);
        g_string_append_printf(text, "%s%s %" G_GUINT64_FORMAT, i > 0 ? ", " : "", warning.id,
                               warning.count);
    }
    return g_string_free(text, FALSE);
}
