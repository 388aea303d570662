/* A profile in the making: the base's threads with the trees that the steps so far have made.
 *
 * One function below for each kind of step. It changes the draft, adds to `record` what it left
 * out, and returns FALSE with an error. Refused memory is AF_ERROR_MEMORY. */
#ifndef AF_TRANSFORM_WORKING_COPY_H
#define AF_TRANSFORM_WORKING_COPY_H

#include "base/array.h"
#include "base/textmap.h"
#include "model/tree_rewrite.h"
#include "transform/reshape.h"

typedef struct {
    af_profile *made;
    guint8 *owned;          /* by thread: 1 = the tree is the draft's, 0 = the base's */
    af_array labels;        /* of af_label; made->labels lends it */
    af_textmap texts;       /* the labels' texts, once one was made */
    af_lineage *lineage;    /* NULL = nobody asks */
    af_step_record *record; /* of the step that is being done */
} af_working_copy;

gboolean af_working_copy_open(af_working_copy *draft, const af_profile *base,
                              gboolean with_lineage);

/* Frees what the draft has; `made` too unless it was taken (NULL). */
void af_working_copy_close(af_working_copy *draft);

/* The number of the label with `text`. If there is none yet it becomes one that is otherwise like
 * `like`. AF_NO_LABEL if the machine refuses the memory. */
uint32_t af_working_copy_add_label(af_working_copy *draft, const af_label *like, const char *text);

/* The thread went, and its nodes with it. */
void af_lineage_drop_thread(af_lineage *lineage, uint32_t thread);

/* Makes `first` and `next` what `thread` says. */
void af_lineage_chain(af_lineage *lineage);

/* Says that the nodes of thread `from` came to `node_of` of thread `to`, and their self times to
 * `time_of`. */
void af_working_copy_trace(af_working_copy *draft, uint32_t from, uint32_t to,
                           const uint32_t *node_of, const uint32_t *time_of);

/* Puts a tree in the place of the thread's. The rest is as in af_working_copy_trace(). */
void af_working_copy_put_tree(af_working_copy *draft, uint32_t thread, af_tree *tree,
                              const uint32_t *node_of, const uint32_t *time_of);

/* Writes a plan for a tree; returns how many frames the step was about. */
typedef uint64_t (*af_plan_func)(const af_tree *tree, af_plan *plan, const void *user);

/* Nodes of the largest tree. */
uint32_t af_working_copy_largest(const af_working_copy *draft);

/* Sees a tree that was made by a plan, and what the nodes of the old one became. FALSE if the
 * machine refuses memory. */
typedef gboolean (*af_made_func)(af_working_copy *draft, af_tree *made, const af_tree *tree,
                                 const uint32_t *node_of, const void *user);

/* Makes the tree of one thread again by a plan. `finish` may be NULL. FALSE if the machine refuses
 * memory. */
gboolean af_working_copy_replan_thread(af_working_copy *draft, uint32_t thread, af_plan_func write,
                                       af_made_func finish, const void *user);

/* The same for all threads. */
gboolean af_working_copy_replan(af_working_copy *draft, af_plan_func write, af_made_func finish,
                                const void *user, GError **error);

/* The labels that a step's pattern matches, a byte for each; free with g_free(). NULL with an error
 * for a bad pattern. If nothing matches: a note in the record and no byte set. */
guint8 *af_working_copy_match(af_working_copy *draft, const char *pattern, GError **error);

/* ---- the steps ---- */

typedef gboolean (*af_step_func)(af_working_copy *draft, const af_step *step, GError **error);

gboolean af_step_focus(af_working_copy *draft, const af_step *step, GError **error);
gboolean af_step_ignore(af_working_copy *draft, const af_step *step, GError **error);
gboolean af_step_root(af_working_copy *draft, const af_step *step, GError **error);
gboolean af_step_hide(af_working_copy *draft, const af_step *step, GError **error);
gboolean af_step_limit_depth(af_working_copy *draft, const af_step *step, GError **error);
gboolean af_step_drop_shorter(af_working_copy *draft, const af_step *step, GError **error);
gboolean af_step_fold(af_working_copy *draft, const af_step *step, GError **error);
gboolean af_step_collapse_recursion(af_working_copy *draft, const af_step *step, GError **error);
gboolean af_step_clean(af_working_copy *draft, const af_step *step, GError **error);
gboolean af_step_invert(af_working_copy *draft, const af_step *step, GError **error);
gboolean af_step_compensate(af_working_copy *draft, const af_step *step, GError **error);
gboolean af_step_merge_threads(af_working_copy *draft, const af_step *step, GError **error);

/* Keeps the threads that the selectors (ends with NULL) name, in ascending order of their ids. */
gboolean af_working_copy_select_threads(af_working_copy *draft, const char *const *selectors,
                                        GError **error);

/* Keeps what lies at and below a node, which becomes the root of its thread. Other threads keep
 * nothing. */
gboolean af_working_copy_keep_below(af_working_copy *draft, uint32_t thread, uint32_t node,
                                    GError **error);

/* Puts siblings in order; see af_sort_order. */
gboolean af_working_copy_sort(af_working_copy *draft, const af_step *step, GError **error);

#endif
