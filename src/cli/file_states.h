/* The states of files when aflame first looked at them. Inputs are listed before any of them is
 * read, and reading a long list takes time: a file may change in between. */
#pragma once

#include <glib.h>

typedef GHashTable af_file_states; /* by path; free with g_hash_table_unref() */

af_file_states *af_file_states_new(void);

/* Records the state of a file. Pipes and missing files have none. */
void af_file_states_add(af_file_states *states, const char *path);

/* Whether a recorded file, if `path` is one, is unchanged. */
gboolean af_file_states_keep(af_file_states *states, const char *path);
