#include "read/timeline_order.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <aflame/error.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/memory_error.h"
#include "base/sorter.h"
#include "base/tempfile.h"

/* More streams than processors or threads usually write at once. */
#define MOST_STREAMS 32u

/* Blocks that stay in memory together, by default. */
#define MOST_HELD ((size_t)16 * 1024 * 1024)

/* A stream is stored in blocks of up to this many bytes. */
#define BLOCK ((size_t)64 * 1024)

/* The most bytes of an event; numbers are written and read with eight bytes each. */
#define MOST_EVENT ((size_t)64)

/* ---- the form of an event ----
 *
 * A head of four bytes: the kind, the kind of CPU time, and the widths of eight numbers, two bits
 * each. The numbers follow: those with width 0 are as in the event before, or one more for the
 * position. Every block begins anew, with all numbers 0. */

enum { NS, POSITION, NAME, A, B, EXTRA, VALUE, CPU };

typedef struct {
    af_timeline_event event;
    uint64_t position; /* among all events added */
} entry;

/* Widths in bytes by code: of times and positions, of 32-bit numbers, of values. */
static const uint8_t time_widths[] = {1, 2, 4, 8};
static const uint8_t step_widths[] = {0, 1, 2, 8};
static const uint8_t short_widths[] = {0, 1, 2, 4};
static const uint8_t long_widths[] = {0, 2, 4, 8};

static const uint64_t masks[] = {
    [0] = 0, [1] = 0xFF, [2] = 0xFFFF, [4] = 0xFFFFFFFF, [8] = UINT64_MAX};

static inline uint8_t *put(uint8_t *to, uint64_t number, unsigned width)
{
    const uint64_t bytes = GUINT64_TO_LE(number);
    memcpy(to, &bytes, sizeof bytes);
    return to + width;
}

static inline uint64_t take(const uint8_t **at, unsigned width)
{
    const uint64_t number = af_load_u64(*at) & masks[width];
    *at += width;
    return number;
}

static inline unsigned code_of_short(uint32_t number, uint32_t before)
{
    return number == before ? 0 : 1u + (number > 0xFF) + (number > 0xFFFF);
}

static inline unsigned code_of_long(uint64_t step)
{
    return (unsigned)(step != 0) + (step > 0xFFFF) + (step > 0xFFFFFFFF);
}

#define CODE(number, code) ((uint32_t)(code) << (16 + 2 * (number)))

static uint8_t *put_others(uint8_t *to, const af_timeline_event *e, const af_timeline_event *before,
                           uint32_t *codes)
{
    const uint64_t value = (uint64_t)e->value - (uint64_t)before->value;
    const uint64_t cpu = (uint64_t)e->cpu_ns - (uint64_t)before->cpu_ns;
    const unsigned a = code_of_short(e->a, before->a), b = code_of_short(e->b, before->b);
    const unsigned extra = code_of_short(e->extra, before->extra);
    const unsigned value_code = code_of_long(value), cpu_code = code_of_long(cpu);
    *codes |= CODE(A, a) | CODE(B, b) | CODE(EXTRA, extra) | CODE(VALUE, value_code) |
              CODE(CPU, cpu_code);
    to = put(to, e->a, short_widths[a]);
    to = put(to, e->b, short_widths[b]);
    to = put(to, e->extra, short_widths[extra]);
    to = put(to, value, long_widths[value_code]);
    return put(to, cpu, long_widths[cpu_code]);
}

/* Writes an event that is not earlier than the one before it in the block. */
static inline uint8_t *encode(uint8_t *to, const af_timeline_event *e, uint64_t position,
                              const entry *before)
{
    const af_timeline_event *b = &before->event;
    uint8_t *const head = to;
    const uint64_t ns = (uint64_t)e->ns - (uint64_t)b->ns;
    const uint64_t steps = position - before->position;
    const unsigned ns_code =
        (unsigned)(ns > 0xFF) + (unsigned)(ns > 0xFFFF) + (unsigned)(ns > 0xFFFFFFFF);
    const unsigned steps_code =
        (unsigned)(steps != 1) + (unsigned)(steps > 0xFF) + (unsigned)(steps > 0xFFFF);
    const unsigned name = code_of_short(e->name, b->name);
    uint32_t codes = CODE(NS, ns_code) | CODE(POSITION, steps_code) | CODE(NAME, name);
    to = put(to + 4, ns, time_widths[ns_code]);
    to = put(to, steps, step_widths[steps_code]);
    to = put(to, e->name, short_widths[name]);
    /* Whether the numbers other than the time, the position and the name are as before. */
    to = (((uint64_t)(e->a ^ b->a) | (e->b ^ b->b) | (e->extra ^ b->extra) |
           (uint64_t)(e->value ^ b->value) | (uint64_t)(e->cpu_ns ^ b->cpu_ns)) == 0)
             ? to
             : put_others(to, e, b, &codes);
    const uint32_t first = GUINT32_TO_LE(codes | (uint32_t)e->cpu_kind << 8 | (uint32_t)e->kind);
    memcpy(head, &first, sizeof first);
    return to;
}

