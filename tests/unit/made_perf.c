#include "made_perf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <aflame/aflame.h>

#include "suite.h"

made_perf *made_perf_new(void)
{
    made_perf *perf = g_new0(made_perf, 1);
    perf->attr_size = 128;
    perf->data_size = UINT64_MAX;
    perf->data = g_byte_array_new();
    perf->events = g_array_new(FALSE, FALSE, sizeof(made_event));
    return perf;
}

made_perf *made_perf_of(const made_event *event)
{
    made_perf *perf = made_perf_new();
    made_perf_event(perf, event);
    return perf;
}

made_perf *made_perf_default(void)
{
    return made_perf_of(&(made_event){.has = PERF_DEFAULT});
}

made_perf *made_perf_begin_with(const made_event *event)
{
    made_perf *perf = made_perf_of(event);
    made_perf_library(perf);
    return perf;
}

made_perf *made_perf_begin(void)
{
    return made_perf_begin_with(&(made_event){.has = PERF_DEFAULT});
}

made_perf *made_perf_begin_linux(void)
{
    made_perf *perf = made_perf_of(&(made_event){.has = PERF_DEFAULT, .flags = 1 << 18});
    made_perf_feature(perf, 12, "1/4 0/4 0/4 [ 'cycles' ]");
    return perf;
}

void made_perf_free(made_perf *perf)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(perf->features); i++) {
        g_clear_pointer(&perf->features[i], g_byte_array_unref);
    }
    g_byte_array_unref(perf->data);
    g_array_unref(perf->events);
    g_free(perf);
}

static void put(GByteArray *to, uint64_t value, unsigned width)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < width; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
    g_byte_array_append(to, bytes, width);
}

static void poke(GByteArray *to, size_t at, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        to->data[at + i] = (uint8_t)(value >> (8 * i));
    }
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
            char *end;
            const uint64_t value =
                *at == '-' ? (uint64_t)strtoll(at, &end, 0) : strtoull(at, &end, 0);
            const unsigned width = *end == '/' ? (unsigned)strtoul(end + 1, &end, 10) : 8;
            ck_assert_msg((*end == ' ' || *end == '\0') && end > at, "%s", at);
            put(to, value, width);
            at = end;
        }
    }
}

void made_perf_event(made_perf *perf, const made_event *event)
{
    g_array_append_vals(perf->events, event, 1);
}

void made_perf_record(made_perf *perf, uint32_t type, unsigned misc, const char *words)
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

void made_perf_feature(made_perf *perf, unsigned number, const char *words)
{
    if (perf->features[number] == NULL) {
        perf->features[number] = g_byte_array_new();
    }
    made_bytes(perf->features[number], words);
}

static void put_event(GByteArray *file, const made_event *event, uint32_t entry, guint id_at)
{
    uint8_t attr[512] = {0};
    g_autoptr(GByteArray) words = g_byte_array_new();
    put(words, event->type, 4);
    put(words, entry - 16, 4);
    put(words, event->config, 8);
    put(words, event->period, 8);
    put(words, event->has, 8);
    put(words, event->read_format, 8);
    put(words, event->flags, 8);
    made_bytes(words, "0 0 0");
    put(words, event->branch_type, 8);
    put(words, event->regs, 8);
    memcpy(attr, words->data, words->len);
    g_byte_array_append(file, attr, entry - 16); /* old versions had fewer fields */
    put(file, id_at, 8);
    put(file, event->id != 0 ? 8 : 0, 8);
}

static void put_features(GByteArray *file, const made_perf *perf)
{
    const guint table = file->len;
    guint at[256], n = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(perf->features); i++) {
        if (perf->features[i] != NULL) {
            at[i] = table + 16 * n++;
            put(file, 0, 8);
            put(file, 0, 8);
            file->data[72 + i / 8] |= (uint8_t)(1 << i % 8);
        }
    }
    for (unsigned k = 0; k < G_N_ELEMENTS(perf->features); k++) {
        const unsigned i = perf->backward ? 255 - k : k;
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
    made_bytes(file, "\"PERFILE2\" 104 0 0 0 0 0 0 0 0 0 0 0");
    poke(file, 16, perf->attr_size, 8);
    const guint ids = file->len;
    for (guint i = 0; i < perf->events->len; i++) {
        put(file, g_array_index(perf->events, made_event, i).id, 8);
    }
    poke(file, 24, file->len, 8);
    poke(file, 32, (uint64_t)perf->attr_size * perf->events->len, 8);
    for (guint i = 0; i < perf->events->len; i++) {
        put_event(file, &g_array_index(perf->events, made_event, i), perf->attr_size, ids + 8 * i);
    }
    poke(file, 40, file->len, 8);
    poke(file, 48, perf->data_size == UINT64_MAX ? perf->data->len : perf->data_size, 8);
    g_byte_array_append(file, perf->data->data, perf->data->len);
    put_features(file, perf);
    return file;
}

af_profile *made_perf_open(const GByteArray *bytes, GError **error)
{
    return made_perf_open_symfs(bytes, NULL, error);
}

af_profile *made_perf_open_symfs(const GByteArray *bytes, const char *symfs, GError **error)
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

void made_perf_check(af_profile *profile, GError *error, const char *stacks)
{
    ck_assert_msg(profile != NULL, "%s", error != NULL ? error->message : "?");
    g_autofree char *found = made_perf_stacks(profile);
    ck_assert_str_eq(found, stacks);
    af_profile_free(profile);
}

void made_perf_expect(made_perf *perf, const char *stacks)
{
    g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
    GError *error = NULL;
    af_profile *profile = made_perf_open(bytes, &error);
    made_perf_check(profile, error, stacks);
    made_perf_free(perf);
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

void made_perf_expect_warned(made_perf *perf, const char *stacks, const char *warnings)
{
    g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
    g_autoptr(af_profile) profile = made_perf_open(bytes, NULL);
    ck_assert_ptr_nonnull(profile);
    g_autofree char *found = made_perf_warnings(profile);
    ck_assert_str_eq(found, warnings);
    made_perf_expect(perf, stacks);
}

void made_perf_library(made_perf *perf)
{
    made_perf_record(perf, 10, 2, "7/4 7/4 0x1000 0x1000 0 0/4 0/4 0 0 5/4 2/4 '/lib/l.so' pad");
    made_perf_record(perf, 3, 0, "7/4 7/4 't' pad");
    made_perf_feature(
        perf, 128, "[ '/lib/l.so' 2/4 0 3/4 0x10 0x10/4 'a' 0x20 0x10/4 'b' 0x30 0x10/4 'c' 0 ]");
}

void made_perf_map(made_perf *perf, const char *who, const char *where, const char *name)
{
    g_autofree char *words =
        g_strdup_printf("%s %s 0/4 0/4 0 0 5/4 2/4 '%s' pad", who, where, name);
    made_perf_record(perf, MMAP2, USER, words);
}
