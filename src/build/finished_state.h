/* Internals of finished.c (reads the sections and makes the profile) and finished_tree.c (reads the
 * columns of trees). */
#pragma once

#include "build/finished.h"
#include "model/saved_sections.h"

/* A tree whose columns have not been read. */
typedef struct {
    af_codec at;
    uint32_t n; /* nodes */
    unsigned clocks;
    uint64_t unit; /* of its times, in ns */
    unsigned
        follows; /* clocks (bits) in which the shortest and longest call of nodes with fewer than
                         two calls are computed */
    gboolean refused; /* memory for its columns */
} af_finished_tree;

typedef struct {
    af_profile *profile; /* in the arena of the sink, but for its trees */
    gboolean by_method;
    gboolean only_sums; /* the shortest and longest calls are not read */
    uint32_t n_names;   /* of methods or labels, which the nodes of trees count in */
    af_array trees;     /* of af_finished_tree, by thread */
} af_finished;

void af_finished_free(af_finished *finished);

/* Reads the head of the next tree. Returns FALSE if it is damaged, or memory is at its limit. */
gboolean af_finished_begin_tree(af_codec *codec, af_finished_tree *tree, af_sink *sink);

/* Reads and checks the columns of tree `number`: see its `refused` and `at.damaged`. Any thread may
 * read any tree, once, while another one adds methods and labels. */
void af_finished_read_tree(af_finished *finished, uint32_t number);

/* As af_sink_finish(). Fails with AF_ERROR_USAGE also if the requested style of names is not
 * saved. */
af_profile *af_finished_take(af_sink *sink, const af_open_options *options, GError **error);
