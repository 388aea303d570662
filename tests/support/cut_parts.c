#include "cut_parts.h"

#include <inttypes.h>
#include <string.h>

#include "../../src/api/autoptr.h"
#include "added_calls.h"
#include "path_map.h"

/* The clocks, and the time in which threads were runnable. */
enum { RUNNABLE = AF_CLOCKS, KINDS };

static uint64_t self_ns(const af_profile *profile, unsigned thread, uint32_t node, unsigned kind)
{
    return kind == RUNNABLE ? af_node_self_runnable_ns(profile, thread, node)
                            : af_node_self_ns(profile, thread, node, (af_clock)kind);
}

typedef struct {
    const af_profile *whole;
    GHashTable **paths;              /* by thread */
    uint64_t **self[KINDS], **calls; /* by thread and node: sums of the parts */
    unsigned found;                  /* the last thread found */
} adding;

/* Threads of two processes may share an id but have different titles. A part keeps the thread order
 * of the whole, so the search starts at the last thread found. */
static unsigned find_thread(const adding *a, const af_profile *part, unsigned thread)
{
    const unsigned n = af_profile_n_threads(a->whole);
    for (unsigned i = 0; i < n; i++) {
        const unsigned t = (a->found + i) % n;
        if (af_thread_id(a->whole, t) == af_thread_id(part, thread) &&
            strcmp(af_thread_title(a->whole, t), af_thread_title(part, thread)) == 0) {
            return t;
        }
    }
    return n;
}

static char *add_thread(adding *a, const af_profile *part, unsigned from)
{
    const unsigned to = find_thread(a, part, from);
    const uint32_t n = af_tree_n_nodes(part, from);
    if (to == af_profile_n_threads(a->whole)) {
        return g_strdup_printf("thread %" PRIu64 " of a part is not in the whole",
                               af_thread_id(part, from));
    }
    g_autofree uint32_t *node_of = g_new0(uint32_t, n);
    char *wrong = NULL;
    a->found = to;
    for (uint32_t node = 1; node < n && wrong == NULL; node++) {
        const uint32_t at = path_map_find(a->paths[to], node_of[af_node_parent(part, from, node)],
                                          af_node_label_number(part, from, node));
        if (at == UINT32_MAX) {
            wrong = g_strdup_printf("%s has a path in a part that the whole has not",
                                    af_node_label(part, from, node));
            break;
        }
        node_of[node] = at;
        for (unsigned c = 0; c < KINDS; c++) {
            a->self[c][to][at] += self_ns(part, from, node, c);
        }
        a->calls[to][at] += af_node_calls(part, from, node);
    }
    return wrong;
}

static char *add_part(adding *a, int64_t from_ns, int64_t to_ns)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(af_profile) part = af_profile_extract_part(a->whole, from_ns, to_ns, NULL, &error);
    if (part == NULL) {
        return g_error_matches(error, AF_ERROR, AF_ERROR_NOTHING) ? NULL : g_strdup(error->message);
    }
    char *wrong = added_calls_check(part, NULL);
    for (unsigned t = 0; t < af_profile_n_threads(part) && wrong == NULL; t++) {
        wrong = add_thread(a, part, t);
    }
    return wrong;
}

static char *compare_thread(const adding *a, unsigned thread)
{
    const uint32_t n = af_tree_n_nodes(a->whole, thread);
    for (uint32_t node = 1; node < n; node++) {
        const char *name = af_node_label(a->whole, thread, node);
        for (unsigned c = 0; c < KINDS; c++) {
            static const char *const names[KINDS] = {"wall", "cpu", "runnable"};
            const uint64_t whole = self_ns(a->whole, thread, node, c);
            if (a->self[c][thread][node] != whole) {
                return g_strdup_printf("thread %u, node %u %s: %s time of the parts %" PRIu64
                                       ", of the whole %" PRIu64,
                                       thread, node, name, names[c], a->self[c][thread][node],
                                       whole);
            }
        }
        if (a->calls[thread][node] < af_node_calls(a->whole, thread, node)) {
            return g_strdup_printf("thread %u, node %u %s: calls are lost", thread, node, name);
        }
    }
    return NULL;
}

static void begin(adding *a, unsigned n_threads)
{
    a->paths = g_new0(GHashTable *, n_threads + 1);
    a->calls = g_new0(uint64_t *, n_threads + 1);
    for (unsigned c = 0; c < KINDS; c++) {
        a->self[c] = g_new0(uint64_t *, n_threads + 1);
    }
    for (unsigned t = 0; t < n_threads; t++) {
        const uint32_t n = af_tree_n_nodes(a->whole, t);
        a->paths[t] = path_map_new(a->whole, t);
        a->calls[t] = g_new0(uint64_t, n);
        for (unsigned c = 0; c < KINDS; c++) {
            a->self[c][t] = g_new0(uint64_t, n);
        }
    }
}

static void end(adding *a, unsigned n_threads)
{
    for (unsigned t = 0; t < n_threads; t++) {
        g_hash_table_unref(a->paths[t]);
        g_free(a->calls[t]);
        for (unsigned c = 0; c < KINDS; c++) {
            g_free(a->self[c][t]);
        }
    }
    g_free(a->paths);
    g_free(a->calls);
    for (unsigned c = 0; c < KINDS; c++) {
        g_free(a->self[c]);
    }
}

char *cut_parts_check(const af_profile *profile, const uint64_t *at_ns, size_t n)
{
    const unsigned n_threads = af_profile_n_threads(profile);
    adding a = {.whole = profile};
    char *wrong = NULL;
    begin(&a, n_threads);
    for (size_t i = 0; i <= n && wrong == NULL; i++) {
        wrong = add_part(&a, i == 0 ? 0 : (int64_t)at_ns[i - 1],
                         i == n ? AF_TO_THE_END : (int64_t)at_ns[i]);
    }
    for (unsigned t = 0; t < n_threads && wrong == NULL; t++) {
        wrong = compare_thread(&a, t);
    }
    end(&a, n_threads);
    return wrong;
}
