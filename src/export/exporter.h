/* An exporter: a profile in the format of another tool.
 *
 * Each is one const struct in its own file and one row of AF_EXPORTERS. It writes to `out`, whose
 * first failure sticks, and returns FALSE only for errors of its own (out of memory, output too
 * large).
 *
 * It writes the call trees or the single calls in time order. Single calls are not always
 * available: samples have none, the steps of reshape change trees only, and waiting has no start or
 * end in time. The caller then reports the reason instead of calling an exporter that needs
 * them. */
#pragma once

#include "base/out.h"
#include "calls/samples.h"
#include "model/profile.h"
#include "calls/call_walk.h"
#include "export/ids.h"

/* Reads the calls of some threads, by the profile's numbers, and passes them to an observer. */
typedef struct {
    gboolean (*read)(void *user, const guint8 *wanted, const af_observer *observer, GError **error);
    void *user;
} af_call_source;

/* Reads all samples in file order. `consume` returns TRUE to continue, or FALSE with an error set
 * to stop. */
typedef struct {
    gboolean (*read)(void *user,
                     gboolean (*consume)(void *to, const af_recorded_sample *sample,
                                         GError **error),
                     void *to, GError **error);
    void *user;
} af_sample_source;

/* The part of the profile to write, and the options. */
typedef struct {
    af_clock clock;          /* never AF_CLOCK_DEFAULT */
    const uint32_t *threads; /* indices, ascending; all have the clock, some may lack others */
    uint32_t n_threads;
    const char *input;   /* file name of the input, for formats that store it; may be NULL */
    uint64_t most_bytes; /* AF_ERROR_USAGE if the output would be larger; 0 = no limit */
    const af_call_source *calls;     /* NULL = single calls are unavailable */
    const af_sample_source *samples; /* NULL = single samples are unavailable, or have no times */
    unsigned remove_gaps;            /* as in af_convert_options */
    unsigned least_c, top;           /* call graph: as in af_convert_options */
    uint32_t (*fill)(af_category category,
                     unsigned shade); /* call graph: the colour of a method, 0xrrggbb */
    gboolean folded_ns;               /* folded stacks count nanoseconds, not microseconds */
    GPtrArray *messages;              /* receives lines (char *) about lost data; may be NULL */
    /* set by af_exporter_write() */
    const char *left_out; /* what the format cannot hold of this profile, for files with a place
                                for it; NULL = nothing */
    const af_export_ids *ids;
} af_selection;

/* How an exporter uses single calls. */
typedef enum {
    AF_CALLS_UNUSED = 0, /* it writes trees */
    AF_CALLS_IF_ANY,     /* it writes calls, or trees if calls are unavailable */
    AF_CALLS_NEEDED,
} af_calls_use;

/* Facts that a format may be unable to hold. */
typedef enum {
    AF_LOSES_CLOCK = 1 << 0,    /* which clock the times are of; wall time is assumed */
    AF_LOSES_SAMPLING = 1 << 1, /* that the calls come from samples */
    AF_LOSES_OVERFLOW = 1 << 2, /* that the buffer of the recorder overflowed */
    AF_LOSES_COUNTERS = 1 << 3,
    AF_LOSES_INSTANTS = 1 << 4,
    AF_LOSES_TRACKS = 1 << 5, /* that asynchronous slices belong to no thread */
    AF_LOSES_GROUPS = 1 << 6, /* categories that the input names */
    /* every format loses these, because aflame does not write them */
    AF_LOSES_FRAMES = 1 << 7,  /* frame timelines */
    AF_LOSES_MIXED = 1 << 8,   /* categories that a name has later */
    AF_LOSES_DETAILS = 1 << 9, /* arguments, flows, objects */
} af_loss;

/* What only formats with a timeline of their own can hold. */
#define AF_LOSES_TIMELINE                                                                          \
    (AF_LOSES_COUNTERS | AF_LOSES_INSTANTS | AF_LOSES_TRACKS | AF_LOSES_GROUPS)

#define AF_LOSES_ALWAYS (AF_LOSES_FRAMES | AF_LOSES_MIXED | AF_LOSES_DETAILS)

typedef struct {
    const char *name;       /* "folded" */
    const char *extensions; /* "folded", separated by blanks; the default first */
    const char *title;      /* "folded stacks, for flamegraph.pl, inferno and speedscope" */
    af_calls_use calls;
    gboolean all_clocks;  /* holds all clocks of all threads */
    gboolean binary;      /* must not be written to a terminal */
    gboolean packed;      /* always compressed with gzip */
    unsigned deepest;     /* most nested calls that the format can hold; 0 = no limit; stacks of
                            trees may be deeper if the exporter writes either */
    unsigned loses;       /* bits of af_loss */
    unsigned stacks_lose; /* besides, if it writes stacks for lack of calls */
    gboolean (*write)(const af_profile *profile, const af_selection *selection, af_out *out,
                      GError **error);
} af_exporter;

/* The exporters, in the order of the help. */
/* clang-format off */
#define AF_EXPORTERS(EXPORTER) \
    EXPORTER(folded) \
    EXPORTER(speedscope) \
    EXPORTER(chrome) \
    EXPORTER(perfetto) \
    EXPORTER(pprof) \
    EXPORTER(firefox) \
    EXPORTER(gecko) \
    EXPORTER(callgrind) \
    EXPORTER(dot) \
    EXPORTER(spall) \
    EXPORTER(aflp)
/* clang-format on */

#define AF_DECLARE_EXPORTER(name) extern const af_exporter af_exporter_##name;
AF_EXPORTERS(AF_DECLARE_EXPORTER)

/* NULL past the end; NULL if no exporter has the name. */
const af_exporter *af_exporter_at(unsigned number);
const af_exporter *af_exporter_lookup(const char *name);

/* The facts about the selection that aflame states in files of other tools (base/own_trace.h). */
unsigned af_exporter_facts(const af_profile *profile, const af_selection *selection);

/* The categories that the input names for a label; NULL = none. */
const char *af_export_categories(const af_profile *profile, const af_label *label);

/* The facts of a set of af_loss, in words: "counters, instants"; NULL = none. Free with g_free(). */
char *af_exporter_name_losses(unsigned lost);

/* Writes the selection, compressed if the format is always compressed or `gzip` is set, and reports
 * what the format cannot hold. Fails with AF_ERROR_USAGE if a viewer would take CPU time for wall
 * time. */
gboolean af_exporter_write(const af_exporter *exporter, const af_profile *profile,
                           const af_selection *selection, gboolean gzip, af_write_func write,
                           void *user, GError **error);
