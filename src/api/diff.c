#include <aflame/diff.h>

#include "api/carried_sides.h"
#include "api/command.h"
#include "api/diff_options.h"
#include "api/field.h"
#include "api/view.h"
#include "base/options.h"
#include "compare/merge.h"
#include "compare/name_rules.h"
#include "model/select.h"
#include "report/diff/diff_format.h"

af_profile *af_runs_merge(af_runs *runs, GError **error)
{
    if (runs->use != AF_RUNS_TO_MERGE) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "runs that were collected for a comparison cannot be merged");
        return NULL;
    }
    return af_merge_finish(runs, error);
}

uint32_t af_runs_n(const af_runs *runs)
{
    return runs->n_runs;
}

/* *chosen = the threads that match the selectors, NULL = all. If a profile has none of them, keeps the
 * first error in case no other profile has them either. */
static gboolean choose_threads(af_runs *runs, const af_profile *profile,
                               const char *const *selectors, GArray **chosen, GError **error)
{
    GError *why = NULL;
    *chosen = selectors == NULL ? NULL : af_select_threads(profile, selectors, &why);
    if (selectors == NULL || *chosen != NULL) {
        return TRUE;
    }
    if (!g_error_matches(why, AF_ERROR, AF_ERROR_USAGE)) {
        g_propagate_error(error, why);
        return FALSE;
    }
    if (runs->unselected == NULL) {
        runs->unselected = g_steal_pointer(&why);
    }
    g_clear_error(&why);
    *chosen = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return TRUE;
}

bool af_runs_add(af_runs *runs, const af_profile *profile, const char *input_name,
                 const char *const *threads, GError **error)
{
    g_autoptr(GArray) chosen = NULL;
    return choose_threads(runs, profile, threads, &chosen, error) &&
           af_runs_add_profile(runs, profile, input_name, chosen, error);
}

bool af_runs_take(af_runs *runs, af_profile *profile, const char *input_name,
                  const char *const *threads, GError **error)
{
    g_autoptr(GArray) chosen = NULL;
    if (!choose_threads(runs, profile, threads, &chosen, error)) {
        af_profile_free(profile);
        return FALSE;
    }
    return af_runs_take_profile(runs, profile, input_name, chosen, error);
}

gboolean af_diff_take_options(const af_diff_options *options, af_compare_options *wanted,
                              GError **error)
{
    af_diff_options known = AF_DIFF_OPTIONS_INIT;
    const gboolean ok = af_options_take(&known, sizeof known, options, error);
    *wanted = (af_compare_options){.clock = known.clock,
                                   .exact_names = known.exact_names,
                                   .normalize = known.normalize,
                                   .has_min_delta = known.min_delta_ns > 0,
                                   .min_delta = known.min_delta_ns,
                                   .min_delta_ppm = known.min_delta_ppm,
                                   .jobs = known.jobs};
    return ok;
}

af_diff *af_diff_new(const af_runs *before, const af_runs *after, const af_diff_options *options,
                     GError **error)
{
    af_compare_options wanted;
    return af_diff_take_options(options, &wanted, error) ? af_compare(before, after, &wanted, error)
                                                         : NULL;
}

bool af_diff_carry(af_diff *diff, af_runs *before, af_runs *after, GError **error)
{
    af_runs *const sides[AF_SIDES] = {before, after};
    for (unsigned s = 0; s < AF_SIDES; s++) {
        if (sides[s]->use == AF_RUNS_TO_COMPARE && sides[s]->only == NULL) {
            g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                                "several runs cannot be saved with a comparison unless they were "
                                "collected for tests");
            return FALSE;
        }
    }
    memcpy(diff->carried, sides, sizeof diff->carried);
    return TRUE;
}

af_clock af_diff_clock(const af_diff *diff)
{
    return diff->clock;
}

uint64_t af_diff_total_ns(const af_diff *diff, af_side side)
{
    return (unsigned)side < AF_SIDES ? diff->side[side].total : 0;
}

uint32_t af_diff_n_methods(const af_diff *diff)
{
    return diff->n_methods;
}

bool af_diff_method_at(const af_diff *diff, uint32_t index, af_diff_method_view *view)
{
    if (index >= diff->n_methods) {
        return FALSE;
    }
    const af_diff_method *m = &diff->methods[index];
    af_diff_method_view full = {.name = diff->labels[m->label].text,
                                .status = m->status,
                                .has_split = m->split,
                                .by_calls_ns = m->by_calls,
                                .by_mean_ns = m->by_mean,
                                .p = m->p >= 0 ? m->p : -1,
                                .is_fact = m->p == AF_DIFF_FACT,
                                .has_shift = m->side[AF_BEFORE].runs != NULL,
                                .shift_ns = m->shift,
                                .low_ns = m->low,
                                .high_ns = m->high};
    for (unsigned s = 0; s < AF_SIDES; s++) {
        full.self_ns[s] = m->side[s].self;
        full.inclusive_ns[s] = m->side[s].inclusive;
        full.calls[s] = m->side[s].calls;
    }
    af_view_fill(view, view->size, &full, sizeof full);
    return TRUE;
}

gboolean af_diff_name_rule(unsigned index, const char **example, const char **becomes,
                           const char **about)
{
    af_name_rule rule;
    const gboolean found = af_name_rule_at(index, &rule);
    if (found) {
        *example = rule.example;
        *becomes = rule.becomes;
        *about = rule.about;
    }
    return found;
}

AF_FIELD_OF(const char *, af_diff_format_name, af_diff_format_at, name)
AF_FIELD_OF(const char *, af_diff_format_title, af_diff_format_at, title)
AF_FIELD_OF(const char *, af_diff_format_extension, af_diff_format_at, extension)

const char *af_diff_table_name(unsigned index)
{
    return af_diff_table_word(index);
}

/* Sets the bytes of `carried` if the format carries both sides. FALSE with AF_ERROR_MEMORY. */
static gboolean carry_sides(af_carried_sides *carried, const af_diff *diff,
                            const af_diff_tables *tables, const af_diff_format *format,
                            GError **error)
{
    if (!format->carries || tables->data == AF_DATA_NONE || diff->carried[AF_BEFORE] == NULL) {
        return TRUE;
    }
    const size_t most = tables->data == AF_DATA_AUTO ? AF_CARRIED_MOST : 0;
    return af_carried_sides_begin(carried, diff, most, 0, error) &&
           af_carried_sides_take(carried, error) != NULL;
}

bool af_diff_write(const af_diff *diff, const char *format, const af_diff_tables *tables,
                   af_write_func write, void *user, GError **error)
{
    af_diff_tables known = AF_DIFF_TABLES_INIT;
    if (!af_options_take(&known, sizeof known, tables, error)) {
        return FALSE;
    }
    const af_diff_format *wanted = af_diff_format_lookup(format);
    if (wanted == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown format \"%s\" for comparisons",
                    format);
        return FALSE;
    }
    g_autoptr(GPtrArray) made = af_diff_tables_make(diff, &known, wanted, error);
    if (made == NULL) {
        return FALSE;
    }
    af_carried_sides carried = {.bytes = NULL};
    gboolean ok = carry_sides(&carried, diff, &known, wanted, error);
    if (ok) {
        g_autofree af_out *out = g_new(af_out, 1);
        af_out_open(out, write, user);
        ok = wanted->write(diff, made, &known, carried.bytes, out, error);
        ok = af_out_close(out, ok ? error : NULL) && ok;
    }
    af_carried_sides_clear(&carried);
    return ok;
}
