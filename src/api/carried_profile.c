#include "api/carried_profile.h"

#include "base/memory_error.h"
#include "base/number.h"
#include "export/aflp.h"

size_t af_carried_profile_limit(const af_canvas_class *canvas, const af_picture_options *options)
{
    const gboolean svg = canvas == &af_canvas_svg || canvas == &af_canvas_svg_outlines;
    if (options->data != AF_DATA_AUTO) {
        return 0;
    }
    return options->max_bytes > 0 ? MIN(AF_CARRIED_MOST, options->max_bytes / 2)
           : svg                  ? AF_CARRIED_MOST_TEXT
                                  : AF_CARRIED_MOST;
}

static void save(void *user, unsigned piece)
{
    af_carried_profile *c = user;
    g_autofree uint32_t *threads = g_try_new(uint32_t, (size_t)c->profile->n_threads + 1);
    uint32_t n = 0;
    for (uint32_t t = 0; threads != NULL && t < c->profile->n_threads; t++) {
        if (c->chosen == NULL || c->chosen[t] != AF_NO_NODE) {
            threads[n++] = t;
        }
    }
    const char *saved =
        c->profile->facts.saved.version != NULL ? c->profile->facts.saved.input : NULL;
    const af_aflp_options options = {.threads = threads,
                                     .n_threads = n,
                                     .warns_of_others = TRUE,
                                     .input = saved != NULL ? saved : c->input,
                                     .clock = c->clock,
                                     .most_bytes = c->most_bytes};
    c->n_threads = n;
    c->bytes = threads == NULL ? NULL : af_aflp_save(c->profile, &options, &c->left_out, NULL);
}

void af_carried_profile_begin(af_carried_profile *carried, unsigned jobs)
{
    af_work_begin(&carried->work, 1, jobs, save, carried);
}

GBytes *af_carried_profile_take(af_carried_profile *carried, GError **error)
{
    af_work_end(&carried->work);
    if (carried->bytes == NULL) {
        af_memory_error_set(error);
    }
    return carried->bytes;
}

void af_carried_profile_clear(af_carried_profile *carried)
{
    af_work_end(&carried->work);
    g_clear_pointer(&carried->bytes, g_bytes_unref);
}

char *af_carried_profile_say_size(size_t bytes)
{
    return bytes < 95000
               ? g_strdup_printf("%" G_GSIZE_FORMAT " KB", MAX(1, (bytes + 500) / 1000))
               : g_strdup_printf("%" G_GSIZE_FORMAT ".%" G_GSIZE_FORMAT " MB",
                                 (bytes + 50000) / 1000000, (bytes + 50000) / 100000 % 10);
}

char *af_carried_profile_describe(const af_carried_profile *carried)
{
    char number[AF_NUMBER_SIZE];
    g_autofree char *size = af_carried_profile_say_size(g_bytes_get_size(carried->bytes));
    const uint32_t all = carried->profile->n_threads;
    GString *text = g_string_new("carries the profile of ");
    g_string_append(text, af_number_count(number, carried->n_threads));
    if (carried->n_threads < all) {
        g_string_append_printf(text, " of %s", af_number_count(number, all));
    }
    g_string_append_printf(text, " thread%s, %s", all == 1 ? "" : "s", size);
    if (carried->left_out > 0) {
        g_string_append_printf(text, ", without the %s call paths with the least time",
                               af_number_count(number, carried->left_out));
    }
    g_string_append(text, carried->left_out > 0      ? "; --data full keeps them"
                          : carried->n_threads < all ? "; --data full adds the others"
                                                     : "; --data none leaves it out");
    return g_string_free(text, FALSE);
}
