/* Names of threads, from the lines of a text and from packets. */
#include "read/android/keytext.h"

#include "base/textmap.h"

/* The lines of an id in file order: the first and last line and their number. */
typedef struct {
    size_t first, last, lines;
} thread_lines;

/* What the low 16 bits of ids identify: several ids, or the index of the only one + 1. */
#define LOW_BITS    0xFFFFu
#define SEVERAL_IDS UINT32_MAX

typedef struct {
    af_idtable by_id; /* of thread_lines */
    af_idtable only;  /* of uint32_t, by low bits */
    af_array next;    /* of size_t: for each line, the next one of the same id */
    gboolean failed;
} thread_index;

static void add_line(thread_index *index, size_t line, uint64_t id)
{
    thread_lines *known = af_idtable_item(&index->by_id, id);
    uint32_t *only = af_idtable_item(&index->only, id & LOW_BITS);
    if (known == NULL || only == NULL) {
        index->failed = TRUE;
        return;
    }
    if (known->lines == 0) {
        known->first = line;
        *only = *only == 0 ? (uint32_t)index->by_id.items.n : SEVERAL_IDS;
    } else {
        AF_ARRAY_AT(&index->next, size_t, known->last) = line;
    }
    known->last = line;
    known->lines++;
}

static void index_threads(thread_index *index, const af_keytext *text)
{
    *index = (thread_index){.failed = text->threads.failed || af_arena_failed(text->names)};
    af_idtable_init(&index->by_id, sizeof(thread_lines), NULL);
    af_idtable_init(&index->only, sizeof(uint32_t), NULL);
    af_array_init(&index->next, sizeof(size_t));
    index->failed |= !af_array_reach(&index->next, text->threads.n);
    for (size_t i = 0; i < text->threads.n && !index->failed; i++) {
        add_line(index, i, AF_ARRAY_AT(&text->threads, af_thread_line, i).id);
    }
}

/* Returns the lines of a thread, or NULL. V1 records have only the low 16 bits of the id: there,
 * the lines of the only id with these bits match too. */
static const thread_lines *find_lines(const thread_index *index, uint64_t id, gboolean v1)
{
    const thread_lines *known = af_idtable_find(&index->by_id, id);
    const uint32_t *only = v1 ? af_idtable_find(&index->only, id & LOW_BITS) : NULL;
    return known != NULL || only == NULL || *only == SEVERAL_IDS
               ? known
               : &AF_ARRAY_AT(&index->by_id.items, thread_lines, *only - 1);
}

/* Joins the distinct names of an id that are not empty, in file order. */
static void join_names(const af_keytext *text, thread_index *index, const thread_lines *of,
                       GString *name)
{
    af_textmap distinct;
    af_textmap_init(&distinct);
    size_t at = of->first;
    for (size_t i = 0; i < of->lines; i++, at = AF_ARRAY_AT(&index->next, size_t, at)) {
        const af_span part = AF_ARRAY_AT(&text->threads, af_thread_line, at).name;
        const uint32_t known = distinct.n;
        if (part.length > 0 &&
            (of->lines == 1 || af_textmap_add(&distinct, part.bytes, part.length) == known)) {
            af_keytext_append(name, name->len > 0 ? " | " : "", part);
        }
    }
    index->failed |= distinct.failed;
    af_textmap_clear(&distinct);
}

/* Names and describes a thread. `main_line` is the index of the main thread's line, or NULL if it
 * has no meaning. */
static void describe_thread(const af_keytext *text, thread_index *index, uint32_t thread,
                            const thread_lines *of, const af_span *packet,
                            const thread_lines *main_line, gboolean dalvik, af_sink *sink)
{
    g_autoptr(GString) name = g_string_new(NULL);
    if (of != NULL) {
        join_names(text, index, of, name);
        if (of->lines > 1) {
            af_sink_warn(sink, AF_WARN_DUPLICATE_THREAD, 1, AF_NO_OFFSET);
        }
    } else if (packet != NULL) {
        af_keytext_append(name, "", *packet);
    } else {
        af_sink_warn(sink, AF_WARN_UNKNOWN_THREAD, 1, AF_NO_OFFSET);
    }
    const gboolean exited = (main_line != NULL && of != NULL && of->last < main_line->first) ||
                            (dalvik && index->by_id.items.n > 0 && of == NULL);
    af_sink_describe_thread(sink, thread, name->str, name->len, of != NULL, exited);
}

void af_keytext_take_threads(const af_keytext *text, const af_thread_names *announced, gboolean v1,
                             gboolean dalvik, af_sink *sink)
{
    thread_index index;
    index_threads(&index, text);
    if (af_sink_is_raw(sink) && !index.failed) {
        /* Describes all listed threads, and the threads that only packets name. */
        for (size_t i = 0; i < text->threads.n; i++) {
            const af_thread_line *thread = &AF_ARRAY_AT(&text->threads, af_thread_line, i);
            af_sink_raw_thread(sink, thread->id, thread->name);
        }
        for (uint32_t i = 0; announced != NULL && i < announced->names.items.n; i++) {
            const uint64_t id = announced->names.ids.ids[i];
            if (find_lines(&index, id, FALSE) == NULL) {
                af_sink_raw_thread(sink, id, *af_thread_names_find(announced, id));
            }
        }
    }
    const uint64_t pid = af_sink_facts(sink)->pid;
    const thread_lines *main_line =
        v1 && af_sink_facts(sink)->has_pid && !index.failed ? find_lines(&index, pid, FALSE) : NULL;
    af_sink_facts(sink)->android.threads_listed = index.by_id.items.n;
    for (uint32_t t = 0; t < af_sink_threads(sink)->n && !index.failed; t++) {
        const uint64_t id = af_idmap_id(af_sink_threads(sink), t);
        describe_thread(text, &index, t, find_lines(&index, id, v1),
                        announced == NULL ? NULL : af_thread_names_find(announced, id), main_line,
                        dalvik, sink);
    }
    af_sink_fail_if(sink, index.failed || (announced != NULL && af_thread_names_failed(announced)));
    af_idtable_clear(&index.by_id);
    af_idtable_clear(&index.only);
    af_array_clear(&index.next);
}
