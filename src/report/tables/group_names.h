/* The names of the groups to which methods belong, in reports and comparisons. */
#pragma once

#include <stdint.h>
#include <glib.h>

/* A method as its label and its file name it. */
typedef struct {
    const char *text; /* of the label; its first `class_length` bytes are the class */
    uint32_t length, class_length;
    const char *class_name; /* with its package; NULL = unknown */
    const char *source;     /* file; NULL or "" = unknown */
    const char *origin;     /* the title of its category or group */
} af_named;

/* As the label writes it, so that --names short merges classes that it writes alike. */
void af_named_append_class(GString *to, const af_named *method);

void af_named_append_package(GString *to, const af_named *method);

/* Traces name source files without a folder, and many packages have files of the same name, so the
 * package is written in front as folders, as compilers require. */
void af_named_append_source(GString *to, const af_named *method);
