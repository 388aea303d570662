#include "export/exporter.h"

#include "base/gzip.h"
#include "base/memory_error.h"
#include "base/named.h"
#include "base/own_trace.h"
#include "export/paths.h"

#define ADDRESS(name) &af_exporter_##name,
static const af_exporter *const exporters[] = {AF_EXPORTERS(ADDRESS)};

AF_NAMED_TABLE(af_exporter, exporters, af_exporter_at, af_exporter_lookup)

static gboolean write_plain(const af_exporter *exporter, const af_profile *profile,
                            const af_selection *selection, af_write_func write, void *user,
                            GError **error)
{
    af_out *out = g_new(af_out, 1);
    af_out_open(out, write, user);
    g_autoptr(GError) own = NULL;
    const gboolean written = exporter->write(profile, selection, out, &own);
    const gboolean sent = af_out_close(out, error);
    g_free(out);
    if (sent && !written) {
        g_propagate_error(error, g_steal_pointer(&own));
    }
    return written && sent;
}

static gboolean write_packed(const af_exporter *exporter, const af_profile *profile,
                             const af_selection *selection, af_write_func write, void *user,
                             GError **error)
{
    af_gzip *gzip = af_gzip_new(write, user, AF_GZIP_QUICK);
    if (gzip == NULL) {
        return af_memory_error_set(error);
    }
    const gboolean ok = write_plain(exporter, profile, selection, af_gzip_write, gzip, error) &&
                        af_gzip_finish(gzip, error);
    af_gzip_free(gzip);
    return ok;
}

/* Whether the exporter writes stacks for lack of calls. */
static gboolean writes_stacks(const af_exporter *exporter, const af_selection *selection)
{
    return exporter->calls == AF_CALLS_IF_ANY && selection->calls == NULL;
}

/* Reports calls that are too deep for the format. */
static void report_depth(const af_exporter *exporter, const af_profile *profile,
                         const af_selection *selection, GPtrArray *messages)
{
    if (messages != NULL && exporter->deepest > 0 && !writes_stacks(exporter, selection) &&
        af_profile_deepest(profile, selection->threads, selection->n_threads) > exporter->deepest) {
        g_ptr_array_add(messages,
                        g_strdup_printf("%s files hold at most %u nested calls; deeper ones were "
                                        "left out, and their time counts as their caller's",
                                        exporter->name, exporter->deepest));
    }
}

unsigned af_exporter_facts(const af_profile *profile, const af_selection *selection)
{
    const af_facts *facts = &profile->facts;
    return (facts->content == AF_CONTENT_SAMPLED_CALLS ? AF_TRACE_SAMPLED : 0u) |
           (facts->recording.overflow == 1 ? AF_TRACE_OVERFLOW : 0u) |
           (selection->clock == AF_CPU ? AF_TRACE_CPU : 0u);
}

const char *af_export_categories(const af_profile *profile, const af_label *label)
{
    return label->methods > 0 ? profile->methods[label->method].group : NULL;
}

