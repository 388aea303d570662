/* The name in the source for what compilers made up: section by section the habits of javac, D8, R8
 * and kotlinc. A rule applies only where the whole shape of a name fits. */
#ifndef AF_TRANSFORM_SOURCE_NAMES_H
#define AF_TRANSFORM_SOURCE_NAMES_H

#include <glib.h>

typedef enum {
    AF_MADE_BY_PEOPLE = 0,
    AF_MADE_OTHERWISE,    /* stands for what its new name says, or forwards to it */
    AF_MADE_FORWARDER,    /* an accessor or bridge without a name in the source */
    AF_MADE_LAMBDA_CLASS, /* the object that is passed around; its method calls the body */
    AF_MADE_LAMBDA_BODY,
    AF_MADE_LAMBDA_FORWARDER, /* stands between the two */
} af_made_kind;

/* Rewrites a class (with dots, may become empty) and a method (without arguments) to what stands
 * in the source. Both keep their text where the kind is AF_MADE_BY_PEOPLE. */
af_made_kind af_source_name(GString *class_name, GString *method);

/* Whether the method only starts, suspends and resumes coroutines. The names are those of the
 * trace; `signature` (JNI) is NULL or "" where it is not known. */
gboolean af_source_is_machinery(const char *class_name, const char *method, const char *signature);

/* Takes the arguments that only tell constructors apart out of "(int, Foo-IA)". */
void af_source_arguments(GString *arguments);

#endif
