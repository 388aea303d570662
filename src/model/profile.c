#include "model/profile.h"

#include <string.h>
#include <aflame/mapping.h>

#include "base/array.h"
#include "base/textmap.h"

void af_profile_free(af_profile *profile)
{
    /* not by recursion: a profile may be made from one that was made from one ... */
    while (profile != NULL && g_atomic_int_add(&profile->holders, -1) == 0) {
        af_profile *base = (af_profile *)profile->base;
        for (uint32_t t = 0; t < profile->n_threads; t++) {
            af_tree_free(profile->threads[t].tree);
        }
        if (profile->free_input != NULL) {
            profile->free_input(profile->input);
        }
        af_arena_free(profile->arena);
        g_free(profile);
        profile = base;
    }
}

const af_profile *af_profile_hold(const af_profile *profile)
{
    g_atomic_int_inc(&((af_profile *)profile)->holders);
    return profile;
}

const af_profile *af_profile_origin(const af_profile *profile)
{
    while (profile->base != NULL) {
        profile = profile->base;
    }
    return profile;
}

af_profile *af_profile_derive(const af_profile *base)
{
    af_profile *profile = g_new(af_profile, 1);
    *profile = *base;
    profile->base = af_profile_hold(base);
    profile->holders = 0;
    profile->arena = af_arena_new();
    profile->threads = NULL;
    profile->n_threads = 0;
    profile->input = NULL;
    profile->free_input = NULL;
    return profile;
}

/* The name as folded stacks have it, where a semicolon separates. */
static const char *fold_name(af_arena *arena, const char *name)
{
    char *folded = strchr(name, ';') == NULL ? NULL : af_arena_copy(arena, name, strlen(name));
    return folded == NULL ? name : g_strdelimit(folded, ";", ':');
}

static const char *add_id(af_arena *arena, const char *name, uint64_t id)
{
    char text[32];
    const size_t length = strlen(name);
    const size_t n = (size_t)g_snprintf(text, sizeof text, " [%" G_GUINT64_FORMAT "]", id);
    char *title = af_arena_alloc(arena, length + n + 1);
    if (title != NULL) {
        memcpy(title, name, length);
        memcpy(title + length, text, n + 1);
    }
    return title;
}

gboolean af_profile_title_threads(af_profile *profile)
{
    af_textmap names;
    af_array threads; /* of uint32_t, by number of the name: how many have it */
    af_textmap_init(&names);
    af_array_init(&threads, sizeof(uint32_t));
    uint32_t *name_of = g_try_malloc_n((size_t)profile->n_threads + 1, sizeof *name_of);
    gboolean ok = name_of != NULL;
    for (uint32_t t = 0; t < profile->n_threads && ok; t++) {
        const char *name = fold_name(profile->arena, profile->threads[t].name);
        name_of[t] = af_textmap_add(&names, name, strlen(name));
        ok = name_of[t] != AF_TEXTMAP_NONE && af_array_reach(&threads, names.n);
        if (ok) {
            AF_ARRAY_AT(&threads, uint32_t, name_of[t])++;
        }
    }
    for (uint32_t t = 0; t < profile->n_threads && ok; t++) {
        af_thread *thread = &profile->threads[t];
        const gboolean shared = AF_ARRAY_AT(&threads, uint32_t, name_of[t]) > 1;
        thread->title = shared ? add_id(profile->arena, thread->name, thread->id) : thread->name;
    }
    g_free(name_of);
    af_textmap_clear(&names);
    af_array_clear(&threads);
    return ok && !af_arena_failed(profile->arena);
}

gboolean af_profile_name_part(af_profile *profile, const char *part, const char *brief)
{
    profile->facts.part = af_arena_copy(profile->arena, part, strlen(part));
    profile->facts.part_brief = af_arena_copy(profile->arena, brief, strlen(brief));
    return profile->facts.part != NULL && profile->facts.part_brief != NULL;
}

uint32_t af_profile_main_thread(const af_profile *profile)
{
    for (uint32_t t = 0; t < profile->n_threads && profile->facts.has_pid; t++) {
        if (profile->threads[t].id == profile->facts.pid) {
            return t;
        }
    }
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        if (strcmp(profile->threads[t].name, "main") == 0) {
            return t;
        }
    }
    return 0;
}

/* Dalvik counts from 1970, ART from the boot of the device, and nothing says which. Above this
 * it can only be the former: the year 2001, or 31 years without a reboot. */
#define EPOCH_FROM_S UINT64_C(1000000000)
#define YEAR_10000_S UINT64_C(253402300800)

int64_t af_profile_date_s(const af_profile *profile)
{
    const af_facts *facts = &profile->facts;
    const uint64_t start_s =
        facts->start / (facts->start_tick_ns == 1 ? UINT64_C(1000000000) : UINT64_C(1000000));
    const gboolean known = facts->has_start && start_s > EPOCH_FROM_S && start_s < YEAR_10000_S;
    return known ? (int64_t)start_s : -1;
}

/* Where the wall clock is that of the device, the trace begins with its first record; elsewhere it
 * counts from the beginning, and the first record may come much later. */
uint64_t af_profile_start_ns(const af_profile *profile)
{
    profile = af_profile_origin(profile);
    const gboolean from_boot = profile->facts.timed ||
                               profile->facts.container == AF_CONTAINER_LONG_RUNNING ||
                               g_strcmp0(profile->facts.layout, "V2e") == 0;
    uint64_t start_ns = from_boot && profile->n_threads > 0 ? UINT64_MAX : 0;
    for (uint32_t t = 0; t < profile->n_threads && from_boot; t++) {
        start_ns = MIN(start_ns, profile->threads[t].first_ns[AF_WALL]);
    }
    return start_ns;
}

uint64_t af_profile_end_ns(const af_profile *profile)
{
    return profile->facts.end_ns;
}

uint64_t af_thread_time_ns(const af_profile *profile, uint32_t thread, af_clock clock)
{
    const uint64_t *times = af_tree_times(profile->threads[thread].tree, clock);
    return times == NULL ? 0 : times[0];
}

uint64_t af_tree_wait_ns(const af_tree *tree, uint32_t node)
{
    const uint64_t *times = af_tree_times(tree, AF_WAIT);
    return times == NULL ? 0 : times[node];
}

/* "a.b.c", "Outer$ab": no more than three small letters and digits, a letter first. What has only
 * digits is a class without a name of its own. */
static gboolean has_short_class(const af_label *label)
{
    size_t n = 0;
    char first = '\0';
    while (n < label->class_length && label->text[label->class_length - 1 - n] != '.' &&
           label->text[label->class_length - 1 - n] != '$') {
        first = label->text[label->class_length - 1 - n++];
        if (!g_ascii_islower(first) && !g_ascii_isdigit(first)) {
            return FALSE;
        }
    }
    return n <= 3 && g_ascii_islower(first);
}

gboolean af_profile_looks_obfuscated(const af_profile *profile)
{
    uint32_t n = 0, n_short = 0;
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        const af_label *label = &profile->labels[i];
        if (label->class_length > 0 &&
            (label->category == AF_CATEGORY_APP || label->category == AF_CATEGORY_LIBRARY)) {
            n++;
            n_short += has_short_class(label);
        }
    }
    return profile->n_mapped == 0 && n_short >= 3 && n_short >= n / 4;
}
