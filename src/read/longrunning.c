/* Dumps of long-running methods, which Android 16 and later keep of every process and print into
 * ANR reports: `LongRunningMethods: ` and the same bytes in base64. No magic; blocks of records
 * come first, the names of methods last. Times are nanoseconds of a counter. */
#include "read/reader.h"

#include <string.h>

#include "base/bytes.h"
#include "read/keytext.h"

#define BLOCK_HEAD  12u /* u1 2, u4 thread, u3 count (cut to 16 bits), u4 size */
#define METHOD_HEAD 11u /* u1 1, u8 id, u2 length */
#define THREAD_HEAD 7u  /* u1 0, u4 thread, u2 length */

static const char key[] = "LongRunningMethods: ";

/* A packet that begins at `at`: its length as a whole, 0 if it is none or does not end in time. */
static size_t packet_length(const uint8_t *at, const uint8_t *end)
{
    const size_t left = (size_t)(end - at);
    static const unsigned heads[] = {THREAD_HEAD, METHOD_HEAD, BLOCK_HEAD};
    if (left == 0 || *at > 2 || left < heads[*at]) {
        return 0;
    }
    const size_t length = *at == 2 ? af_load_u32(at + 8) : af_load_u16(at + heads[*at] - 2);
    return length > left - heads[*at] ? 0 : heads[*at] + length;
}

/* Whether the bytes are such a dump from the first to the last: a block, then only packets. */
static gboolean is_dump(const uint8_t *bytes, size_t length)
{
    const uint8_t *at = bytes, *end = bytes + length;
    if (length == 0 || *bytes != 2) {
        return FALSE;
    }
    while (at < end) {
        const size_t n = packet_length(at, end);
        if (n == 0) {
            return FALSE;
        }
        if (*at == 1 && memchr(at + METHOD_HEAD, '\t', n - METHOD_HEAD) == NULL) {
            return FALSE;
        }
        at += n;
    }
    return TRUE;
}

static const char *find_text(const uint8_t *bytes, size_t length, size_t *left)
{
    const char *at = memmem(bytes, length, key, sizeof key - 1);
    if (at == NULL) {
        return NULL;
    }
    at += sizeof key - 1;
    *left = length - (size_t)(at - (const char *)bytes);
    return at;
}

/* The bytes of the dump in a text report; NULL if there are none. The caller frees. */
static guchar *decode_text(const uint8_t *bytes, size_t length, gsize *decoded)
{
    size_t left;
    const char *at = find_text(bytes, length, &left);
    if (at == NULL) {
        return NULL;
    }
    size_t n = 0;
    while (n < left && (g_ascii_isalnum(at[n]) || memchr("+/=", at[n], 3) != NULL)) {
        n++;
    }
    char *base64 = g_strndup(at, n);
    guchar *dump = g_base64_decode(base64, decoded);
    g_free(base64);
    return dump;
}

static int detect(const uint8_t *head, size_t length, const char *path)
{
    (void)path;
    size_t left;
    if (is_dump(head, length)) {
        return 60;
    }
    return length > 0 && memchr(head, '\0', MIN(length, 1024)) == NULL &&
                   find_text(head, length, &left) != NULL
               ? 50
               : 0;
}

/* ---- records ---- */

typedef struct {
    af_sink *sink;
    GHashTable *stacks;   /* thread id -> GArray of method ids that are open */
    uint64_t place;
} dump;

static GArray *stack_of(dump *d, uint64_t thread)
{
    GArray *stack = g_hash_table_lookup(d->stacks, &thread);
    if (stack == NULL) {
        stack = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        g_hash_table_insert(d->stacks, g_memdup2(&thread, sizeof thread), stack);
    }
    return stack;
}

static void add_event(dump *d, uint64_t thread, uint64_t method, unsigned action, uint64_t ns)
{
    const af_event event = {
        .thread = af_sink_thread(d->sink, thread),
        .call = af_event_call(af_sink_method(d->sink, method & ~UINT64_C(3)), action),
        .time = {ns, 0}};
    af_sink_events(d->sink, &event, 1, d->place, 0);
}

