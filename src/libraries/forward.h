/* Functions that stand in for those of a library of the system: the first call loads the library.
 * Loading one at every start of the command takes up to a tenth of the time of opening a saved
 * profile. A function that is missing in one of these files would bring that back. */
#ifndef AF_LIBRARIES_FORWARD_H
#define AF_LIBRARIES_FORWARD_H

#include "cli/module.h"

/* The library that the functions of a file stand in for. */
#define LIBRARY(file, title)                                                                       \
    static void *find(gsize *function, const char *name)                                           \
    {                                                                                              \
        static const af_module library = {file, title};                                            \
        if (g_once_init_enter(function)) {                                                         \
            g_once_init_leave(function, (gsize)af_module_demand(&library, name));                  \
        }                                                                                          \
        return (void *)*function;                                                                  \
    }

/* Defines `call`. */
#define FIND(name)                                                                                 \
    static gsize function;                                                                         \
    __typeof__(&(name)) call;                                                                      \
    *(void **)(void *)&call = find(&function, #name)

#define FORWARD(type, name, parameters, arguments)                                                 \
    type name parameters                                                                           \
    {                                                                                              \
        FIND(name);                                                                                \
        return call arguments;                                                                     \
    }

#define FORWARD_VOID(name, parameters, arguments)                                                  \
    void name parameters                                                                           \
    {                                                                                              \
        FIND(name);                                                                                \
        call arguments;                                                                            \
    }

#endif
