/* Types in their two notations: "(ILjava/lang/String;)V" and "int,java.lang.String". */
#pragma once

#include "mapping/mapping.h"

/* Appends the descriptor of a method that takes `arguments` and returns `type`, both in Java
 * syntax. With a `mapping`, classes get their names in the program; otherwise they stay
 * unchanged. */
void af_descriptor_append(GString *to, const char *arguments, const char *type,
                          const af_mapping *mapping);

/* Appends the descriptor with the real names of its classes. If it is malformed, returns FALSE and
 * leaves `to` unchanged. */
gboolean af_descriptor_append_real(GString *to, const char *descriptor, const af_mapping *mapping);

/* The number of arguments; -1 if it is malformed. */
int af_descriptor_count(const char *descriptor);
