#include "model/profile.h"

#include <string.h>
#include <aflame/error.h>
#include <aflame/mapping.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/textmap.h"

void af_profile_free(af_profile *profile)
{
    /* not recursive: the chain of derived profiles may be long */
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
    profile->keeps_methods = FALSE;
    profile->arena = af_arena_new();
    profile->threads = NULL;
    profile->n_threads = 0;
    profile->input = NULL;
    profile->free_input = NULL;
    return profile;
}

/* Returns the name for folded stacks, where semicolons are separators. */
static const char *fold_name(af_arena *arena, const char *name)
{
    char *folded = strchr(name, ';') == NULL ? NULL : af_arena_text(arena, name);
    return folded == NULL ? name : g_strdelimit(folded, ";", ':');
}

/* Counts how often each text occurs. FALSE if memory is refused. */
typedef struct {
    af_textmap texts;
    af_array counts;   /* of uint32_t, by index of the text */
    uint32_t *text_of; /* by thread or process */
} repeats;

static gboolean count_repeats(repeats *r, const char *const *texts, uint32_t n)
{
    af_textmap_init(&r->texts);
    af_array_init(&r->counts, sizeof(uint32_t));
    r->text_of = g_try_malloc_n((size_t)n + 1, sizeof *r->text_of);
    gboolean ok = r->text_of != NULL;
    for (uint32_t i = 0; i < n && ok; i++) {
        r->text_of[i] = af_textmap_add(&r->texts, texts[i], strlen(texts[i]));
        uint32_t *count = af_array_slot(&r->counts, r->text_of[i]);
        ok = count != NULL;
        if (ok) {
            ++*count;
        }
    }
    return ok;
}

static gboolean is_shared(const repeats *r, uint32_t i)
{
    return AF_ARRAY_AT(&r->counts, uint32_t, r->text_of[i]) > 1;
}

static void clear_repeats(repeats *r)
{
    g_free(r->text_of);
    af_textmap_clear(&r->texts);
    af_array_clear(&r->counts);
}

/* Returns the titles of processes: the name, followed by the id if several share it. NULL if memory
 * is refused. */
static const char **title_processes(const af_profile *profile)
{
    const uint32_t n = profile->n_processes;
    const char **titles = g_try_new0(const char *, (size_t)n + 1);
    gboolean ok = titles != NULL;
    for (uint32_t p = 0; p < n && ok; p++) {
        const af_profile_process *process = &profile->processes[p];
        titles[p] = process->name != NULL
                        ? process->name
                        : af_arena_printf(profile->arena, "process %s", process->id);
        ok = titles[p] != NULL;
    }
    repeats r = {0};
    ok = ok && count_repeats(&r, titles, n);
    for (uint32_t p = 0; p < n && ok; p++) {
        if (is_shared(&r, p)) {
            titles[p] =
                af_arena_printf(profile->arena, "%s %s", titles[p], profile->processes[p].id);
            ok = titles[p] != NULL;
        }
    }
    clear_repeats(&r);
    if (!ok) {
        g_clear_pointer(&titles, g_free);
    }
    return titles;
}

static gboolean has_several_processes(const af_profile *profile)
{
    uint32_t first = AF_NO_PROCESS;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const uint32_t process = profile->threads[t].process;
        if (process != AF_NO_PROCESS && first != AF_NO_PROCESS && process != first) {
            return TRUE;
        }
        first = first == AF_NO_PROCESS ? process : first;
    }
    return FALSE;
}

/* Titles without ids. */
static gboolean name_processes(af_profile *profile)
{
    const char **processes = has_several_processes(profile) ? title_processes(profile) : NULL;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        af_thread *thread = &profile->threads[t];
        thread->title = thread->name;
        if (processes != NULL && thread->process != AF_NO_PROCESS) {
            thread->title =
                af_arena_printf(profile->arena, "%s: %s", processes[thread->process], thread->name);
        }
    }
    const gboolean ok = processes != NULL || !has_several_processes(profile);
    g_free(processes);
    return ok && !af_arena_failed(profile->arena);
}

gboolean af_profile_title_threads(af_profile *profile)
{
    const uint32_t n = profile->n_threads;
    const char **folded = g_try_new0(const char *, (size_t)n + 1);
    repeats r = {0};
    gboolean ok = folded != NULL && name_processes(profile);
    for (uint32_t t = 0; t < n && ok; t++) {
        folded[t] = fold_name(profile->arena, profile->threads[t].title);
    }
    ok = ok && count_repeats(&r, folded, n);
    for (uint32_t t = 0; t < n && ok; t++) {
        af_thread *thread = &profile->threads[t];
        if (is_shared(&r, t)) {
            thread->title = af_arena_printf(profile->arena, "%s [%" G_GUINT64_FORMAT "]",
                                            thread->title, thread->id);
        }
    }
    clear_repeats(&r);
    g_free(folded);
    return ok && !af_arena_failed(profile->arena);
}

gboolean af_profile_name_part(af_profile *profile, const char *part, const char *brief)
{
    profile->facts.part.title = af_arena_text(profile->arena, part);
    profile->facts.part.brief = af_arena_text(profile->arena, brief);
    return profile->facts.part.title != NULL && profile->facts.part.brief != NULL;
}

/* Whether the process started with this thread: on Linux, it has the id of its process; Chrome
 * calls it "CrBrowserMain", "CrRendererMain" ... */
static gboolean begins_process(const af_profile *profile, const af_thread *thread)
{
    char id[24];
    if (thread->process >= profile->n_processes) {
        return FALSE;
    }
    g_snprintf(id, sizeof id, "%" G_GUINT64_FORMAT, thread->id);
    return strcmp(profile->processes[thread->process].id, id) == 0 ||
           (g_str_has_prefix(thread->name, "Cr") && g_str_has_suffix(thread->name, "Main"));
}

