#include "api/command.h"
#include "cli/growth.h"

#include <string.h>

gboolean af_growth_is_wanted(const af_options *o, const af_profile *profile)
{
    return o->part && (o->verb->bit & (AF_RENDER | AF_REPORT | AF_CONVERT)) != 0 &&
           af_profile_dump_time(profile, 0, NULL);
}

static GArray *list_dumps(const af_profile *profile)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(int64_t));
    int64_t ns;
    for (unsigned i = 0; af_profile_dump_time(profile, i, &ns); i++) {
        g_array_append_val(times, ns);
    }
    return times;
}

/* The last dump up to a time, or the first one. Negative times count from the last dump. */
static guint find_dump(const GArray *times, int64_t given_ns)
{
    guint found = 0;
    const int64_t last_ns = g_array_index(times, int64_t, times->len - 1);
    const int64_t wanted_ns = given_ns < 0 ? last_ns + MAX(given_ns, -last_ns) : given_ns;
    for (guint i = 1; i < times->len && g_array_index(times, int64_t, i) <= wanted_ns; i++) {
        found = i;
    }
    return found;
}

gboolean af_growth_choose(const af_options *o, const char *name, const af_profile *profile,
                          af_growth *growth)
{
    g_autoptr(GArray) times = list_dumps(profile);
    const guint from = af_options_have(o, "from") ? find_dump(times, o->from_ns) : 0;
    const guint to = af_options_have(o, "to") ? find_dump(times, o->to_ns) : times->len - 1;
    const gboolean ok = from < to;
    if (times->len == 1) {
        af_message_print(name, "its heaps have a single dump; growth needs two");
    } else if (!ok) {
        af_message_print(name,
                         "--from and --to select dump %u and dump %u of %u; growth needs a later "
                         "dump for --to (aflame info shows the dumps)",
                         from + 1, to + 1, times->len);
    } else {
        *growth = (af_growth){TRUE, g_array_index(times, int64_t, from),
                              g_array_index(times, int64_t, to)};
    }
    return ok;
}

/* Adds the typed options to the command line of the comparison, without those that `growth` or the
 * targets replace. Prints an option that comparisons lack. */
static gboolean add_options(GPtrArray *words, const af_options *o)
{
    static const char *const replaced[] = {"from", "to", "output", "format", NULL};
    for (guint i = 0; i < o->settings->list->len; i++) {
        const af_setting *it = &g_array_index(o->settings->list, af_setting, i);
        const char *name = it->option->name;
        if (it->origin != NULL || g_strv_contains(replaced, name)) {
            continue;
        }
        if (af_option_lookup(AF_DIFF, name, strlen(name)) == NULL || strcmp(name, "dump") == 0) {
            af_setting_complain(it, "has no effect on the growth between two dumps of a heap");
            return FALSE;
        }
        g_ptr_array_add(words, af_setting_write(it, it->value));
    }
    return TRUE;
}

/* The formats that have the same meaning for the verb and for a comparison. */
static gboolean is_common_format(const af_options *o, const char *format)
{
    const gboolean known = af_named_find(af_verb_diff.formats->name, format) >= 0;
    return known && (o->verb->bit != AF_CONVERT || strcmp(format, "folded") == 0);
}

static gboolean add_targets(GPtrArray *words, const af_options *o, const GPtrArray *targets)
{
    for (guint i = 0; i < targets->len; i++) {
        const af_target *target = targets->pdata[i];
        if (strcmp(target->format, "alt") == 0) {
            continue; /* the option is passed on */
        }
        if (!is_common_format(o, target->format) || target->packed) {
            af_message_print(target->path,
                             "the growth between two dumps of a heap cannot be written as %s%s",
                             target->format, target->packed ? " in gzip" : "");
            return FALSE;
        }
        g_ptr_array_add(words, g_strdup_printf("--output=%s", target->path));
        if (o->format != NULL || strcmp(target->path, "-") == 0) {
            g_ptr_array_add(words, g_strdup_printf("--format=%s", target->format));
        }
    }
    return TRUE;
}

af_exit af_growth_write(const af_options *o, const af_input *input, const GPtrArray *targets)
{
    if (af_input_descriptor(input->path) >= 0) {
        af_message_print(input->name,
                         "aflame reads a heap once for each dump; save it to a file first");
        return AF_EXIT_USAGE;
    }
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(words, g_strdup(af_verb_diff.name));
    af_exit status = AF_EXIT_USAGE;
    if (add_options(words, o) && add_targets(words, o, targets)) {
        g_ptr_array_add(words, g_strdup_printf("--dump-before=%" G_GINT64_FORMAT "ns",
                                               input->growth.before_ns));
        g_ptr_array_add(
            words, g_strdup_printf("--dump-after=%" G_GINT64_FORMAT "ns", input->growth.after_ns));
        g_ptr_array_add(words, g_strdup("--"));
        g_ptr_array_add(words, g_strdup(input->path));
        g_ptr_array_add(words, g_strdup(input->path));
        status = af_verb_run(&af_verb_diff, (int)words->len, (char **)words->pdata, FALSE, NULL);
    }
    return status;
}
