/* The functions of a table of structs that have a name: the entry with a number, NULL past the end,
 * and the entry with a name, NULL if there is none. */
#pragma once

#include <glib.h>

#define AF_NAMED_TABLE(type, entries, at, lookup)                                                  \
    const type *at(unsigned number)                                                                \
    {                                                                                              \
        return number < G_N_ELEMENTS(entries) ? entries[number] : NULL;                            \
    }                                                                                              \
    const type *lookup(const char *name)                                                           \
    {                                                                                              \
        for (unsigned i = 0; i < G_N_ELEMENTS(entries); i++) {                                     \
            if (g_strcmp0(entries[i]->name, name) == 0) {                                          \
                return entries[i];                                                                 \
            }                                                                                      \
        }                                                                                          \
        return NULL;                                                                               \
    }

/* The number of the entry with a name, if `at` returns names by their numbers and NULL past the end;
 * -1 = none. */
static inline int af_named_find(const char *(*at)(unsigned number), const char *name)
{
    const char *found;
    for (unsigned i = 0; (found = at(i)) != NULL; i++) {
        if (g_strcmp0(found, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}
