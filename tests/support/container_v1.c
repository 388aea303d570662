/* Text part, data header, records: Dalvik, and ART without streaming. Also the two containers that
 * share its records: the stream, and raw files that are not traces. */
#include "recording.h"

static void begin_v1(recording *r)
{
    bytes_le(r->bytes, 0x574f4c53, 4);
    bytes_le(r->bytes, r->version, 2);
    bytes_le(r->bytes, r->offset_field, 2);
    bytes_le(r->bytes, r->start, 8);
    if (r->header >= 18) {
        bytes_le(r->bytes, r->record_field, 2);
    }
    while (r->bytes->len < r->header) {
        bytes_zero(r->bytes, 1);
    }
}

/* Fills the bytes after the times of an oversized record with a non-zero value, so that a reader
 * that uses them fails. */
static void put_v1(recording *r, const trace_record *record)
{
    const guint begin = r->bytes->len;
    bytes_le(r->bytes, record->thread, (r->version & 15) == 1 ? 1 : 2);
    bytes_le(r->bytes, record->method | record->action, 4);
    bytes_le(r->bytes, record->time[0], 4);
    if (r->dual) {
        bytes_le(r->bytes, record->time[WALL], 4);
    }
    while (r->bytes->len < begin + r->record_size) {
        bytes_le(r->bytes, 0xa5, 1);
    }
    r->n_records++;
}

static void put_raw(recording *r, const guint8 *bytes, gsize length)
{
    g_byte_array_append(r->bytes, bytes, (guint)length);
}

static void refuse_summary(recording *r, const key_text *text)
{
    recording_fail(r, "this container has no summary packet");
}

static void finish_v1(recording *r)
{
    GByteArray *key = g_byte_array_new();
    key_text_write(&r->text, r, key);
    if (r->split) {
        recording_output(r, ".key", key, key->len);
        recording_output(r, ".data", r->bytes, 0);
        return;
    }
    const gsize data_at = key->len;
    g_byte_array_append(key, r->bytes->data, r->bytes->len);
    recording_output(r, r->suffix, key, data_at);
}

const container container_v1 = {
    .name = "v1",
    .begin = begin_v1,
    .thread = key_text_thread,
    .method = key_text_method,
    .put = put_v1,
    .raw = put_raw,
    .summary = refuse_summary,
    .finish = finish_v1,
};

/* ---- the stream: packets; a thread id of 0 announces a control packet ---- */

static void put_thread_packet(recording *r, uint64_t id, const GString *name)
{
    bytes_le(r->bytes, 0, 2);
    bytes_le(r->bytes, 2, 1);
    bytes_le(r->bytes, id, 2);
    bytes_le(r->bytes, name->len, 2);
    bytes_string(r->bytes, name);
}

static void put_method_packet(recording *r, uint64_t id, const GString *columns)
{
    g_autoptr(GString) line = key_text_method_line(id, columns);
    g_string_append_c(line, '\n');
    bytes_le(r->bytes, 0, 2);
    bytes_le(r->bytes, 1, 1);
    bytes_le(r->bytes, line->len, 2);
    bytes_string(r->bytes, line);
}

static void put_summary_packet(recording *r, const key_text *text)
{
    g_autoptr(GByteArray) key = g_byte_array_new();
    key_text_write(text, r, key);
    bytes_le(r->bytes, 0, 2);
    bytes_le(r->bytes, 3, 1);
    bytes_le(r->bytes, key->len, 4);
    g_byte_array_append(r->bytes, key->data, key->len);
}

static void finish_whole(recording *r)
{
    recording_output(r, r->suffix, r->bytes, 0);
}

const container container_stream = {
    .name = "stream",
    .begin = begin_v1,
    .thread = put_thread_packet,
    .method = put_method_packet,
    .put = put_v1,
    .raw = put_raw,
    .summary = put_summary_packet,
    .finish = finish_whole,
};

/* ---- any bytes ---- */

static void begin_plain(recording *r)
{
}

static void refuse_thread(recording *r, uint64_t id, const GString *name)
{
    recording_fail(r, "`format raw` has no threads and methods");
}

static void refuse_record(recording *r, const trace_record *record)
{
    recording_fail(r, "`format raw` has no records");
}

const container container_raw = {
    .name = "raw",
    .begin = begin_plain,
    .thread = refuse_thread,
    .method = refuse_thread,
    .put = refuse_record,
    .raw = put_raw,
    .summary = refuse_summary,
    .finish = finish_whole,
};
