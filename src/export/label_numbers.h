/* The labels that the selected threads use, numbered in the order of first use in their trees. Labels with the same
 * text, one of them idle, have the same number. */
#pragma once

#include "export/exporter.h"

#define AF_NOT_USED UINT32_MAX

typedef struct {
    uint32_t *number_of; /* by label; AF_NOT_USED */
    uint32_t *labels;    /* by number */
    uint32_t n;
} af_label_numbers;

/* Numbers the labels of `threads`. FALSE if out of memory. */
gboolean af_label_numbers_init(af_label_numbers *used, const af_profile *profile,
                               const uint32_t *threads, uint32_t n_threads);
void af_label_numbers_clear(af_label_numbers *used);

/* The file of the label's first method, and the line if no other method shares the label; NULL and
 * 0 or less if the trace lacks them. */
const char *af_label_source(const af_profile *profile, uint32_t label, int32_t *line);
