/* The rows that a file of a format made from a profile must have, by the call trees and the public
 * headers alone. */
#ifndef TESTS_WANTED_ROWS_H
#define TESTS_WANTED_ROWS_H

#include <aflame/aflame.h>
#include "export_rows.h"

/* `format` is one of read_export()'s, with "-trees" behind it where it was made of trees and not of
 * calls. The profile was opened with `keep_input`.
 * FALSE if no tree holds them: samples as they stand in the file, of which golden/gecko has some.
 */
gboolean wanted_rows_add(export_rows *rows, const char *format, const af_profile *profile);

/* As much of a name as fits so many bytes, of whole characters; the caller frees. */
char *cut_name(const char *name, gsize longest);

#endif
