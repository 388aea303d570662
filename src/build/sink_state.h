/* The state of the sink, shared by the files of build/ that fill it, split it into chunks and make
 * its profile. Readers never include it. */
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/textmap.h"
#include "build/consumer.h"
#include "build/finished_state.h"
#include "build/profile_builder.h"
#include "build/rebuild.h"
#include "build/sink.h"

typedef struct {
    af_method_text text;
    gboolean defined; /* has a name */
    gboolean has_proxy;
    af_method_text proxy; /* names the method if it stays undefined */
} af_sink_method_state;

typedef struct {
    af_span name; /* empty = Thread <id> */
    gboolean listed, exited;
    gboolean owned;
    af_thread_owner owner; /* if `owned` */
    unsigned lacks;        /* bits 1 << clock: clocks that other threads have and this one lacks */
    gboolean sampled;      /* its calls are intervals between samples */
} af_sink_thread_state;

/* The stacks that samples name by number. */
typedef struct {
    af_array all;           /* by number */
    af_array path, methods; /* of uint32_t: the last sample's, outermost first; may be longer */
    size_t depth;
    uint32_t thread;  /* of the last sample */
    uint64_t changes; /* methods in which samples differed from the one before */
    gboolean spent;   /* too many: samples are not written out any more */
} af_sink_stacks;

struct af_sink {
    af_arena *arena;
    af_facts facts;
    unsigned clocks;  /* bit 1 << clock; from af_sink_start() */
    unsigned tick_ns; /* 1000 or 1; from af_sink_start() */
    af_warnings warnings;
    af_undefined_kind undefined;
    af_array key_values; /* of af_fact */

    af_idmap method_ids; /* id -> method number */
    af_array methods;    /* of af_sink_method_state, by number; may be shorter */
    af_idmap thread_ids;
    af_array threads;        /* of af_sink_thread_state, by number; may be shorter */
    af_array processes;      /* of af_profile_process */
    af_idmap waker_ids;      /* the reader's number -> number of the waker */
    af_array wakers;         /* of const char *, by that number; may be shorter */
    af_textmap series_names; /* of the series below, see sink_markers.c */
    af_array series;         /* of af_marker_series */
    af_array markers;        /* of af_marker, in input order; threads are the sink's */
    af_array frames;         /* of af_timeline_frame, in input order */
    int64_t marker_origin_ns;
    uint64_t n_instants, n_values;
    af_sink_stacks stacks;
    af_finished *finished;             /* instead of events; NULL for recordings */
    af_rebuild *rebuild;               /* NULL until af_sink_start(), and with a consumer */
    const af_event_consumer *consumer; /* receives everything instead; borrowed; may be NULL */
    af_ticks ticks;
    af_open_recorded recorded;
    uint64_t scale;         /* as in af_open_options; 0 = none, or the reader scales */
    uint64_t markers_scale; /* the same for markers, which the reader does not scale */
    uint64_t max_memory;    /* as in af_open_options */
    gboolean memory_stops;  /* the same */
    af_meter held;          /* memory of the reader, and whether the machine refused some */
    uint64_t weighed;       /* bytes that the limit of the rebuilder considers, plus 1; 0 = none */
    uint64_t advanced;      /* bytes of the input that the reader has reported */
    gboolean crowded;       /* a reader that stores events until its end was stopped */
    gboolean full;          /* names take all of the allowed memory */
    uint64_t most_records;  /* events and samples to accept; UINT64_MAX = all */
    unsigned jobs;          /* threads to use; 0 = one per processor */
    af_cancel *cancel;
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *progress_user;
    af_renamer rename;
    void *rename_user;
    uint64_t total; /* bytes of the input, for progress; 0 = not known */
    gsize done;     /* of `total`; atomic */
};

/* The state of a thread by its number; all zero if unknown. */
const af_sink_thread_state *af_sink_thread_state_of(const af_sink *sink, uint32_t thread);

/* Returns the memory of the names, and limits the call trees to the rest. */
uint64_t af_sink_weigh(af_sink *sink);

void af_sink_stacks_init(af_sink_stacks *stacks, af_meter *meter);
void af_sink_stacks_clear(af_sink_stacks *stacks);

/* Replaces the stack of a sample by its row or, for a consumer, by its methods. FALSE if they are
 * beyond the limit. */
gboolean af_sink_expand_stack(af_sink *sink, af_sample *sample);

/* Sorts the markers by time; `index_of` gives the index of each thread in the profile. Returns
 * FALSE if memory is refused. */
gboolean af_sink_finish_markers(af_sink *sink, af_markers *markers, const uint32_t *index_of);

/* The same for frames, once the threads and markers of the profile are known. */
gboolean af_sink_finish_frames(af_sink *sink, af_profile *profile);
