/* The picture of a comparison: one graph for each thread, of the union of both sides.
 *
 * Widths are those of the union of both sides, so children always fit and nothing new or
 * gone is lost. Its bar has three parts, exact for its whole subtree, that add up to its width:
 * common, grown and shrunk (compare/diff.h). */
#pragma once

#include "compare/diff.h"
#include "render/scene.h"

typedef struct {
    const char *title;          /* NULL = `inputs` */
    const char *inputs;         /* "old.trace → new.trace" */
    const char *program;        /* "aflame 0.1.0" */
    const GPtrArray *sentences; /* lines about the whole comparison, of char *; below the title */
    const GPtrArray *causes;    /* lines about the largest causes, below those */
    const char *verdict;        /* a sentence: the page for a bug report is drawn; NULL = graphs */
    const char *command;        /* that draws this page; NULL = unknown */
    const struct af_profile *const *profiles; /* of both sides, for its timelines; NULL = none */
    int32_t width_c;
    int32_t height_c; /* of the page: fewer rows and panels are drawn to stay below; 0 = no limit */
    int32_t min_width_c;
    gboolean inverted;
    gboolean full_depth;
    gboolean paged;       /* a page for each thread */
    gboolean chosen;      /* the user chose the threads: all get a panel */
    gboolean fluid;       /* an interactive page may become as wide as the window */
    gboolean interactive; /* for a viewer that lays out the sheet again */
    gboolean packed;      /* attach the union for its script */
    size_t pack_budget;   /* limit for that in bytes of base64; 0 = none */
    unsigned jobs;        /* threads to use; 0 = one for each processor */
    GPtrArray *messages;  /* receives messages about omissions, of char *; may be NULL */
} af_diff_sheet_options;

/* NULL if memory is refused. The scene borrows strings from the comparison. */
af_scene *af_diff_sheet_new(const af_diff *diff, const af_diff_sheet_options *options);
