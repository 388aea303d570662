/* Information: what a trace is and how healthy it is.
 *
 * A page for people or a JSON object for programs: the format, the app and its process, clocks and
 * durations, threads, and the warnings that reading found. Several threads may describe the same
 * profile at once.
 *
 *     char *page = af_info_text(profile, "app.trace");
 *     puts(page);
 *     free(page);
 */
#ifndef AFLAME_INFO_H
#define AFLAME_INFO_H

#include <aflame/profile.h>

AF_BEGIN_DECLS

/* A page of text for a terminal: facts, threads, warnings and what to do about them. `name` is the
 * name of the input to print. Free the page with free(). */
AF_API char *af_info_text(const af_profile *profile, const char *name);

/* The same for a terminal of `width` columns; 0 = 88. */
AF_API char *af_info_text_fit(const af_profile *profile, const char *name, unsigned width);

/* The same content as one JSON object without a line end. Free it with free(). */
AF_API char *af_info_json(const af_profile *profile, const char *name);

/* Formats warning `index` of the profile as a line: the problem and what the reader did about it,
 * how often it occurred, and the first offset. Free it with free(). */
AF_API char *af_info_warning(const af_profile *profile, unsigned index);

/* The name of the input format, as in af_input_format(). Static. */
AF_API const char *af_info_format(const af_profile *profile);

AF_END_DECLS

#endif
