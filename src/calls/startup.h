/* The start of an app: its phases, each one call or slice.
 *
 * A start begins when the system launches the app, or when its process begins to set itself up
 * (bindApplication), or without both with the creation of an activity; it ends with the first frame
 * that is drawn after that, or with the launch. The first call of each phase on the main thread counts. */
#pragma once

#include "model/named.h"

typedef enum {
    AF_STARTUP_LAUNCH, /* of the system: on any thread */
    AF_STARTUP_BIND,
    AF_STARTUP_PROVIDERS, /* within bindApplication, as the next two */
    AF_STARTUP_PROVIDER,  /* the slowest one */
    AF_STARTUP_APPLICATION,
    AF_STARTUP_CREATE,
    AF_STARTUP_RESUME,
    AF_STARTUP_FRAME,
    AF_STARTUP_PHASES,
} af_startup_kind;

const char *af_startup_title(af_startup_kind kind);

/* The methods and slices of a phase: a static array that ends with a method of NULL. */
const af_name *af_startup_names(af_startup_kind kind);

gboolean af_startup_is_inside(af_startup_kind kind); /* bindApplication */

typedef struct {
    af_startup_kind kind;
    uint32_t thread, label;
    uint64_t begin_ns, end_ns; /* as in af_call_event */
    uint64_t app_ns;           /* self time of methods of the app in it, on the main thread */
} af_startup_phase;

typedef struct af_startup {
    af_startup_phase phases[AF_STARTUP_PHASES]; /* in order of time */
    unsigned n;
    uint64_t from_ns, to_ns; /* of the whole start */
    uint32_t thread;         /* the main thread */
    gboolean has_app;        /* any phase has time of the app's methods */
} af_startup;

/* Reads the calls of `profile`, which must not be reshaped. Free with g_free(). Returns NULL with
 * AF_ERROR_NOTHING if no app starts in the trace, AF_ERROR_USAGE without single calls or wall times,
 * _MEMORY or an error of af_profile_walk(). */
af_startup *af_startup_new(const af_profile *profile, GError **error);
