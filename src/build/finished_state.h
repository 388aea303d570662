/* Internals of finished_sections.c (reads the payload), finished_tree.c (reads the columns of trees)
 * and finished.c (makes the profile). */
#pragma once

#include "base/array.h"
#include "build/finished.h"
#include "model/profile.h"

/* A section that is being read. After the first missing value, every value is 0 or absent and
 * `damaged` is set. */
typedef struct {
    const uint8_t *at, *end;
    gboolean damaged;
} af_finished_cursor;

uint64_t af_finished_number(af_finished_cursor *cursor);

/* Reads a number that fits 32 bits. */
uint32_t af_finished_u32(af_finished_cursor *cursor);

/* Reads the count of items that take at least one byte each. */
uint32_t af_finished_count(af_finished_cursor *cursor);

/* A tree whose columns have not been read. */
typedef struct {
    af_finished_cursor at;
    uint32_t n; /* nodes */
    unsigned clocks;
    uint64_t unit; /* of its times, in ns */
    unsigned
        follows; /* clocks (bits) in which the shortest and longest call of nodes with fewer than
                         two calls are computed */
    gboolean refused; /* memory for its columns */
} af_finished_tree;

typedef struct {
    unsigned clocks;
    af_names names; /* the style of labels, unless the trees name methods */
    gboolean by_method, callers_above, compensated;
    gboolean only_sums;        /* the shortest and longest calls are not read */
    uint64_t instants, values; /* number of markers in the trace; they themselves are not saved */
    const char *app;           /* package of the app; only with labels */
    af_array methods;          /* of af_method */
    af_array labels;           /* of af_label */
    af_array groups;           /* of af_group */
    af_array mappings;         /* of af_mapped_facts */
    af_array series;           /* of af_marker_series */
    af_array steps;            /* of af_step_record */
    uint32_t n_names;          /* of methods or labels, which the nodes of trees count in */
    af_array threads;          /* of af_thread; their trees are owned */
    af_array trees;            /* of af_finished_tree, by thread */
    struct af_run_sums *run_sums; /* NULL = not merged; in the arena of the sink */
} af_finished;

void af_finished_free(af_finished *finished);

/* Reads the head of the next tree. Returns FALSE if it is damaged, or memory is at its limit. */
gboolean af_finished_begin_tree(af_finished_cursor *cursor, af_finished_tree *tree, af_sink *sink);

/* Reads and checks the columns of tree `number`: see its `refused` and `at.damaged`. Any thread may
 * read any tree, once, while another one adds methods and labels. */
void af_finished_read_tree(af_finished *finished, uint32_t number);

/* As af_sink_finish(). Fails with AF_ERROR_USAGE also if the requested style of names is not
 * saved. */
af_profile *af_finished_take(af_sink *sink, const af_open_options *options, GError **error);
