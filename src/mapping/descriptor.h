/* Types in the two ways they are written: "(ILjava/lang/String;)V" and "int,java.lang.String". */
#ifndef AF_MAPPING_DESCRIPTOR_H
#define AF_MAPPING_DESCRIPTOR_H

#include "mapping/mapping.h"

/* Appends the descriptor of a method that takes `arguments` and returns `type`, both in Java's
 * writing. Classes get the names that they have in the program if `mapping` is given, else they
 * stay as they are. */
void af_descriptor_append(GString *to, const char *arguments, const char *type,
                          const af_mapping *mapping);

/* Appends the descriptor with the real names of its classes. FALSE if it is malformed: `to` is then
 * unchanged. */
gboolean af_descriptor_append_real(GString *to, const char *descriptor, const af_mapping *mapping);

/* How many arguments; -1 if it is malformed. */
int af_descriptor_count(const char *descriptor);

#endif
