/* libaflame: method traces as call trees, pictures and reports.
 *
 * Include this header for everything. A tour: open a trace (open.h, profile.h), select and reshape
 * it (reshape.h), then draw it (picture.h), convert it (convert.h), report on it (report.h, info.h),
 * explain it (explain.h) or compare it (diff.h, budget.h). calls.h lists single calls in order of
 * time; mapping.h restores obfuscated names.
 *
 *     af_profile *opened = af_profile_open("app.trace", NULL, &error);
 *     if (opened == NULL || !af_picture_write(opened, "svg", NULL, write, user, NULL, &error)) {
 *         fprintf(stderr, "app.trace: %s\n", af_error_message(error));
 *     }
 *     af_profile_free(opened);
 *
 * Rules of the interface:
 * - Functions that can fail take a GError ** last (error.h). Others cannot fail; an index past the
 *   end gives NULL, 0 or false.
 * - No function returns a structure. A structure that you pass to the library, to read options from
 *   or to fill in, starts with its `size`. Initialise it with its ..._INIT macro or, as in C++17,
 *   with its ..._init() function; then set fields. New fields are added at the end, and the library
 *   neither reads nor writes beyond `size`, so that a program works with later versions of the
 *   library. Options whose size is 0 fail with AF_ERROR_USAGE.
 *   Exceptions: af_step, whose layout is final, and af_call_event, which the library owns.
 * - Free what a function named ..._new or ..._open returns with ..._free. The library owns the
 *   strings that it returns, unless their comment says that you free them.
 * - A profile may be used from several threads at once, any other object from one at a time. The
 *   library never prints, exits, sets the locale or reads the environment. It works with fewer threads
 *   if the system refuses some. */
#ifndef AFLAME_AFLAME_H
#define AFLAME_AFLAME_H

#include <aflame/budget.h>
#include <aflame/cairo.h>
#include <aflame/calls.h>
#include <aflame/cancel.h>
#include <aflame/clock.h>
#include <aflame/convert.h>
#include <aflame/diff.h>
#include <aflame/error.h>
#include <aflame/explain.h>
#include <aflame/graph_layout.h>
#include <aflame/info.h>
#include <aflame/mapping.h>
#include <aflame/open.h>
#include <aflame/output.h>
#include <aflame/picture.h>
#include <aflame/profile.h>
#include <aflame/redact.h>
#include <aflame/report.h>
#include <aflame/reshape.h>
#include <aflame/version.h>

#endif
