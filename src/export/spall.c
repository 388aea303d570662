/* Spall, version 3: a header, and for each thread buffers of starts and ends in whole ns, preceded
 * by the names of thread and process.
 *
 * Version 1, which Spall of before July 2025 reads too, cannot hold thread names; use the format
 * "chrome" for those builds. Spall reads buffers of up to 1 MB. Names have at most 255 bytes:
 * longer ones are truncated between characters. There is no padding, which Spall in a browser
 * cannot read.
 *
 * Not tested with Spall, which is not available as a package; aflame reads the same trees from
 * it. */
#include "export/exporter.h"

#include "base/memory_error.h"
#include "export/calls.h"

#define MAGIC UINT64_C(0x0BADF00D)

enum { BEGIN = 3, END = 4, NAME_PROCESS = 8, NAME_THREAD = 9 };

enum { MOST_NAME = 255, MOST_RECORD = 11 + MOST_NAME, MOST_BUFFER = 1 << 16 };

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    af_out *out;
    uint64_t start_ns; /* of the trace, in the written clock */
    uint64_t first_ns; /* of the buffer */
    uint32_t thread;
    size_t used;
    uint8_t *buffer; /* of MOST_BUFFER bytes: records */
} writer;

static void store(uint8_t *at, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

static void flush(writer *w)
{
    uint8_t header[20];
    if (w->used > 0) {
        store(header, w->used, 4);
        store(header + 4, w->selection->ids->tids[w->thread], 4);
        store(header + 8, w->selection->ids->pids[w->thread], 4);
        store(header + 12, w->first_ns, 8);
        af_out_bytes(w->out, header, sizeof header);
        af_out_bytes(w->out, w->buffer, w->used);
        w->used = 0;
    }
}

/* Reserves space for one more record with this time. */
static uint8_t *reserve(writer *w, uint64_t ns)
{
    if (w->used > MOST_BUFFER - MOST_RECORD) {
        flush(w);
    }
    w->first_ns = w->used == 0 ? ns : w->first_ns;
    return w->buffer + w->used;
}

/* The prefix of a name that fits. */
static uint8_t cut_name(const char *name, size_t length)
{
    if (length > MOST_NAME) {
        length = MOST_NAME;
        while (((uint8_t)name[length] & 0xC0) == 0x80) {
            length--;
        }
    }
    return (uint8_t)length;
}

static void put_name(writer *w, uint8_t kind, const char *name)
{
    const uint8_t length = cut_name(name, strlen(name));
    uint8_t *at = reserve(w, 0);
    at[0] = kind;
    at[1] = length;
    memcpy(at + 2, name, length);
    w->used += 2 + (size_t)length;
}

static gboolean begin_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    writer *w = user;
    w->thread = thread;
    if (w->selection->ids->names[thread] != NULL) {
        put_name(w, NAME_PROCESS, w->selection->ids->names[thread]);
    }
    put_name(w, NAME_THREAD, w->profile->threads[thread].name);
    return TRUE;
}

static bool enter_call(void *user, const af_call_event *edge, GError **error)
{
    writer *w = user;
    const af_label *label = &w->profile->labels[edge->label];
    const uint8_t length = cut_name(label->text, label->length);
    const uint64_t ns = edge->time_ns[w->selection->clock] - w->start_ns;
    uint8_t *at = reserve(w, ns);
    at[0] = BEGIN;
    store(at + 1, ns, 8);
    at[9] = length;
    at[10] = 0; /* arguments */
    memcpy(at + 11, label->text, length);
    w->used += 11 + (size_t)length;
    return w->out->error == NULL || af_export_stop(error);
}

static bool leave_call(void *user, const af_call_event *edge, GError **error)
{
    writer *w = user;
    const uint64_t ns = edge->time_ns[w->selection->clock] - w->start_ns;
    uint8_t *at = reserve(w, ns);
    at[0] = END;
    store(at + 1, ns, 8);
    w->used += 9;
    return w->out->error == NULL || af_export_stop(error);
}

static gboolean end_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    flush(user);
    return TRUE;
}

static gboolean write_spall(const af_profile *profile, const af_selection *selection, af_out *out,
                            GError **error)
{
    writer w = {.profile = profile, .selection = selection, .out = out};
    const af_thread_observer observer = {1, begin_thread, enter_call, leave_call, end_thread, &w};
    w.buffer = g_malloc(MOST_BUFFER);
    w.start_ns = selection->clock == AF_WALL ? af_profile_start_ns(profile) : 0;
    static const double unit_ns = 1;
    uint64_t bits;
    uint8_t header[32] = {0};
    memcpy(&bits, &unit_ns, sizeof bits);
    store(header, MAGIC, 8);
    store(header + 8, 3, 8);
    store(header + 16, bits, 8);
    af_out_bytes(w.out, header, sizeof header);
    const gboolean ok = af_export_walk_threads(profile, selection, &observer, error);
    g_free(w.buffer);
    return ok;
}

const af_exporter af_exporter_spall = {
    .name = "spall",
    .extensions = "spall",
    .title = "Spall, version 3",
    .calls = AF_CALLS_NEEDED,
    .binary = TRUE,
    .loses = AF_LOSES_TIMELINE | AF_LOSES_CLOCK | AF_LOSES_SAMPLING | AF_LOSES_OVERFLOW,
    .write = write_spall,
};
