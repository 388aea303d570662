/* The rows that an export of a profile must contain, from the call trees and the public headers
 * alone. */
#pragma once

#include <aflame/aflame.h>
#include "export_rows.h"

/* `format` is one of read_export()'s, with the suffix "-trees" for an export of trees instead of
 * calls. The profile was opened with `keep_input`. Returns FALSE if no tree holds the rows: the
 * file contains the recorded samples, for which golden/gecko has examples. */
gboolean expected_rows_add(export_rows *rows, const char *format, const af_profile *profile);

/* The longest prefix of whole characters within `longest` bytes; the caller frees it. */
char *cut_name(const char *name, gsize longest);
