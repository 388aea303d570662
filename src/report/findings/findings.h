/* Explanations in formats for people and programs. */
#pragma once

#include "base/out.h"
#include "finding/finding.h"

typedef struct {
    const char *name, *extension;
    void (*write)(const af_explanation *const *all, unsigned n, unsigned width, af_out *out);
} af_findings_format;

/* NULL past the end; NULL if no format has the name. */
const af_findings_format *af_findings_format_at(unsigned number);
const af_findings_format *af_findings_format_lookup(const char *name);

/* "The findings explain 93.0 % of main."; free with g_free(). */
char *af_findings_summary(const af_explanation *e);

/* JSON of at most this size for each explanation: the last findings are left out. */
#define AF_FINDINGS_JSON_MOST 4096

void af_findings_write_json(const af_explanation *const *all, unsigned n, unsigned width,
                            af_out *out);
