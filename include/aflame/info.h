/* What a trace is and how healthy it is, for people and for programs. */
#ifndef AFLAME_INFO_H
#define AFLAME_INFO_H

#include <aflame/profile.h>

G_BEGIN_DECLS

/* A page of text for a terminal: facts, threads, warnings and what to do about them. The caller
 * frees it with g_free(). `name` is how the input is called in it. */
AF_API char *af_info_text(const af_profile *profile, const char *name);

/* One JSON object with the same content, without a line end. The caller frees it with g_free(). */
AF_API char *af_info_json(const af_profile *profile, const char *name);

/* One of the profile's warnings as a line: what was wrong and what was done about it, how often,
 * and where first. The caller frees it with g_free(). */
AF_API char *af_info_warning(const af_profile *profile, unsigned number);

/* The format of the input, by its name in af_input_format(). Static. */
AF_API const char *af_info_format(const af_profile *profile);

G_END_DECLS

#endif