static inline uint32_t take_short(const uint8_t **at, unsigned code, uint32_t before)
{
    const uint32_t number = (uint32_t)take(at, short_widths[code]);
    return code == 0 ? before : number;
}

#define CODE_AT(number) (head >> (16 + 2 * (number)) & 3)

static const uint8_t *take_others(const uint8_t *at, uint32_t head, af_timeline_event *e)
{
    e->a = take_short(&at, CODE_AT(A), e->a);
    e->b = take_short(&at, CODE_AT(B), e->b);
    e->extra = take_short(&at, CODE_AT(EXTRA), e->extra);
    e->value = (int64_t)((uint64_t)e->value + take(&at, long_widths[CODE_AT(VALUE)]));
    e->cpu_ns = (int64_t)((uint64_t)e->cpu_ns + take(&at, long_widths[CODE_AT(CPU)]));
    return at;
}

/* ---- events that fit in no stream ---- */

static af_sorter_key key_of_entry(const void *record)
{
    return (af_sorter_key){0, ((const entry *)record)->event.ns};
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->position > y->position) - (x->position < y->position);
}

static const af_sorter_order by_time = {key_of_entry, compare_entries};

typedef struct {
    uint8_t *memory; /* NULL = in the file */
    size_t offset;   /* there */
    size_t length;
} block;

typedef struct {
    af_array blocks; /* of block */
    uint8_t *bytes;  /* the block that is written or read; with some bytes more for reading */
    size_t used;
    entry last;  /* written or read in the block */
    size_t next; /* block to read */
    const uint8_t *at, *end;
} stream;

struct af_timeline_order {
    size_t most_held, most_sorted, held;
    uint64_t n_added;
    unsigned n_streams, current;
    int64_t above_ns;              /* the current stream is the best one for times below it */
    int64_t last_ns[MOST_STREAMS]; /* of the last event of each stream */
    stream streams[MOST_STREAMS];
    int fd; /* -1 = none */
    size_t written;
    af_sorter *rest; /* NULL = every event fitted */
    entry rest_next;
    /* the sources with events left, while merging: their next events are compared by these */
    unsigned n_left;
    unsigned left[MOST_STREAMS + 1]; /* numbers of streams; REST */
    int64_t next_ns[MOST_STREAMS + 1];
    uint64_t next_position[MOST_STREAMS + 1];
    unsigned first;   /* index of the least */
    int64_t limit_ns; /* of the least but one */
    uint64_t limit_position;
};

#define REST MOST_STREAMS

af_timeline_order *af_timeline_order_new(size_t most_held)
{
    af_timeline_order *o = g_new0(af_timeline_order, 1);
    o->most_held = most_held > 0 ? most_held : MOST_HELD;
    o->most_sorted = most_held;
    o->fd = -1;
    return o;
}

void af_timeline_order_free(af_timeline_order *o)
{
    if (o == NULL) {
        return;
    }
    for (unsigned i = 0; i < o->n_streams; i++) {
        stream *s = &o->streams[i];
        for (size_t k = 0; k < s->blocks.n; k++) {
            g_free(AF_ARRAY_AT(&s->blocks, block, k).memory);
        }
        af_array_clear(&s->blocks);
        g_free(s->bytes);
    }
    if (o->fd >= 0) {
        close(o->fd);
    }
    af_sorter_free(o->rest);
    g_free(o);
}

