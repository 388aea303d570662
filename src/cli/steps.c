#include "cli/steps.h"

#include "cli/redaction.h"

void af_steps_init(af_steps *steps)
{
    steps->steps = g_array_new(FALSE, FALSE, sizeof(af_step));
    steps->threads = NULL;
}

void af_steps_clear(af_steps *steps)
{
    g_array_unref(steps->steps);
    g_free(steps->threads);
}

static guint find_last_merge(const GArray *steps)
{
    for (guint i = steps->len; i > 0; i--) {
        if (g_array_index(steps, af_step, i - 1).kind == AF_STEP_MERGE_THREADS) {
            return i;
        }
    }
    return 0;
}

void af_steps_finish(af_steps *steps, af_clock clock, gboolean redact)
{
    GPtrArray *threads = g_ptr_array_new();
    for (guint i = 0; i < steps->steps->len; i++) {
        g_array_index(steps->steps, af_step, i).clock = clock;
    }
    if (redact) {
        g_ptr_array_unref(threads);
        /* Threads are selected by their names before these are replaced; then all that are left are
         * shown. */
        const GArray *list = steps->steps;
        gboolean any = FALSE;
        for (guint i = find_last_merge(list); i < list->len; i++) {
            any = any || g_array_index(list, af_step, i).kind == AF_STEP_THREADS;
        }
        steps->threads = any ? g_new0(const char *, 2) : NULL;
        if (any) {
            steps->threads[0] = "all";
        }
        return;
    }
    for (guint i = find_last_merge(steps->steps); i < steps->steps->len;) {
        const af_step *step = &g_array_index(steps->steps, af_step, i);
        if (step->kind == AF_STEP_THREADS) {
            g_ptr_array_add(threads, (gpointer)step->text);
            g_array_remove_index(steps->steps, i);
        } else {
            i++;
        }
    }
    const gboolean any = threads->len > 0;
    g_ptr_array_add(threads, NULL);
    const char **list = (const char **)(void *)g_ptr_array_free(threads, FALSE);
    steps->threads = any ? list : NULL;
    if (!any) {
        g_free(list);
    }
}

/* NULL with *status set. Frees `profile` if the steps make another one. */
static af_profile *reshape(const af_options *options, const af_input *input, af_profile *profile,
                           af_exit *status)
{
    const GArray *steps = options->steps.steps;
    GError *error = NULL;
    af_profile *made =
        af_profile_reshape(profile, (const af_step *)(void *)steps->data, steps->len, &error);
    af_profile_free(profile);
    if (made == NULL) {
        *status = af_message_fail(input->name, error);
    } else if (!options->quiet) {
        for (unsigned i = 0; i < af_profile_n_steps(made); i++) {
            af_step_view step = AF_STEP_VIEW_INIT;
            if (af_profile_step(made, i, &step) && step.message != NULL) {
                af_message_print(input->name, "%s: %s", step.option, step.message);
            }
        }
    }
    return made;
}

af_profile *af_steps_open(const af_options *options, af_input *input, gboolean keep_input,
                          af_exit *status)
{
    af_profile *profile = af_input_read(input, options, keep_input, status);
    if (profile != NULL && options->steps.steps->len > 0) {
        profile = reshape(options, input, profile, status);
    }
    if (profile != NULL && !af_redaction_apply(options, input, profile, status)) {
        g_clear_pointer(&profile, af_profile_free);
    }
    return profile;
}
