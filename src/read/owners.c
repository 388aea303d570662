#include "read/owners.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/textmap.h"

/* A cache of threads by number: most look-ups hit it. */
#define RECENT 256u

typedef struct {
    af_owner_id id; /* its text in the arena */
    af_span name;
    int64_t index;
} owner_process;

typedef struct {
    uint32_t process;
    gboolean is_track;
    gboolean declared; /* as a track: it has an id of its own */
    af_owner_id id;    /* of a track: its order of creation */
    af_span name;
    int64_t index;
    uint32_t of;    /* an extra track of that thread, named after it; AF_NO_THREAD = own name */
    unsigned extra; /* of such a track: its number, for calls that overlap; 0 = for samples */
} owner_thread;

typedef struct {
    gboolean known;
    int64_t process, thread;
    uint32_t number;
} recent_thread;

struct af_owners {
    af_sink *sink;
    af_textmap process_keys, thread_keys, id_keys;
    af_array first_of;  /* of uint32_t, by index of a thread id alone: the first such thread + 1 */
    af_array processes; /* of owner_process, by index of the key */
    af_array threads;   /* of owner_thread, by number; tracks have a key as well */
    int64_t most_id;    /* largest thread id */
    recent_thread recent[RECENT];
    gboolean asked; /* the process of the latest look-up by number */
    int64_t last_process;
    uint32_t last_number;
};

af_owners *af_owners_new(af_sink *sink)
{
    af_owners *p = g_new0(af_owners, 1);
    af_meter *const meter = af_sink_meter(sink);
    p->sink = sink;
    af_textmap_init_metered(&p->process_keys, meter);
    af_textmap_init_metered(&p->thread_keys, meter);
    af_textmap_init_metered(&p->id_keys, meter);
    af_array_init_metered(&p->first_of, sizeof(uint32_t), meter);
    af_array_init_metered(&p->processes, sizeof(owner_process), meter);
    af_array_init_metered(&p->threads, sizeof(owner_thread), meter);
    return p;
}

void af_owners_free(af_owners *p)
{
    if (p != NULL) {
        af_textmap_clear(&p->process_keys);
        af_textmap_clear(&p->thread_keys);
        af_textmap_clear(&p->id_keys);
        AF_ARRAYS_CLEAR(&p->first_of, &p->processes, &p->threads);
        g_free(p);
    }
}

static af_span keep(af_owners *p, af_span text)
{
    text = af_sink_truncate(p->sink, text);
    text.bytes = text.length == 0 ? NULL : af_sink_copy(p->sink, text.bytes, text.length);
    text.length = text.bytes == NULL ? 0 : text.length;
    return text;
}

/* ---- from ids to numbers ---- */

/* Returns the number of a key, and copies the key if it is new; `head` bytes distinguish it from
 * other kinds of keys in the map. */
static uint32_t number_key(af_owners *p, af_textmap *map, const uint8_t *head, size_t n_head,
                           const af_owner_id *id)
{
    g_autoptr(GString) key = g_string_new_len((const char *)head, (gssize)n_head);
    if (id->text.length > 0) {
        g_string_append_c(key, 't');
        g_string_append_len(key, id->text.bytes, (gssize)MIN(id->text.length, AF_LONGEST_NAME));
    } else {
        g_string_append_len(key, (const char *)&id->number, sizeof id->number);
    }
    const uint32_t number = af_textmap_keep(map, af_sink_arena(p->sink), key->str, key->len);
    return number == AF_TEXTMAP_NONE ? 0 : number;
}

static owner_process *process_at(af_owners *p, uint32_t number)
{
    static owner_process nothing;
    if (number >= p->processes.n) {
        af_sink_fail(p->sink);
        return &nothing;
    }
    return &AF_ARRAY_AT(&p->processes, owner_process, number);
}

static owner_thread *thread_at(af_owners *p, uint32_t number)
{
    static owner_thread nothing;
    if (number >= p->threads.n) {
        af_sink_fail(p->sink);
        return &nothing;
    }
    return &AF_ARRAY_AT(&p->threads, owner_thread, number);
}

uint32_t af_owners_process(af_owners *p, const af_owner_id *id)
{
    if (p->asked && id->text.length == 0 && id->number == p->last_process) {
        return p->last_number;
    }
    const uint32_t number = number_key(p, &p->process_keys, NULL, 0, id);
    if (number >= p->processes.n) {
        af_array_append(&p->processes, &(owner_process){.id = {id->number, keep(p, id->text)}});
    }
    p->asked = id->text.length == 0;
    p->last_process = id->number;
    p->last_number = number;
    return number;
}

/* Returns the entry for the first thread with an id; NULL if memory is refused. */
static uint32_t *first_of(af_owners *p, const af_owner_id *id)
{
    const uint32_t number = number_key(p, &p->id_keys, NULL, 0, id);
    return af_sink_has_failed(p->sink) ? NULL : af_array_slot(&p->first_of, number);
}