/* Whether the input names categories. */
static gboolean states_groups(const af_profile *profile)
{
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        if (af_export_categories(profile, &profile->labels[i]) != NULL) {
            return TRUE;
        }
    }
    for (uint32_t i = 0; i < profile->markers.n_series; i++) {
        if (profile->markers.series[i].categories != NULL) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The facts about the selection that some formats cannot hold, bits of af_loss. */
static unsigned find_facts(const af_profile *profile, const af_selection *selection)
{
    const unsigned stated = af_exporter_facts(profile, selection);
    const uint64_t *warnings = profile->warnings.count;
    unsigned found = ((stated & AF_TRACE_SAMPLED) != 0 ? AF_LOSES_SAMPLING : 0u) |
                     ((stated & AF_TRACE_OVERFLOW) != 0 ? AF_LOSES_OVERFLOW : 0u) |
                     ((stated & AF_TRACE_CPU) != 0 ? AF_LOSES_CLOCK : 0u) |
                     (profile->markers.values > 0 ? AF_LOSES_COUNTERS : 0u) |
                     (profile->markers.instants > 0 ? AF_LOSES_INSTANTS : 0u) |
                     (states_groups(profile) ? AF_LOSES_GROUPS : 0u) |
                     (profile->timeline.n > 0 ? AF_LOSES_FRAMES : 0u) |
                     (warnings[AF_WARN_MIXED_CATEGORIES] > 0 ? AF_LOSES_MIXED : 0u) |
                     (warnings[AF_WARN_DETAILS] > 0 ? AF_LOSES_DETAILS : 0u);
    for (uint32_t i = 0; i < selection->n_threads; i++) {
        found |= profile->threads[selection->threads[i]].is_track ? AF_LOSES_TRACKS : 0u;
    }
    return found;
}

char *af_exporter_name_losses(unsigned lost)
{
    static const char *const names[] = {"that times are CPU time",
                                        "that the calls come from samples",
                                        "that the buffer overflowed",
                                        "counters",
                                        "instants",
                                        "that asynchronous tracks are no threads",
                                        "categories of the input",
                                        "frame timelines",
                                        "categories that slices of one name have later",
                                        "arguments, flows, objects and markers"};
    GString *list = g_string_new(NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if ((lost >> i & 1) != 0) {
            g_string_append(list, list->len > 0 ? ", " : "");
            g_string_append(list, names[i]);
        }
    }
    return g_string_free(list, list->len == 0);
}

static void report_losses(const af_exporter *exporter, unsigned lost, GPtrArray *messages)
{
    g_autofree char *own = af_exporter_name_losses(lost & AF_LOSES_ALWAYS);
    g_autofree char *of_format = af_exporter_name_losses(lost & ~AF_LOSES_ALWAYS);
    if (of_format != NULL && messages != NULL) {
        g_ptr_array_add(messages,
                        g_strdup_printf("%s files cannot hold this, so it is left out: %s",
                                        exporter->name, of_format));
    }
    if (own != NULL && messages != NULL) {
        g_ptr_array_add(messages, g_strdup_printf("aflame does not export this: %s", own));
    }
}

/* What this file cannot hold: stacks have no place for markers, and belong to threads. */
static unsigned find_losses(const af_exporter *exporter, const af_profile *profile,
                            const af_selection *selection)
{
    const unsigned loses =
        exporter->loses | AF_LOSES_ALWAYS |
        (writes_stacks(exporter, selection)
             ? AF_LOSES_COUNTERS | AF_LOSES_INSTANTS | AF_LOSES_TRACKS | exporter->stacks_lose
             : 0u);
    const unsigned lost = loses & find_facts(profile, selection);
    return (lost & AF_LOSES_GROUPS) != 0 ? lost & ~(unsigned)AF_LOSES_MIXED : lost;
}

/* FALSE with AF_ERROR_USAGE if viewers would take CPU time for wall time. */
static gboolean check_clock(const af_exporter *exporter, const af_profile *profile, unsigned lost,
                            GError **error)
{
    if ((lost & AF_LOSES_CLOCK) == 0) {
        return TRUE;
    }
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                "%s files cannot state that times are CPU time, so viewers would show wall time; "
                "%schrome, perfetto and speedscope files state it",
                exporter->name, af_profile_has(profile, AF_WALL) ? "use --clock wall; " : "");
    return FALSE;
}

gboolean af_exporter_write(const af_exporter *exporter, const af_profile *profile,
                           const af_selection *selection, gboolean gzip, af_write_func write,
                           void *user, GError **error)
{
    const unsigned lost = find_losses(exporter, profile, selection);
    if (!check_clock(exporter, profile, lost, error)) {
        return FALSE;
    }
    g_autofree char *left_out = af_exporter_name_losses(lost);
    af_export_ids ids;
    if (!af_export_ids_init(&ids, profile)) {
        return af_memory_error_set(error);
    }
    af_selection full = *selection;
    full.left_out = left_out;
    full.ids = &ids;
    report_depth(exporter, profile, selection, selection->messages);
    report_losses(exporter, lost, selection->messages);
    const gboolean ok = gzip || exporter->packed
                            ? write_packed(exporter, profile, &full, write, user, error)
                            : write_plain(exporter, profile, &full, write, user, error);
    af_export_ids_clear(&ids);
    return ok;
}
