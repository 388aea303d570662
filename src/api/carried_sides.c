#include "api/carried_sides.h"

#include "base/aflp.h"
#include "base/append.h"
#include "base/memory_error.h"
#include "base/number.h"
#include "compare/diff.h"
#include "compare/merge.h"

/* The profile of a side: that of its only run, or all runs merged. NULL if memory is refused. */
static const af_profile *choose_profile(af_carried_sides *carried, af_runs *runs, unsigned side,
                                        GError **error)
{
    if (runs->only != NULL) {
        carried->side[side].chosen = runs->only_threads;
        return runs->only;
    }
    carried->merged[side] = af_merge_finish(runs, error);
    return carried->merged[side];
}

/* "cold.trace", "cold-1.trace and 4 more" */
static char *name_runs(const af_runs *runs)
{
    char *first = g_path_get_basename(runs->inputs->pdata[0]);
    if (runs->inputs->len < 2) {
        return first;
    }
    char *name = g_strdup_printf("%s and %u more", first, runs->inputs->len - 1);
    g_free(first);
    return name;
}

static void begin_saving(af_carried_sides *carried, af_clock clock, size_t most_bytes,
                         unsigned jobs)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        carried->side[s].input = carried->names[s];
        carried->side[s].clock = clock == AF_WAIT ? AF_WALL : clock;
        carried->side[s].most_bytes = most_bytes / AF_SIDES;
        af_carried_profile_begin(&carried->side[s], jobs);
    }
}

gboolean af_carried_sides_begin(af_carried_sides *carried, const af_diff *diff, size_t most_bytes,
                                unsigned jobs, GError **error)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        carried->side[s].profile = choose_profile(carried, diff->carried[s], s, error);
        if (carried->side[s].profile == NULL) {
            return FALSE;
        }
        carried->names[s] = name_runs(diff->carried[s]);
    }
    begin_saving(carried, diff->clock, most_bytes, jobs);
    return TRUE;
}

void af_carried_sides_begin_profiles(af_carried_sides *carried,
                                     const af_profile *const profiles[AF_SIDES],
                                     const char *const names[AF_SIDES], af_clock clock,
                                     size_t most_bytes, unsigned jobs)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        carried->side[s].profile = profiles[s];
        carried->names[s] = names[s] != NULL ? g_path_get_basename(names[s]) : NULL;
    }
    begin_saving(carried, clock, most_bytes, jobs);
}

static void append_file(af_array *to, GBytes *file)
{
    gsize length;
    const void *bytes = g_bytes_get_data(file, &length);
    af_append_uleb128(to, length);
    af_append_bytes(to, bytes, length);
}

GBytes *af_carried_sides_take(af_carried_sides *carried, GError **error)
{
    const uint8_t version = AF_AFLP_COMPARISON;
    GBytes *files[AF_SIDES];
    af_array joined;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        files[s] = af_carried_profile_take(&carried->side[s], error);
        if (files[s] == NULL) {
            return NULL;
        }
    }
    af_array_init(&joined, 1);
    af_append_bytes(&joined, AF_AFLP_MAGIC, AF_AFLP_MAGIC_SIZE);
    af_append_bytes(&joined, &version, 1);
    append_file(&joined, files[AF_BEFORE]);
    append_file(&joined, files[AF_AFTER]);
    if (joined.failed) {
        af_array_clear(&joined);
        af_memory_error_set(error);
        return NULL;
    }
    carried->bytes = g_bytes_new_take(joined.items, joined.n);
    return carried->bytes;
}

void af_carried_sides_clear(af_carried_sides *carried)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        af_carried_profile_clear(&carried->side[s]);
        af_profile_free(carried->merged[s]);
        g_free(carried->names[s]);
    }
    g_clear_pointer(&carried->bytes, g_bytes_unref);
}

static char *describe(const af_carried_sides *carried, uint64_t left_out)
{
    char paths[AF_NUMBER_SIZE];
    g_autofree char *size = af_carried_profile_say_size(g_bytes_get_size(carried->bytes));
    return left_out == 0
               ? g_strdup_printf(
                     "carries the profiles of both sides, %s; --data none leaves them out", size)
               : g_strdup_printf(
                     "carries the profiles of both sides, %s, without the %s call paths "
                     "with the least time; --data full keeps them",
                     size, af_number_count(paths, left_out));
}

gboolean af_carried_sides_attach(af_carried_sides *carried, af_scene *scene, gboolean binary,
                                 GPtrArray *messages, GError **error)
{
    GBytes *bytes = af_carried_sides_take(carried, error);
    if (bytes == NULL) {
        return FALSE;
    }
    const uint64_t left_out = carried->side[AF_BEFORE].left_out + carried->side[AF_AFTER].left_out;
    af_scene_attach(scene, AF_ATTACHED_PROFILE, bytes, 0);
    if (binary || left_out > 0) {
        g_ptr_array_add(messages, describe(carried, left_out));
    }
    return TRUE;
}
