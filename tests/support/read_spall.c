/* Spall's files of version 3, by the rules of its own readers: refuses everything at which they
 * give up. */
#include <string.h>
#include "export_rows.h"

typedef struct {
    open_calls *open;
    gboolean named;
} track;

typedef struct {
    export_rows *rows;
    GHashTable *tracks; /* by pid << 32 | tid */
} reading;

static guint64 load(const guint8 *at, guint width)
{
    guint64 value = 0;
    for (guint i = width; i > 0; i--) {
        value = value << 8 | at[i - 1];
    }
    return value;
}

static void free_track(gpointer t)
{
    open_calls_free(((track *)t)->open);
    g_free(t);
}

static track *find_track(reading *r, guint64 tid, guint64 pid)
{
    const gint64 key = (gint64)(pid << 32 | tid);
    track *t = g_hash_table_lookup(r->tracks, &key);
    if (t == NULL) {
        t = g_new0(track, 1);
        t->open = open_calls_new(r->rows, stack_of_id((gint64)tid));
        g_hash_table_insert(r->tracks, g_memdup2(&key, sizeof key), t);
    }
    return t;
}

/* Reads the record at `at` and returns its length. */
static gsize take_record(reading *r, track *t, const guint8 *at, gsize left)
{
    const gsize head = *at == 3 ? 11 : *at == 4 ? 9 : 2;
    if (left < head || (*at != 4 && left < head + at[head == 2 ? 1 : 9])) {
        refuse("a record extends past its buffer");
    }
    if (*at == 8 || *at == 9) {
        t->named |= *at == 9;
        return 2 + (gsize)at[1];
    }
    if ((*at != 3 && *at != 4) || !t->named) {
        refuse("a record of unexpected kind %u, or a thread without a name", *at);
    }
    open_calls_pass(t->open, load(at + 1, 8));
    if (*at == 4) {
        open_calls_end(t->open);
        return head;
    }
    g_autofree char *name = g_strndup((const char *)at + 11, at[9]);
    if (at[10] != 0 || !g_utf8_validate(name, -1, NULL)) {
        refuse("a name is not UTF-8, or a call has arguments");
    }
    open_calls_begin(t->open, g_intern_string(name));
    rows_add(r->rows, open_calls_top(t->open)->stack, name, CALLS, 1);
    return head + at[9];
}

void read_spall(export_rows *rows, const char *bytes, gsize length)
{
    reading r = {rows, g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_track)};
    const guint8 *at = (const guint8 *)bytes, *const end = at + length;
    if (length < 32 || load(at, 8) != 0x0BADF00D || load(at + 8, 8) != 3 ||
        load(at + 16, 8) != G_GUINT64_CONSTANT(0x3FF0000000000000) || load(at + 24, 8) != 0) {
        refuse("unexpected header");
    }
    for (at += 32; at < end;) {
        const gsize size = end - at < 20 ? 0 : load(at, 4);
        if (size == 0 || size > 1 << 20 || size > (gsize)(end - at - 20)) {
            refuse("a buffer is empty, too large, or extends past the file");
        }
        track *t = find_track(&r, load(at + 4, 4), load(at + 8, 4));
        at += 20;
        for (const guint8 *stop = at + size; at < stop;) {
            at += take_record(&r, t, at, (gsize)(stop - at));
        }
    }
    g_hash_table_unref(r.tracks);
}
