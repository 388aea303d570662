#include "again.h"

#include "api/autoptr.h"
#include "../support/path_map.h"
#include "calls/subprofile.h"
#include "calls/clip.h"

/* By thread and node of the whole. */
typedef struct {
    uint64_t self[AF_CLOCKS], calls;
} sums;

typedef struct {
    const af_profile *whole;
    sums **sums;
    uint64_t calls;
} adding;

static uint32_t find_thread(const af_profile *profile, uint32_t number)
{
    uint32_t t = 0;
    while (t < profile->n_threads && profile->threads[t].number != number) {
        t++;
    }
    FUZZ_CHECK(t < profile->n_threads);
    return t;
}

static void add_thread(adding *a, const af_profile *part, uint32_t from)
{
    const af_tree *tree = part->threads[from].tree;
    const uint32_t to = find_thread(a->whole, part->threads[from].number);
    g_autoptr(GHashTable) paths = path_map_new(a->whole, to);
    g_autofree uint32_t *node_of = g_new0(uint32_t, tree->n);
    FUZZ_CHECK(af_tree_check(tree) == NULL);
    for (uint32_t node = 1; node < tree->n; node++) {
        node_of[node] = path_map_find(paths, node_of[tree->parent[node]], tree->label[node]);
        FUZZ_CHECK(node_of[node] != UINT32_MAX);
        sums *s = &a->sums[to][node_of[node]];
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            s->self[c] += tree->self[c] == NULL ? 0 : tree->self[c][node];
        }
        s->calls += tree->calls[node];
        a->calls += tree->calls[node];
    }
}

/* The calls in the span as a profile; NULL if there are none. */
static af_profile *grow(const af_profile *whole, const af_time_range *span, fuzz_tell tell,
                        void *user)
{
    af_subprofile *part = af_subprofile_new(whole);
    const af_observer grown = af_subprofile_observer(part);
    af_clip *clip = span == NULL ? NULL : af_clip_new(span, whole->n_threads, &grown);
    const af_observer first = clip == NULL ? grown : af_clip_observer(clip);
    FUZZ_CHECK(tell(user, &first));
    g_autoptr(GError) error = NULL;
    af_profile *made = af_subprofile_finish(part, &error);
    FUZZ_CHECK(made != NULL || g_error_matches(error, AF_ERROR, AF_ERROR_NOTHING));
    af_clip_free(clip);
    af_subprofile_free(part);
    return made;
}

static void add_part(adding *a, const af_time_range *span, fuzz_tell tell, void *user)
{
    g_autoptr(af_profile) part = grow(a->whole, span, tell, user);
    for (uint32_t t = 0; part != NULL && t < part->n_threads; t++) {
        add_thread(a, part, t);
    }
}

/* As a whole or in three parts. */
static void check_sum(const af_profile *whole, const uint64_t *at_ns, fuzz_tell tell, void *user)
{
    adding a = {.whole = whole, .sums = g_new0(sums *, (size_t)whole->n_threads + 1)};
    for (uint32_t t = 0; t < whole->n_threads; t++) {
        a.sums[t] = g_new0(sums, whole->threads[t].tree->n);
    }
    if (at_ns == NULL) {
        add_part(&a, NULL, tell, user);
    } else {
        const af_time_range spans[] = {{0, at_ns[0]}, {at_ns[0], at_ns[1]}, {at_ns[1], UINT64_MAX}};
        for (unsigned i = 0; i < G_N_ELEMENTS(spans); i++) {
            add_part(&a, &spans[i], tell, user);
        }
    }
    for (uint32_t t = 0; t < whole->n_threads; t++) {
        const af_tree *tree = whole->threads[t].tree;
        for (uint32_t node = 1; node < tree->n; node++) {
            const sums *s = &a.sums[t][node];
            for (unsigned c = 0; c < AF_CLOCKS; c++) {
                FUZZ_CHECK(tree->self[c] == NULL || tree->self[c][node] == s->self[c]);
            }
            FUZZ_CHECK(at_ns == NULL ? s->calls == tree->calls[node]
                                     : s->calls >= tree->calls[node]);
        }
        g_free(a.sums[t]);
    }
    g_free(a.sums);
}

void fuzz_check_again(const af_profile *profile, fuzz_tell tell, void *user)
{
    const uint64_t end_ns = profile->facts.recording.end_ns;
    check_sum(profile, NULL, tell, user);
    if (!af_profile_has(profile, AF_WALL) || end_ns < 4) {
        return;
    }
    /* arbitrary cuts or, for every other input, cuts exactly at records */
    uint64_t at_ns[2] = {end_ns / 3, end_ns - end_ns / 3};
    if ((end_ns / 1000) % 2 == 0) {
        check_sum(profile, at_ns, tell, user);
        return;
    }
    at_ns[0] = at_ns[1] = 0;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        at_ns[0] = MAX(at_ns[0], profile->threads[t].first_ns[AF_WALL]);
        at_ns[1] = MAX(at_ns[1], profile->threads[t].last_ns[AF_WALL]);
    }
    if (at_ns[0] > 0 && at_ns[0] < at_ns[1]) {
        check_sum(profile, at_ns, tell, user);
    }
}