uint32_t af_profile_find_main(const af_profile *profile)
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
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        if (begins_process(profile, &profile->threads[t])) {
            return t;
        }
    }
    return profile->n_threads;
}

uint32_t af_profile_main_thread(const af_profile *profile)
{
    const uint32_t thread = af_profile_find_main(profile);
    return thread < profile->n_threads ? thread : 0;
}

/* Dalvik counts from 1970, ART from the boot of the device, and the file does not record which.
 * Only times of Dalvik exceed this limit, which is in 2001, or 31 years after booting. */
#define EPOCH_FROM_S UINT64_C(1000000000)
#define YEAR_10000_S UINT64_C(253402300800)

int64_t af_profile_date_s(const af_profile *profile)
{
    const af_facts *facts = &profile->facts;
    const uint64_t start_s =
        facts->recording.start /
        (facts->recording.start_tick_ns == 1 ? UINT64_C(1000000000) : UINT64_C(1000000));
    const gboolean known =
        facts->recording.has_start && start_s > EPOCH_FROM_S && start_s < YEAR_10000_S;
    return known ? (int64_t)start_s : -1;
}

/* If the wall clock is the device's, the trace starts with its first record; otherwise the clock
 * starts at 0 with the trace, and the first record may come much later. */
uint64_t af_profile_start_ns(const af_profile *profile)
{
    profile = af_profile_origin(profile);
    const gboolean from_boot = profile->facts.container == AF_CONTAINER_LONG_RUNNING;
    uint64_t start_ns = from_boot && profile->n_threads > 0 ? UINT64_MAX : 0;
    for (uint32_t t = 0; t < profile->n_threads && from_boot; t++) {
        start_ns = MIN(start_ns, profile->threads[t].first_ns[AF_WALL]);
    }
    return start_ns;
}

af_time_range af_profile_range(const af_profile *profile)
{
    const uint64_t end_ns = profile->facts.recording.end_ns;
    const af_part_facts *part = &profile->facts.part;
    if (part->has_range) {
        return (af_time_range){part->range.from_ns, MIN(part->range.to_ns, end_ns)};
    }
    return (af_time_range){af_profile_start_ns(profile), end_ns};
}

const char *af_profile_saved_name(const af_profile *profile)
{
    return profile->facts.saved.input;
}

uint64_t af_profile_end_ns(const af_profile *profile)
{
    return profile->facts.recording.end_ns;
}

void af_profile_take_clocks(af_profile *profile)
{
    unsigned clocks = 0;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        clocks |= af_tree_clocks(profile->threads[t].tree);
    }
    profile->clocks = profile->n_threads > 0 ? clocks : profile->clocks;
}

uint32_t af_profile_deepest(const af_profile *profile, const uint32_t *threads, uint32_t n_threads)
{
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < (threads != NULL ? n_threads : profile->n_threads); i++) {
        const af_tree *tree = profile->threads[threads != NULL ? threads[i] : i].tree;
        for (uint32_t n = 1; n < tree->n; n++) {
            deepest = MAX(deepest, tree->depth[n]);
        }
    }
    return deepest;
}

uint32_t af_profile_n_without(const af_profile *profile, af_clock clock)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < profile->n_threads && af_profile_has(profile, clock); t++) {
        n += !af_thread_has(profile, t, clock);
    }
    return n;
}

af_clock af_profile_busy_clock(const af_profile *profile)
{
    const gboolean all =
        af_profile_has(profile, AF_CPU) && af_profile_n_without(profile, AF_CPU) == 0;
    return all ? AF_CPU : AF_WALL;
}

uint64_t af_thread_time_ns(const af_profile *profile, uint32_t thread, af_clock clock)
{
    return af_tree_time_ns(profile->threads[thread].tree, 0, clock);
}

gboolean af_profile_add_times(const af_profile *profile, uint64_t sums[AF_CLOCKS], GError **error)
{
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            const uint64_t ns = af_thread_time_ns(profile, t, (af_clock)c);
            if (ns > INT64_MAX - sums[c]) {
                g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                                    "the times of all threads add up to more than 292 years, the "
                                    "most that aflame can count; check the file for calls with a "
                                    "wrong begin or end");
                return FALSE;
            }
            sums[c] += ns;
        }
    }
    return TRUE;
}

/* "a.b.c", "Outer$ab": at most three lower-case letters and digits, a letter first. Digits only are
 * an anonymous class. */
static gboolean has_short_class(const af_label *label)
{
    size_t n = 0;
    char first = '\0';
    while (n < label->class_length &&
           strchr("./$", label->text[label->class_length - 1 - n]) == NULL) {
        first = label->text[label->class_length - 1 - n++];
        if (!g_ascii_islower(first) && !g_ascii_isdigit(first)) {
            return FALSE;
        }
    }
    return n <= 3 && g_ascii_islower(first);
}

bool af_profile_looks_obfuscated(const af_profile *profile)
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

uint32_t af_profile_hash_path(const af_profile *profile, uint32_t thread, uint32_t node)
{
    const af_tree *tree = profile->threads[thread].tree;
    const char *title = profile->threads[thread].title;
    const uint32_t depth = tree->depth[node];
    g_autofree uint32_t *path = g_new(uint32_t, (gsize)depth + 1);
    for (uint32_t i = depth, n = node; i > 0; n = tree->parent[n]) {
        path[--i] = n;
    }
    uint32_t hash = af_hash_fixed(title, strlen(title));
    for (uint32_t i = 0; i < depth; i++) {
        const char *label = profile->labels[tree->label[path[i]]].text;
        hash = af_hash_fixed_continue(hash, "\n", 1);
        hash = af_hash_fixed_continue(hash, label, strlen(label));
    }
    return hash;
}