static uint32_t find_thread(af_owners *p, uint32_t process, const af_owner_id *id,
                            gboolean is_track)
{
    uint8_t head[1 + sizeof process] = {is_track ? 1 : 0};
    memcpy(head + 1, &process, sizeof process);
    const uint32_t number = number_key(p, &p->thread_keys, head, sizeof head, id);
    if (number >= p->threads.n) {
        owner_thread *thread = af_array_add(&p->threads, 1);
        if (thread != NULL) {
            *thread = (owner_thread){.process = process,
                                     .is_track = is_track,
                                     .id = {id->number, keep(p, id->text)},
                                     .of = AF_NO_THREAD};
            p->most_id = is_track || id->text.length > 0 ? p->most_id : MAX(p->most_id, id->number);
        }
        uint32_t *first = is_track ? NULL : first_of(p, id);
        if (first != NULL && *first == 0) {
            *first = number + 1;
        }
    }
    return af_sink_thread(p->sink, number);
}

uint32_t af_owners_thread(af_owners *p, const af_owner_id *process, const af_owner_id *thread)
{
    if (process->text.length > 0 || thread->text.length > 0) {
        return find_thread(p, af_owners_process(p, process), thread, FALSE);
    }
    recent_thread *recent =
        &p->recent[((uint64_t)process->number * 31 + (uint64_t)thread->number) % RECENT];
    if (!recent->known || recent->process != process->number || recent->thread != thread->number) {
        const uint32_t number = find_thread(p, af_owners_process(p, process), thread, FALSE);
        *recent = (recent_thread){TRUE, process->number, thread->number, number};
    }
    return recent->number;
}

uint32_t af_owners_add_track(af_owners *p, uint32_t process, af_span name)
{
    const af_owner_id id = {.number = (int64_t)p->threads.n};
    const uint32_t number = find_thread(p, process, &id, TRUE);
    af_owners_name_thread(p, number, name);
    return number;
}

uint32_t af_owners_add_extra_track(af_owners *p, uint32_t thread, unsigned extra)
{
    const af_span none = {NULL, 0};
    const uint32_t track = af_owners_add_track(p, thread_at(p, thread)->process, none);
    thread_at(p, track)->of = thread;
    thread_at(p, track)->extra = extra;
    return track;
}

void af_owners_declare_track(af_owners *p, uint32_t thread)
{
    thread_at(p, thread)->declared = TRUE;
}

uint32_t af_owners_find_thread(af_owners *p, const af_owner_id *id)
{
    const uint32_t *first = first_of(p, id);
    return first == NULL || *first == 0 ? AF_NO_THREAD : *first - 1;
}

/* ---- names and order ---- */

void af_owners_name_process(af_owners *p, const af_owner_id *id, af_span name)
{
    process_at(p, af_owners_process(p, id))->name = keep(p, name);
}

void af_owners_sort_process(af_owners *p, const af_owner_id *id, int64_t index)
{
    process_at(p, af_owners_process(p, id))->index = index;
}

void af_owners_name_thread(af_owners *p, uint32_t thread, af_span name)
{
    thread_at(p, thread)->name = keep(p, name);
}

void af_owners_sort_thread(af_owners *p, uint32_t thread, int64_t index)
{
    thread_at(p, thread)->index = index;
}

/* ---- the end ---- */

