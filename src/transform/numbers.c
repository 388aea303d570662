/* Merges names that differ only in numbers: "frame 17" and "frame 18" become "frame #". */
#include "transform/step.h"

#include "base/memory_error.h"
#include "model/numbered.h"

/* By label: the label without its numbers. NULL if memory is refused. */
static uint32_t *map_labels(af_working_copy *draft)
{
    const uint32_t n = draft->made->n_labels;
    uint32_t *label_of = g_try_new(uint32_t, (gsize)n + 1);
    for (uint32_t l = 0; label_of != NULL && l < n; l++) {
        g_autofree char *text = af_numbered_name(draft->made->labels[l].text);
        af_label like = draft->made->labels[l];
        like.methods++; /* so no single method name stands for all of them */
        like.class_length = like.method_at = 0;
        label_of[l] = text == NULL ? l : af_working_copy_add_label(draft, &like, text);
        if (label_of[l] == AF_NO_LABEL) {
            g_clear_pointer(&label_of, g_free);
        }
    }
    return label_of;
}

static uint64_t plan_names(const af_tree *tree, af_plan *plan, const void *user)
{
    const uint32_t *label_of = user;
    uint64_t renamed = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        plan->label[n] = label_of[tree->label[n]];
        renamed += plan->label[n] != tree->label[n];
    }
    return renamed;
}

static gboolean merge_numbers(af_working_copy *draft, const af_step *step, GError **error)
{
    g_autofree uint32_t *label_of = map_labels(draft);
    return label_of != NULL ? af_working_copy_replan(draft, plan_names, NULL, label_of, error)
                            : af_memory_error_set(error);
}

const af_step_class af_step_merge_numbers = {
    "merge-numbers", "Merge names that differ only in numbers",
    "Merge frames whose names differ only in numbers: \"frame 17\" becomes\n"
    "\"frame #\". Numbers after a letter, a dot or a dollar sign stay.\n"
    "All time stays.",
    AF_STEP_NO_VALUE, .run = merge_numbers};
