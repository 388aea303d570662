/* A profile under construction: the base's threads with the trees that the steps so far have made.
 *
 * Each kind of step has a function that changes it (transform/step.h). */
#pragma once

#include "base/array.h"
#include "base/textmap.h"
#include "model/tree_rewrite.h"
#include "transform/reshape.h"

typedef struct {
    af_profile *made;
    guint8 *owned;          /* by thread: 1 = the tree belongs to the draft, 0 = to the base */
    af_array labels;        /* of af_label; made->labels borrows it */
    af_textmap texts;       /* the texts of the labels, filled by the first new label */
    af_lineage *lineage;    /* NULL = not requested */
    af_step_record *record; /* of the current step */
} af_working_copy;

gboolean af_working_copy_open(af_working_copy *draft, const af_profile *base,
                              gboolean with_lineage);

/* Frees the contents of the draft, including `made` unless the caller took it and set it to
 * NULL. */
void af_working_copy_close(af_working_copy *draft);

/* The number of the label with `text`. A new label copies its other fields from `like`. AF_NO_LABEL
 * if memory is refused. */
uint32_t af_working_copy_add_label(af_working_copy *draft, const af_label *like, const char *text);

/* Records that the thread was removed with all its nodes. */
void af_lineage_drop_thread(af_lineage *lineage, uint32_t thread);

/* Computes `first` and `next` from `thread`. */
void af_lineage_chain(af_lineage *lineage);

/* Records that the nodes of thread `from` became `node_of` of thread `to`, and their self times
 * went to `time_of`. */
void af_working_copy_trace(af_working_copy *draft, uint32_t from, uint32_t to,
                           const uint32_t *node_of, const uint32_t *time_of);

/* Replaces the thread's tree. Otherwise like af_working_copy_trace(). */
void af_working_copy_put_tree(af_working_copy *draft, uint32_t thread, af_tree *tree,
                              const uint32_t *node_of, const uint32_t *time_of);

/* Fills in the plan for a tree; returns the number of frames that the step applies to. */
typedef uint64_t (*af_plan_func)(const af_tree *tree, af_plan *plan, const void *user);

/* The number of nodes of the largest tree. */
uint32_t af_working_copy_largest(const af_working_copy *draft);

/* Processes a tree that was made by a plan; `node_of` maps the nodes of the old tree to it. FALSE
 * if memory is refused. */
typedef gboolean (*af_made_func)(af_working_copy *draft, af_tree *made, const af_tree *tree,
                                 const uint32_t *node_of, const void *user);

/* Rebuilds the tree of one thread by a plan. `finish` may be NULL. FALSE if memory is refused. */
gboolean af_working_copy_replan_thread(af_working_copy *draft, uint32_t thread, af_plan_func write,
                                       af_made_func finish, const void *user);

/* The same for all threads. */
gboolean af_working_copy_replan(af_working_copy *draft, af_plan_func write, af_made_func finish,
                                const void *user, GError **error);

/* The labels that a step's pattern matches, a byte for each; free with g_free(). NULL with an error
 * for an invalid pattern. If nothing matches, the record gets a message and no byte is set. */
guint8 *af_working_copy_match(af_working_copy *draft, const char *pattern, GError **error);

/* Keeps the threads that the selectors (ending with NULL) match, in ascending order of their
 * ids. */
gboolean af_working_copy_select_threads(af_working_copy *draft, const char *const *selectors,
                                        GError **error);

/* Keeps a node, which becomes the root of its thread, with its descendants. Other threads become
 * empty. */
gboolean af_working_copy_keep_below(af_working_copy *draft, uint32_t thread, uint32_t node,
                                    GError **error);
