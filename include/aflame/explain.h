/* Findings about a profile: sentences, each with its evidence.
 *
 * Several threads may explain the same profile at once.
 *
 *     af_explanation *explanation = af_explanation_new(profile, NULL, &error);
 *     const af_explanation *const all[] = {explanation};
 *     if (explanation != NULL && !af_explanation_write(all, 1, "text", 80, write, user, &error)) {
 *         fprintf(stderr, "%s\n", af_error_message(error));
 *     }
 *     af_explanation_free(explanation);
 */
#ifndef AFLAME_EXPLAIN_H
#define AFLAME_EXPLAIN_H

#include <string.h>
#include <aflame/calls.h>
#include <aflame/output.h>
#include <aflame/profile.h>

AF_BEGIN_DECLS

typedef struct af_explanation af_explanation;

/* What to look for. Initialise with AF_EXPLAIN_OPTIONS_INIT. */
typedef struct {
    size_t size;
    const char *input_name;     /* the input in the commands to run next; NULL = unknown */
    const char *const *rules;   /* "hot-method", ...; NULL ends the list; NULL = all */
    const char *const *threads; /* selectors as in af_picture_options; NULL = all */
    uint64_t frame_ns;          /* a frame that takes longer is late; 0 = 16.7 ms */
    uint64_t most_records;      /* rules about single calls are silent for inputs with more records,
                                   because they read the input again; 0 = no limit */
    af_cancel *cancel;          /* may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* bytes; may be NULL */
    void *progress_user;
} af_explain_options;

#define AF_EXPLAIN_OPTIONS_INIT                                                                    \
    {                                                                                              \
        .size = sizeof(af_explain_options)                                                         \
    }

static inline void af_explain_options_init(af_explain_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
}

/* The id of rule `index`, its title, and what it reports with its thresholds; NULL past the end. */
AF_API const char *af_explain_rule(unsigned index);
AF_API const char *af_explain_rule_title(unsigned index);
AF_API const char *af_explain_rule_about(unsigned index);

/* The name ("text", "json", "markdown") and file extension of format `index`; NULL past the end. */
AF_API const char *af_explain_format_name(unsigned index);
AF_API const char *af_explain_format_extension(unsigned index);

/* Explains a profile. Rules about single calls need one that was opened with `keep_input` and not
 * reshaped; they are silent for all others. `options` may be NULL. You may free the profile first.
 * Free the explanation with af_explanation_free(). Returns NULL with AF_ERROR_USAGE (an unknown
 * rule or thread; a profile whose trees are inverted), _MISSING (the file changed), _CANCELLED or _MEMORY. */
AF_API af_explanation *af_explanation_new(const af_profile *profile,
                                          const af_explain_options *options, GError **error);

/* `explanation` may be NULL. */
AF_API void af_explanation_free(af_explanation *explanation);

/* The number of findings, and the sentence of finding `index`; NULL past the end. */
AF_API unsigned af_explanation_n(const af_explanation *explanation);
AF_API const char *af_explanation_text(const af_explanation *explanation, unsigned index);

/* Writes `n` explanations as one document; text is wrapped to `width` columns, 0 = 72. Fails with
 * AF_ERROR_USAGE (no explanation, an unknown format), _OUTPUT or _MEMORY. */
AF_API bool af_explanation_write(const af_explanation *const *explanations, unsigned n,
                                 const char *format, unsigned width, af_write_func write,
                                 void *user, GError **error);

AF_END_DECLS

#endif
