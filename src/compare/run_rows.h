/* The rows of a run: the times of each method in each thread. */
#pragma once

#include "compare/runs.h"

/* Appends a profile as one run. `name_of` and `thread_of` translate labels and threads (AF_NO_NODE =
 * left out). FALSE if memory is refused. */
gboolean af_run_rows_add(af_runs *runs, const af_profile *profile, const uint32_t *name_of,
                         const uint32_t *thread_of);

/* Computes the rows of the only run, which are still missing if the profile was taken over:
 * comparing one run with another needs none. FALSE if memory is refused. */
gboolean af_run_rows_complete(const af_runs *runs);

/* The order of rows for qsort(): 0 for rows of one method in one thread. */
int af_run_rows_order(const void *a, const void *b);

/* Appends the runs that a merged profile keeps. */
gboolean af_run_rows_import(af_runs *runs, const af_profile *profile, const uint32_t *thread_of);

/* The name of a row, without the numbers that a compiler or a run assigns if it is masked. */
const char *af_run_row_name(const af_runs *runs, const af_run_row *row);
