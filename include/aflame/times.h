/* Times as people type them.
 *
 * Options and budgets give times as text with a unit, e.g. "300ms". The library works with integer
 * nanoseconds.
 *
 *     int64_t from_ns;
 *     if (af_time_parse("1.5s", &from_ns, &error)) {
 *         printf("%lld ns\n", (long long)from_ns);
 *     }
 */
#ifndef AFLAME_TIMES_H
#define AFLAME_TIMES_H

#include <stdint.h>
#include <aflame/error.h>

G_BEGIN_DECLS

/* Parses "1.5s", "300ms", "20us", "20 µs", "1ns", "2min" or "0". A leading "-" counts back from the
 * end. The decimal point is "." in every locale; only 0 needs no unit; fractions of a nanosecond
 * are rejected. Fails with AF_ERROR_USAGE and then leaves *ns unchanged. */
AF_API gboolean af_time_parse(const char *text, int64_t *ns, GError **error);

G_END_DECLS

#endif
