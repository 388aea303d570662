/* Dumps of long-running methods: Android 16 and later record them in every process and print them
 * into ANR reports: `LongRunningMethods: ` and the same bytes in base64. The format has no magic;
 * blocks of records come first, the names of methods last. Times are nanoseconds of a counter. */
#include "read/reader.h"

#include <string.h>

#include "base/spool.h"
#include "read/android/v2.h"

/* Records per batch. */
#define ENCODED_STEP 4096u

/* How far to search for the dump in a text that is not in memory. ANR reports have some megabytes,
 * bug reports of an Android device about a hundred. */
#define MOST_REPORT ((size_t)256 * 1024 * 1024)

static const char key[] = "LongRunningMethods: ";

/* Whether all bytes are such a dump: a block, then only packets. */
static gboolean is_dump(const uint8_t *bytes, size_t length)
{
    af_v2_packets p = {bytes, bytes + length};
    af_v2_packet next;
    if (length == 0 || *bytes != AF_V2_BLOCK) {
        return FALSE;
    }
    while (af_v2_next_packet(&p, &next) <= AF_V2_BLOCK) {
        if (next.cut ||
            (next.kind == AF_V2_METHOD && memchr(next.bytes, '\t', next.length) == NULL)) {
            return FALSE;
        }
    }
    return next.kind == AF_V2_END;
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

/* Returns the bytes of the dump in a text report; NULL if there are none, or with an error. */
static af_spool *decode_text(const uint8_t *bytes, size_t length, GError **error)
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
    af_spool *decoded = af_spool_new(NULL);
    gint state = 0;
    guint save = 0;
    for (size_t done = 0; done < n; done += ENCODED_STEP) {
        guchar some[ENCODED_STEP];
        const size_t n_some =
            g_base64_decode_step(at + done, MIN(n - done, ENCODED_STEP), some, &state, &save);
        if (!af_spool_add(decoded, some, n_some, error)) {
            af_spool_free(decoded);
            return NULL;
        }
    }
    return decoded;
}

static gboolean is_binary(const uint8_t *head, size_t length)
{
    return length == 0 || memchr(head, '\0', MIN(length, 1024)) != NULL;
}

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    size_t left;
    if (more) {
        return head[0] == 2 || (!is_binary(head, length) && length < MOST_REPORT) ? AF_UNSURE : 0;
    }
    if (is_dump(head, length)) {
        return 60;
    }
    return !is_binary(head, length) && find_text(head, length, &left) != NULL ? 80 : 0;
}

static void read_dump(const uint8_t *bytes, size_t length, af_sink *sink)
{
    af_sink_facts(sink)->container = AF_CONTAINER_LONG_RUNNING;
    const af_ticks ticks = {.clocks = 1u << AF_WALL, .tick_ns = 1};
    af_sink_start(sink, &ticks);
    g_autofree af_v2_file *f = g_new0(af_v2_file, 1);
    f->sink = sink;
    f->ids = af_sink_borrow_ids(sink);
    f->begin = bytes;
    f->packets = (af_v2_packets){bytes, bytes + length};
    f->version = 4;
    f->layout = AF_V2_LAYOUT_LONG_RUNNING;
    f->single = AF_WALL;
    af_thread_names_init(&f->announced);
    af_v2_take_blocks(f);
    af_v2_take_names(f);
    const af_thread_names *names = &f->announced;
    af_sink_facts(sink)->android.threads_announced = af_thread_names_size(names);
    af_sink_fail_if(sink, af_thread_names_failed(names));
    for (uint32_t i = 0; i < af_thread_names_size(names); i++) {
        const uint64_t id = names->names.ids.ids[i];
        af_sink_raw_thread(sink, id, *af_thread_names_find(names, id));
    }
    for (uint32_t t = 0; t < af_sink_threads(sink)->n; t++) {
        const af_span *name = af_thread_names_find(names, af_idmap_id(af_sink_threads(sink), t));
        if (name != NULL) {
            af_sink_describe_thread(sink, t, name->bytes, name->length, FALSE, FALSE);
        }
    }
    af_thread_names_clear(&f->announced);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    if (!af_source_reach_end(source, error)) {
        return FALSE;
    }
    af_sink_facts(sink)->recording.truncated = source->cut;
    if (is_dump(source->bytes, source->length)) {
        read_dump(source->bytes, source->length, sink);
        return TRUE;
    }
    GError *failure = NULL;
    g_autoptr(af_spool) decoded = decode_text(source->bytes, source->length, &failure);
    const gboolean ok = decoded != NULL && is_dump(decoded->bytes, decoded->length);
    if (ok) {
        read_dump(decoded->bytes, decoded->length, sink);
    } else if (failure != NULL) {
        g_propagate_error(error, failure);
    } else {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "the LongRunningMethods line of this report is truncated or damaged");
    }
    return ok;
}

const af_reader af_reader_longrunning = {
    .name = "long-running",
    .title = "dump of long-running methods (Android 16), also inside an ANR report",
    .extensions = "txt",
    .detect = detect,
    .read = read_input,
};