static int compare_numbers(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* Numbers come before texts. */
static int compare_ids(const af_owner_id *a, const af_owner_id *b)
{
    if (a->text.length == 0 || b->text.length == 0) {
        return a->text.length == b->text.length
                   ? compare_numbers(a->number, b->number)
                   : compare_numbers((int64_t)(a->text.length > 0), (int64_t)(b->text.length > 0));
    }
    const int order = memcmp(a->text.bytes, b->text.bytes, MIN(a->text.length, b->text.length));
    return order != 0 ? order : compare_numbers((int64_t)a->text.length, (int64_t)b->text.length);
}

static int compare_threads(gconstpointer a, gconstpointer b, gpointer user)
{
    af_owners *p = user;
    const owner_thread *x = thread_at(p, *(const uint32_t *)a);
    const owner_thread *y = thread_at(p, *(const uint32_t *)b);
    const owner_process *of_x = process_at(p, x->process), *of_y = process_at(p, y->process);
    int order = compare_numbers(of_x->index, of_y->index);
    order = order != 0 ? order : compare_ids(&of_x->id, &of_y->id);
    order = order != 0 ? order : compare_numbers(x->is_track, y->is_track);
    order = order != 0 ? order : compare_numbers(x->index, y->index);
    return order != 0 ? order : compare_ids(&x->id, &y->id);
}

static af_span print_id(const af_owner_id *id, const char *before, char buffer[48])
{
    if (id->text.length > 0) {
        return id->text;
    }
    const int n = g_snprintf(buffer, 48, "%s%" G_GINT64_FORMAT, before, id->number);
    return (af_span){buffer, (size_t)n};
}

/* Returns the sink's number of a process, adding it on first use. */
static uint32_t add_process(af_owners *p, uint32_t *numbers, uint32_t number)
{
    if (numbers[number] == AF_NO_PROCESS) {
        const owner_process *process = process_at(p, number);
        char buffer[48];
        numbers[number] =
            af_sink_add_process(p->sink, print_id(&process->id, "", buffer), process->name);
    }
    return numbers[number];
}

/* The kernel keeps this many bytes of the name of a thread; Android keeps the last ones. */
#define LONGEST_COMM 15u

static gboolean is_main(af_owners *p, const owner_thread *thread)
{
    const owner_process *process = process_at(p, thread->process);
    const af_span name = thread->name, of = process->name;
    return !thread->is_track && thread->id.text.length == 0 && process->id.text.length == 0 &&
           thread->id.number == process->id.number &&
           (name.length == 0 ||
            (name.length == LONGEST_COMM && of.length > name.length &&
             memcmp(of.bytes + of.length - name.length, name.bytes, name.length) == 0));
}

static void finish_thread(af_owners *p, uint32_t number, uint32_t process, uint64_t rank,
                          gboolean finds_main, uint64_t *next_id)
{
    const owner_thread *thread = thread_at(p, number);
    const gboolean numbered =
        !thread->is_track && thread->id.text.length == 0 && thread->id.number >= 0;
    const gboolean extra = thread->of != AF_NO_THREAD;
    const af_thread_owner owner = {.id = numbered ? (uint64_t)thread->id.number : (*next_id)++,
                                   .process = process,
                                   .is_track = thread->declared || (thread->is_track && !extra),
                                   .rank = rank};
    const gboolean sampled = extra && thread->extra == 0;
    char buffer[48];
    const uint32_t sink_number = af_sink_thread(p->sink, number);
    const owner_thread *named = extra ? thread_at(p, thread->of) : thread;
    const af_span name = finds_main && is_main(p, named) ? af_span_of("main")
                         : named->name.length > 0        ? named->name
                                                         : print_id(&named->id, "Thread ", buffer);
    g_autoptr(GString) text = g_string_new_len(name.bytes, (gssize)name.length);
    if (sampled) {
        g_string_append(text, " (samples)");
    } else if (extra) {
        g_string_append_printf(text, thread->extra == 1 ? " (overlap)" : " (overlap %u)",
                               thread->extra);
    }
    af_sink_set_thread_owner(p->sink, sink_number, &owner);
    af_sink_describe_thread(p->sink, sink_number, text->str, text->len, FALSE, FALSE);
    if (sampled) {
        af_sink_lack_calls(p->sink, sink_number);
    }
}

/* Replaces the process numbers of the marker series with those of the sink. */
static void number_series(af_owners *p, uint32_t *processes)
{
    for (uint32_t i = 0; i < af_sink_n_marker_series(p->sink); i++) {
        const uint32_t process = af_sink_series_process(p->sink, i);
        if (process < p->processes.n) {
            af_sink_set_series_process(p->sink, i, add_process(p, processes, process));
        }
    }
}

/* Sets the pid of a file with a single process. */
static void name_only_process(af_owners *p)
{
    const af_owner_id *id = p->processes.n == 1 ? &process_at(p, 0)->id : NULL;
    if (id != NULL && id->text.length == 0 && id->number >= 0) {
        af_sink_facts(p->sink)->has_pid = TRUE;
        af_sink_facts(p->sink)->pid = (uint64_t)id->number;
    }
}

void af_owners_finish(af_owners *p, gboolean finds_main)
{
    const uint32_t n = (uint32_t)p->threads.n;
    g_autofree uint32_t *order = g_try_new(uint32_t, (size_t)n + 1);
    g_autofree uint32_t *processes = g_try_new(uint32_t, p->processes.n + 1);
    af_sink_fail_if(p->sink, order == NULL || processes == NULL);
    if (!af_sink_has_failed(p->sink)) {
        for (uint32_t i = 0; i < n; i++) {
            order[i] = i;
        }
        for (uint32_t i = 0; i < p->processes.n; i++) {
            processes[i] = AF_NO_PROCESS;
        }
        qsort_r(order, n, sizeof *order, compare_threads, p);
        uint64_t next_id = (uint64_t)p->most_id + 1;
        for (uint32_t rank = 0; rank < n; rank++) {
            const uint32_t process = add_process(p, processes, thread_at(p, order[rank])->process);
            finish_thread(p, order[rank], process, rank, finds_main, &next_id);
        }
        number_series(p, processes);
        name_only_process(p);
    }
}
