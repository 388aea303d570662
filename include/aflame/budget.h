/* Budgets: limits for what recordings may take, for a verdict in CI.
 *
 * A budget file is an INI file; aflame-check(1) describes its keys. Each profile is measured as one
 * run; with several runs, the median is compared with the limit. Use a budget from one thread at a
 * time.
 *
 *     af_budget *budget = af_budget_new("[startup]\nmethod = onCreate\nlimit = 80 ms\n", &error);
 *     if (budget == NULL || !af_budget_add(budget, AF_AFTER, profile, &error) ||
 *         !af_budget_write(budget, "text", write, user, &error)) {
 *         fprintf(stderr, "%s\n", af_error_message(error));
 *     } else if (af_budget_n_failed(budget) > 0) {
 *         fprintf(stderr, "over budget\n");
 *     }
 *     af_budget_free(budget);
 */
#ifndef AFLAME_BUDGET_H
#define AFLAME_BUDGET_H

#include <aflame/diff.h>

AF_BEGIN_DECLS

typedef struct af_budget af_budget;

/* Parses the text of a budget file. The caller frees the budget with af_budget_free(). Fails
 * with AF_ERROR_USAGE if a key is unknown, a value is invalid or the text contains no budget. */
AF_API af_budget *af_budget_new(const char *text, GError **error);

/* `budget` may be NULL. */
AF_API void af_budget_free(af_budget *budget);

/* Whether a budget needs single calls, so that profiles must be opened with `keep_input`. */
AF_API bool af_budget_needs_calls(const af_budget *budget);

/* Measures a profile as one run of a side. Limits are for AF_AFTER; increases need both sides.
 * Fails with AF_ERROR_USAGE if the profile lacks what a budget measures, or _MEMORY. */
AF_API bool af_budget_add(af_budget *budget, af_side side, const af_profile *profile,
                          GError **error);

/* The number of budgets, of those that are not met, and of those that limit only an increase, which
 * was not tested: one side was measured, or too few runs. */
AF_API unsigned af_budget_n(const af_budget *budget);
AF_API unsigned af_budget_n_failed(const af_budget *budget);
AF_API unsigned af_budget_n_untested(const af_budget *budget);

/* The name, title and file extension of format `index`: "text", "json", "junit", "markdown",
 * "github"; NULL past the end. */
AF_API const char *af_budget_format_name(unsigned index);
AF_API const char *af_budget_format_title(unsigned index);
AF_API const char *af_budget_format_extension(unsigned index);

/* Writes a line for each budget. Fails with AF_ERROR_USAGE (format) or _OUTPUT. */
AF_API bool af_budget_write(const af_budget *budget, const char *format, af_write_func write,
                            void *user, GError **error);

/* Returns the text of the budget file with new limits: the values of AF_AFTER plus `margin_c`
 * hundredths of a percent. Comments and order stay. Free it with free(). */
AF_API char *af_budget_updated(const af_budget *budget, unsigned margin_c);

AF_END_DECLS

#endif
