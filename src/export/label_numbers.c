#include "export/label_numbers.h"

gboolean af_label_numbers_init(af_label_numbers *used, const af_profile *profile,
                               const uint32_t *threads, uint32_t n_threads)
{
    const size_t n = (size_t)profile->n_labels + 1;
    used->n = 0;
    used->number_of = g_try_new(uint32_t, n);
    used->labels = g_try_new(uint32_t, n);
    if (used->number_of == NULL || used->labels == NULL) {
        af_label_numbers_clear(used);
        return FALSE;
    }
    memset(used->number_of, 0xFF, n * sizeof *used->number_of);
    for (uint32_t i = 0; i < n_threads; i++) {
        const af_tree *tree = profile->threads[threads[i]].tree;
        for (uint32_t node = 1; node < tree->n; node++) {
            const uint32_t label = tree->label[node];
            if (used->number_of[label] == AF_NOT_USED) {
                used->number_of[label] = used->n;
                used->labels[used->n++] = label;
            }
        }
    }
    return TRUE;
}

void af_label_numbers_clear(af_label_numbers *used)
{
    g_clear_pointer(&used->number_of, g_free);
    g_clear_pointer(&used->labels, g_free);
}

const char *af_label_source(const af_profile *profile, uint32_t label, int32_t *line)
{
    const af_label *l = &profile->labels[label];
    const af_method *method = l->methods == 0 ? NULL : &profile->methods[l->method];
    *line = l->methods == 1 ? method->line : 0;
    return method == NULL || method->source == NULL || method->source[0] == '\0' ? NULL
                                                                                 : method->source;
}
