/* V2 (Android 15 and later), and the dumps of long-running methods and of all methods: the same
 * entry blocks without a header and with different records. */
#include "recording.h"

#include <string.h>

static void put_block(recording *r)
{
    entry_block *b = &r->block;
    if (!b->open) {
        return;
    }
    if (r->container->end_block != NULL) {
        r->container->end_block(r);
        return;
    }
    /* Android's writer stores only 16 of the count's 24 bits */
    const uint64_t count = b->has_header_count ? b->header_count : b->count & 0xffff;
    const uint64_t size = b->has_header_size ? b->header_size : b->bytes->len;
    bytes_le(r->bytes, 2, 1);
    bytes_le(r->bytes, b->thread, 4);
    bytes_le(r->bytes, count, 3);
    bytes_le(r->bytes, size, 4);
    g_byte_array_append(r->bytes, b->bytes->data, b->bytes->len);
    g_byte_array_set_size(b->bytes, 0);
    b->open = b->has_header_count = b->has_header_size = FALSE;
}

void entry_block_end(recording *r, gboolean keep)
{
    put_block(r);
    r->block.keep = keep;
}

void entry_block_open(recording *r, uint64_t thread)
{
    entry_block *b = &r->block;
    if (b->open && b->thread == thread) {
        return;
    }
    put_block(r);
    if (!b->keep) {
        b->count = b->last_id = b->last[CPU] = b->last[WALL] = 0;
        b->after_entry = TRUE;
    }
    b->keep = FALSE;
    b->open = TRUE;
    b->thread = thread;
}

static void put_difference(recording *r, uint64_t *last, uint64_t now)
{
    uint64_t step = now - *last;
    if (r->layout == 'c') {
        step &= 0xffffffff; /* 32-bit arithmetic of the writers before 2025 */
    }
    bytes_uleb(r->block.bytes, step);
    *last = now;
}

static void put_method_difference(entry_block *b, uint64_t id)
{
    bytes_sleb(b->bytes, (int64_t)(id - b->last_id));
    b->last_id = id;
}

/* V2e: the time contains the action; only entries name their method. */
static void put_v2e(recording *r, const trace_record *record)
{
    entry_block *b = &r->block;
    const uint64_t stamp = record->time[r->dual ? WALL : 0] << 2 | record->action;
    bytes_sleb(b->bytes, (int64_t)(stamp - b->last[WALL]));
    b->last[WALL] = stamp;
    if (r->dual) {
        bytes_sleb(b->bytes, (int64_t)(record->time[CPU] - b->last[CPU]));
        b->last[CPU] = record->time[CPU];
    }
    if (record->action == ACTION_ENTER) {
        put_method_difference(b, record->method);
    }
}

static void put_v2(recording *r, const trace_record *record)
{
    entry_block_open(r, record->thread);
    entry_block *b = &r->block;
    if (r->layout == 'e') {
        put_v2e(r, record);
    } else {
        put_method_difference(b, record->method | record->action);
        if (r->dual) {
            put_difference(r, &b->last[WALL], record->time[WALL]);
        }
        put_difference(r, &b->last[CPU], record->time[0]);
    }
    b->count++;
    r->n_records++;
}

static void begin_v2(recording *r)
{
    bytes_le(r->bytes, 0x574f4c53, 4);
    bytes_le(r->bytes, r->version, 2);
    bytes_le(r->bytes, r->start, 8);
    if (r->layout == 'e') {
        bytes_le(r->bytes, 0x123456789a, 8); /* the counter at the start; readers ignore it */
        bytes_le(r->bytes, r->frequency, 8);
    }
    bytes_zero(r->bytes, 32 - r->bytes->len);
    r->text.short_form = TRUE;
}

static void put_thread_info(recording *r, uint64_t id, const GString *name)
{
    put_block(r);
    bytes_le(r->bytes, 0, 1);
    bytes_le(r->bytes, id, 4);
    bytes_le(r->bytes, name->len, 2);
    bytes_string(r->bytes, name);
}

