/* Spall's files from manually instrumented programs. Versions 0 and 1 are a sequence of records,
 * versions 2 and 3 are buffers of one thread each. A method is its name. */
#include "recording.h"

static void begin_spall(recording *r)
{
    bytes_le(r->bytes, 0x0badf00d, 8);
    bytes_le(r->bytes, r->version, 8);
    bytes_double(r->bytes, r->unit);
    bytes_zero(r->bytes, 8);
}

static void put_buffer(recording *r)
{
    entry_block *b = &r->block;
    bytes_le(r->bytes, b->has_header_size ? b->header_size : b->bytes->len, 4);
    bytes_le(r->bytes, b->thread, 4);
    if (r->version == 3) {
        bytes_le(r->bytes, r->process, 4);
        bytes_le(r->bytes, 0x7777777777, 8); /* the first time; readers must not trust it */
    }
    g_byte_array_append(r->bytes, b->bytes->data, b->bytes->len);
    g_byte_array_set_size(b->bytes, 0);
    b->open = b->has_header_count = b->has_header_size = FALSE;
}

/* Where the next bytes of a thread go. */
static GByteArray *bytes_of(recording *r, uint64_t thread)
{
    if (r->version < 2) {
        return r->bytes;
    }
    entry_block_open(r, thread);
    return r->block.bytes;
}

static void name_thread(recording *r, uint64_t id, const GString *name)
{
    if (r->version != 3) {
        recording_fail(r, "thread names need version 3");
    }
    GByteArray *bytes = bytes_of(r, id);
    bytes_le(bytes, 9, 1);
    bytes_le(bytes, name->len, 1);
    bytes_string(bytes, name);
}

static void name_method(recording *r, uint64_t id, const GString *name)
{
    g_hash_table_insert(r->names, g_memdup2(&id, sizeof id),
                        g_string_new_len(name->str, (gssize)name->len));
}

static void put_spall(recording *r, const trace_record *record)
{
    GByteArray *bytes = bytes_of(r, record->thread);
    const gboolean enters = record->action == ACTION_ENTER;
    const GString *name = g_hash_table_lookup(r->names, &record->method);
    if (enters && name == NULL) {
        recording_fail(r, "the method has no name");
    }
    bytes_le(bytes, enters ? 3 : 4, 1);
    if (enters && (r->version == 1 || r->version == 2)) {
        bytes_le(bytes, 0, 1); /* category */
    }
    if (r->version < 2) {
        bytes_le(bytes, r->process, 4);
        bytes_le(bytes, record->thread, 4);
        bytes_double(bytes, (double)record->time[0]);
    } else {
        bytes_le(bytes, record->time[0], 8);
    }
    if (enters) {
        bytes_le(bytes, name->len, 1);
        bytes_le(bytes, 0, r->version == 0 ? 0 : 1); /* no arguments */
        bytes_string(bytes, name);
    }
    r->n_records++;
}

static void put_raw(recording *r, const guint8 *bytes, gsize length)
{
    g_byte_array_append(r->block.open ? r->block.bytes : r->bytes, bytes, (guint)length);
}

static void refuse_summary(recording *r, const key_text *text)
{
    recording_fail(r, "Spall has no summary");
}

static void finish_spall(recording *r)
{
    entry_block_end(r, FALSE);
    recording_output(r, r->suffix, r->bytes, 32);
}

const container container_spall = {
    .name = "spall",
    .begin = begin_spall,
    .thread = name_thread,
    .method = name_method,
    .put = put_spall,
    .raw = put_raw,
    .summary = refuse_summary,
    .finish = finish_spall,
    .end_block = put_buffer,
};