static gboolean refuse_file(GError **error)
{
    g_set_error(error, AF_ERROR, AF_ERROR_MEMORY,
                "the input is too long to sort in memory, and it does not fit in %s: %s",
                g_get_tmp_dir(), g_strerror(errno));
    return FALSE;
}

/* Stores the block of a stream. */
static gboolean store_block(af_timeline_order *o, stream *s, GError **error)
{
    block *stored = af_array_add(&s->blocks, 1);
    if (stored == NULL) {
        return af_memory_error_set(error);
    }
    *stored = (block){.length = s->used};
    if (o->held + s->used <= o->most_held) {
        stored->memory = g_try_malloc(s->used + sizeof(uint64_t));
        if (stored->memory == NULL) {
            return af_memory_error_set(error);
        }
        memcpy(stored->memory, s->bytes, s->used);
        memset(stored->memory + s->used, 0, sizeof(uint64_t));
        o->held += s->used;
    } else {
        o->fd = o->fd < 0 ? af_tempfile_open() : o->fd;
        stored->offset = o->written;
        if (o->fd < 0 || !af_tempfile_write(o->fd, s->bytes, s->used, o->written)) {
            return refuse_file(error);
        }
        o->written += s->used;
    }
    s->used = 0;
    s->last = (entry){0};
    return TRUE;
}

/* The stream whose last event is the latest that is not later than `ns`; a new one, or
 * MOST_STREAMS, if there is none. */
static unsigned find_stream(const af_timeline_order *o, int64_t ns)
{
    unsigned found = o->n_streams;
    for (unsigned i = 0; i < o->n_streams; i++) {
        if (o->last_ns[i] <= ns && (found == o->n_streams || o->last_ns[i] > o->last_ns[found])) {
            found = i;
        }
    }
    return found;
}

static gboolean begin_stream(af_timeline_order *o, GError **error)
{
    stream *s = &o->streams[o->n_streams];
    s->bytes = g_try_malloc(BLOCK + MOST_EVENT);
    if (s->bytes == NULL) {
        return af_memory_error_set(error);
    }
    af_array_init(&s->blocks, sizeof(block));
    o->n_streams++;
    return TRUE;
}

gboolean af_timeline_order_add(af_timeline_order *o, const af_timeline_event *event, GError **error)
{
    if (o->n_streams == 0 || event->ns < o->last_ns[o->current] || event->ns >= o->above_ns) {
        const unsigned found = find_stream(o, event->ns);
        if (found == MOST_STREAMS) {
            const entry added = {*event, o->n_added++};
            if (o->rest == NULL) {
                o->rest = af_sorter_new(sizeof added, &by_time, o->most_sorted);
            }
            return af_sorter_add(o->rest, &added, error);
        }
        if (found == o->n_streams && !begin_stream(o, error)) {
            return FALSE;
        }
        /* Makes a stream the current one for times from that of its last event on, until the last
         * event of another one is a closer one. */
        o->current = found;
        o->above_ns = INT64_MAX;
        for (unsigned i = 0; i < o->n_streams; i++) {
            if (i != found && o->last_ns[i] > event->ns) {
                o->above_ns = MIN(o->above_ns, o->last_ns[i]);
            }
        }
    }
    stream *s = &o->streams[o->current];
    if (s->used > BLOCK - MOST_EVENT && !store_block(o, s, error)) {
        return FALSE;
    }
    s->used = (size_t)(encode(s->bytes + s->used, event, o->n_added, &s->last) - s->bytes);
    s->last.event = *event;
    s->last.position = o->n_added++;
    o->last_ns[o->current] = event->ns;
    return TRUE;
}

/* Begins the next block of a stream. */
static gboolean open_block(af_timeline_order *o, stream *s, GError **error)
{
    block *stored = &AF_ARRAY_AT(&s->blocks, block, s->next);
    if (s->next > 0) {
        g_clear_pointer(&AF_ARRAY_AT(&s->blocks, block, s->next - 1).memory, g_free);
    }
    if (stored->memory == NULL &&
        !af_tempfile_read(o->fd, s->bytes, stored->length, stored->offset)) {
        return refuse_file(error);
    }
    s->next++;
    s->at = stored->memory != NULL ? stored->memory : s->bytes;
    s->end = s->at + stored->length;
    s->last = (entry){0};
    return TRUE;
}

