/* How times are typed. */
#ifndef AFLAME_TIMES_H
#define AFLAME_TIMES_H

#include <stdint.h>
#include <aflame/error.h>

G_BEGIN_DECLS

/* Reads "1.5s", "300ms", "20us", "20 µs", "1ns", "2min" or "0", with "-" before it if it counts
 * from the end of something. Never by locale; only 0 goes without its unit, and nothing below a
 * nanosecond is understood. Fails with AF_ERROR_USAGE and leaves *ns alone. */
AF_API gboolean af_time_parse(const char *text, int64_t *ns, GError **error);

G_END_DECLS

#endif