static void put_method_info(recording *r, uint64_t id, const GString *columns)
{
    put_block(r);
    bytes_le(r->bytes, 1, 1);
    bytes_le(r->bytes, id, 8);
    bytes_le(r->bytes, columns->len + 1, 2);
    bytes_string(r->bytes, columns);
    bytes_le(r->bytes, '\n', 1);
}

static void put_summary(recording *r, const key_text *text)
{
    g_autoptr(GByteArray) key = g_byte_array_new();
    put_block(r);
    key_text_write(text, r, key);
    bytes_le(r->bytes, 3, 1);
    bytes_le(r->bytes, key->len, 2);
    g_byte_array_append(r->bytes, key->data, key->len);
}

/* Inside an open block the bytes become part of the block. */
static void put_raw(recording *r, const guint8 *bytes, gsize length)
{
    g_byte_array_append(r->block.open ? r->block.bytes : r->bytes, bytes, (guint)length);
}

static void finish_v2(recording *r)
{
    put_block(r);
    recording_output(r, r->suffix, r->bytes, 0);
}

const container container_v2 = {
    .name = "v2",
    .begin = begin_v2,
    .thread = put_thread_info,
    .method = put_method_info,
    .put = put_v2,
    .raw = put_raw,
    .summary = put_summary,
    .finish = finish_v2,
};

/* ---- dumps ---- */

static void begin_dump(recording *r)
{
    r->dual = FALSE;
}

/* Bit 0 of the time marks an exit; exits do not name a method. */
static void put_long_running(entry_block *b, const trace_record *record)
{
    const uint64_t stamp = record->time[0] << 1 | (record->action != ACTION_ENTER);
    bytes_sleb(b->bytes, (int64_t)(stamp - b->last[0]));
    b->last[0] = stamp;
    if (record->action == ACTION_ENTER) {
        put_method_difference(b, record->method);
    }
}

/* No times. After an entry the difference 1 is an exit; after an exit the difference 0 is. */
static void put_any_method(entry_block *b, const trace_record *record)
{
    if (record->action == ACTION_ENTER) {
        const uint64_t last = b->after_entry ? b->last_id : 1;
        bytes_sleb(b->bytes, (int64_t)(record->method - last));
        b->last_id = record->method;
    } else {
        bytes_sleb(b->bytes, b->after_entry ? 1 : 0);
    }
    b->after_entry = record->action == ACTION_ENTER;
}

static void put_dump(recording *r, const trace_record *record)
{
    entry_block_open(r, record->thread);
    if (r->layout == 'a') {
        put_any_method(&r->block, record);
        r->block.has_header_size = TRUE; /* four bytes that the writer leaves uninitialised */
        r->block.header_size = 0xdeadbeef;
    } else {
        put_long_running(&r->block, record);
    }
    r->block.count++;
    r->n_records++;
}

static void refuse_summary(recording *r, const key_text *text)
{
    recording_fail(r, "this container has no summary packet");
}

static void finish_dump(recording *r)
{
    put_block(r);
    if (!r->in_text) {
        recording_output(r, r->suffix, r->bytes, 0);
        return;
    }
    g_autofree char *base64 = g_base64_encode(r->bytes->data, r->bytes->len);
    g_autofree char *text =
        g_strdup_printf("----- pid %d at 2026-01-02 03:04:05.000000000+0000 -----\n"
                        "Cmd line: com.example.app\n"
                        "Build type: optimized\n"
                        "suspend all histogram:\tSum: 120us\n"
                        "DALVIK THREADS (2):\n"
                        "\"main\" prio=5 tid=1 Runnable\n"
                        "  at com.example.app.Main.onCreate(Main.kt:12)\n"
                        "LongRunningMethods: %s\n"
                        "----- end %d -----\n",
                        100, base64, 100);
    GByteArray *bytes = g_byte_array_new();
    g_byte_array_append(bytes, (const guint8 *)text, (guint)strlen(text));
    recording_output(r, r->suffix, bytes, 0);
}

const container container_dump = {
    .name = "dump",
    .begin = begin_dump,
    .thread = put_thread_info,
    .method = put_method_info,
    .put = put_dump,
    .raw = put_raw,
    .summary = refuse_summary,
    .finish = finish_dump,
};