/* Moves a source to its next event. Sets *left to FALSE at its end. */
static inline gboolean advance(af_timeline_order *o, unsigned source, gboolean *left,
                               GError **error)
{
    if (source == REST) {
        const void *next = NULL;
        if (!af_sorter_next(o->rest, &next, error)) {
            return FALSE;
        }
        *left = next != NULL;
        o->rest_next = next != NULL ? *(const entry *)next : (entry){0};
        return TRUE;
    }
    stream *s = &o->streams[source];
    *left = s->at < s->end || s->next < s->blocks.n;
    if (s->at == s->end && *left && !open_block(o, s, error)) {
        return FALSE;
    }
    if (*left) {
        /* Reads the next event over the one before it. */
        const uint8_t *at = s->at;
        const uint32_t head = af_load_u32(at);
        af_timeline_event *e = &s->last.event;
        at += 4;
        const unsigned steps_code = CODE_AT(POSITION);
        e->kind = (uint8_t)head;
        e->cpu_kind = (uint8_t)(head >> 8);
        e->ns = (int64_t)((uint64_t)e->ns + take(&at, time_widths[CODE_AT(NS)]));
        s->last.position += take(&at, step_widths[steps_code]) + (steps_code == 0);
        e->name = take_short(&at, CODE_AT(NAME), e->name);
        s->at = head >> (16 + 2 * A) == 0 ? at : take_others(at, head, e);
    }
    return TRUE;
}

static const entry *next_of(const af_timeline_order *o, unsigned source)
{
    return source == REST ? &o->rest_next : &o->streams[source].last;
}

static void set_next(af_timeline_order *o, unsigned i)
{
    const entry *next = next_of(o, o->left[i]);
    o->next_ns[i] = next->event.ns;
    o->next_position[i] = next->position;
}

static inline gboolean is_before(const af_timeline_order *o, unsigned i, int64_t ns,
                                 uint64_t position)
{
    return o->next_ns[i] < ns || (o->next_ns[i] == ns && o->next_position[i] < position);
}

/* Finds the least source and the next event of the others. */
static void choose_first(af_timeline_order *o)
{
    int64_t ns = INT64_MAX;
    uint64_t position = UINT64_MAX;
    o->limit_ns = INT64_MAX;
    o->limit_position = UINT64_MAX;
    for (unsigned i = 0; i < o->n_left; i++) {
        if (is_before(o, i, ns, position)) {
            o->limit_ns = ns;
            o->limit_position = position;
            ns = o->next_ns[i];
            position = o->next_position[i];
            o->first = i;
        } else if (is_before(o, i, o->limit_ns, o->limit_position)) {
            o->limit_ns = o->next_ns[i];
            o->limit_position = o->next_position[i];
        }
    }
}

static gboolean begin_source(af_timeline_order *o, unsigned source, GError **error)
{
    gboolean left;
    if (!advance(o, source, &left, error)) {
        return FALSE;
    }
    if (left) {
        o->left[o->n_left] = source;
        set_next(o, o->n_left++);
    }
    return TRUE;
}

gboolean af_timeline_order_begin(af_timeline_order *o, GError **error)
{
    for (unsigned i = 0; i < o->n_streams; i++) {
        if (!store_block(o, &o->streams[i], error) || !begin_source(o, i, error)) {
            return FALSE;
        }
    }
    if (o->rest != NULL && (!af_sorter_begin(o->rest, error) || !begin_source(o, REST, error))) {
        return FALSE;
    }
    choose_first(o);
    return TRUE;
}

gboolean af_timeline_order_next(af_timeline_order *o, af_timeline_event *event, gboolean *more,
                                GError **error)
{
    gboolean left;
    *more = o->n_left > 0;
    if (o->n_left == 0) {
        return TRUE;
    }
    const unsigned source = o->left[o->first];
    *event = next_of(o, source)->event;
    if (!advance(o, source, &left, error)) {
        return FALSE;
    }
    if (!left) {
        o->n_left--;
        o->left[o->first] = o->left[o->n_left];
        o->next_ns[o->first] = o->next_ns[o->n_left];
        o->next_position[o->first] = o->next_position[o->n_left];
        choose_first(o);
        return TRUE;
    }
    set_next(o, o->first);
    if (!is_before(o, o->first, o->limit_ns, o->limit_position)) {
        choose_first(o);
    }
    return TRUE;
}
