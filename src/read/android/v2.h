/* Internals of v2.c (packets, names, detection of the layout) and v2blocks.c (records). Dumps of
 * long-running methods consist of the same packets. */
#pragma once

#include "base/idtable.h"
#include "read/android/thread_names.h"
#include "read/source.h"

typedef enum {
    AF_V2_THREAD = 0,
    AF_V2_METHOD = 1,
    AF_V2_BLOCK = 2,
    AF_V2_SUMMARY = 3,
    AF_V2_END,
    AF_V2_CUT,
    AF_V2_UNKNOWN
} af_v2_packet_kind;

typedef struct {
    af_v2_packet_kind kind;
    const uint8_t *at;    /* the start of the packet */
    uint64_t id;          /* of the thread or method */
    const uint8_t *bytes; /* name, method line, records, text */
    size_t length;        /* of the bytes that are present */
    gboolean cut;         /* a block with fewer bytes than it declares */
} af_v2_packet;

typedef struct {
    const uint8_t *at, *end;
} af_v2_packets;

#define AF_V2_BATCH 1024

typedef enum {
    AF_V2_LAYOUT_C,
    AF_V2_LAYOUT_D,
    AF_V2_LAYOUT_E,
    AF_V2_LAYOUT_LONG_RUNNING, /* E with one bit for the action, and no unmatched exits */
} af_v2_layout;

typedef struct {
    af_sink *sink;
    af_sink_ids ids;   /* of the sink */
    af_source *source; /* NULL: its bytes are not released */
    const uint8_t *begin;
    af_v2_packets packets; /* all of them */
    unsigned version;      /* 4: one clock, 5: two */
    af_v2_layout layout;
    uint64_t frequency; /* V2e: ticks per second, 0 = ns */
    af_clock single;    /* version 4 */
    af_thread_names announced;
    af_span summary;
    af_v2_packet_kind last; /* the reason why the packets end */
    const uint8_t *last_at;
    gboolean cut; /* the last block is truncated */
    uint64_t n_packets;
    gboolean guessing; /* count time steps instead of events: */
    uint64_t steps, short_steps;
    af_idtable step_times; /* of uint64_t, by thread: the last time */
    af_event batch[AF_V2_BATCH];
    size_t filled;
} af_v2_file;

/* Reads a packet and moves past it, but not past the end or a truncated or unknown packet. */
af_v2_packet_kind af_v2_next_packet(af_v2_packets *p, af_v2_packet *next);

/* Returns whether the method is defined; `id` may include an action. */
gboolean af_v2_is_known(const af_v2_file *f, uint64_t id);

/* Reads everything except the records: names may follow their first use, the summary comes last. */
void af_v2_take_names(af_v2_file *f);

/* Passes the records of all blocks to the sink and releases their bytes or, while guessing, counts
 * their time steps. */
void af_v2_take_blocks(af_v2_file *f);