static void take_block(dump *d, const uint8_t *block, size_t length)
{
    const uint64_t thread = af_load_u32(block + 1);
    const uint8_t *at = block + BLOCK_HEAD, *end = block + length;
    GArray *open = stack_of(d, thread);
    uint64_t time = 0, method = 0;
    while (at < end) {
        int64_t step;
        gboolean ok = af_sleb128(&at, end, &step);
        time += ok ? (uint64_t)step : 0;
        const gboolean exits = (time & 1) != 0;
        if (ok && !exits) {
            ok = af_sleb128(&at, end, &step);
            method += ok ? (uint64_t)step : 0;
        }
        if (!ok) {
            af_sink_warn(d->sink, AF_WARN_CORRUPT_BLOCK, 1, d->place);
            return;
        }
        if (!exits) {
            g_array_append_val(open, method);
            add_event(d, thread, method, AF_ENTER, time >> 1);
        } else if (open->len > 0) {
            add_event(d, thread, g_array_index(open, uint64_t, open->len - 1), AF_EXIT, time >> 1);
            g_array_set_size(open, open->len - 1);
        }
    }
}

static void take_method(dump *d, const uint8_t *info, size_t length)
{
    const char *at = (const char *)info + METHOD_HEAD, *end = (const char *)info + length;
    end -= end > at && end[-1] == '\n';
    af_method_text text;
    af_keytext_parse_columns(at, (size_t)(end - at), &text);
    af_sink_define_method(d->sink, af_load_u64(info + 1) & ~UINT64_C(3), &text, TRUE);
}

static void free_stack(gpointer stack)
{
    g_array_unref(stack);
}

static void walk(dump *d, const uint8_t *bytes, size_t length, GHashTable *names)
{
    const uint8_t *at = bytes, *end = bytes + length;
    size_t n;
    for (; (n = packet_length(at, end)) > 0; at += n) {
        d->place = (uint64_t)(at - bytes);
        if (*at == 2) {
            take_block(d, at, n);
        } else if (*at == 1) {
            take_method(d, at, n);
        } else {
            const uint64_t id = af_load_u32(at + 1);
            const af_slice name = {(const char *)at + THREAD_HEAD, n - THREAD_HEAD};
            g_hash_table_replace(names, g_memdup2(&id, sizeof id),
                                 g_memdup2(&name, sizeof name));
        }
    }
}

static void read_dump(const uint8_t *bytes, size_t length, af_sink *sink)
{
    sink->facts.container = AF_CONTAINER_LONG_RUNNING;
    const af_ticks ticks = {.clocks = 1u << AF_WALL, .tick_ns = 1};
    af_sink_start(sink, &ticks);
    GHashTable *names = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    dump d = {
        .sink = sink,
        .stacks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_stack)};
    walk(&d, bytes, length, names);
    g_hash_table_unref(d.stacks);
    sink->facts.threads_announced = g_hash_table_size(names);
    for (uint32_t t = 0; t < sink->thread_ids.n; t++) {
        const af_slice *name = g_hash_table_lookup(names, &sink->thread_ids.ids[t]);
        if (name != NULL) {
            af_sink_describe_thread(sink, t, name->bytes, name->length, FALSE, FALSE);
        }
    }
    g_hash_table_unref(names);
}

static gboolean read_input(const af_source *source, const af_source *other,
                           const af_open_options *options, af_sink *sink, GError **error)
{
    (void)other;
    (void)options;
    sink->facts.truncated = source->cut;
    if (is_dump(source->bytes, source->length)) {
        read_dump(source->bytes, source->length, sink);
        return TRUE;
    }
    gsize length = 0;
    guchar *bytes = decode_text(source->bytes, source->length, &length);
    const gboolean ok = bytes != NULL && is_dump(bytes, length);
    if (ok) {
        read_dump(bytes, length, sink);
    } else {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "the LongRunningMethods line of this report is cut or damaged");
    }
    g_free(bytes);
    return ok;
}

const af_reader af_reader_longrunning = {
    .name = "long-running",
    .title = "dump of long-running methods (Android 16), also inside an ANR report",
    .extensions = "txt",
    .detect = detect,
    .read = read_input,
};
