/* Source names for code that compilers generated: one section for each scheme of javac, D8, R8 and
 * kotlinc. A rule applies only to names that match its whole pattern. */
#pragma once

#include <glib.h>

typedef enum {
    AF_MADE_BY_PEOPLE = 0,
    AF_MADE_OTHERWISE,    /* replaced by its new name, or forwards to it */
    AF_MADE_FORWARDER,    /* an accessor or bridge without a name in the source */
    AF_MADE_LAMBDA_CLASS, /* the object of a lambda; its method calls the body */
    AF_MADE_LAMBDA_BODY,
    AF_MADE_LAMBDA_FORWARDER, /* between the two */
} af_made_kind;

/* Rewrites a class (with dots, may become empty) and a method (without arguments) as in the source.
 * Leaves both unchanged for AF_MADE_BY_PEOPLE. */
af_made_kind af_source_name(GString *class_name, GString *method);

/* Whether the method only starts, suspends and resumes coroutines. The names are those of the
 * trace; `signature` (JNI) is NULL or "" if unknown. */
gboolean af_source_is_machinery(const char *class_name, const char *method, const char *signature);

/* Removes arguments that only distinguish constructors: Foo-IA from "(int, Foo-IA)". */
void af_source_arguments(GString *arguments);
