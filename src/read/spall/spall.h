/* Internals of the reader of Spall's traces: spall.c (the file, and programs that are instrumented by
 * hand) and spall_native.c (programs that the compiler instruments). */
#pragma once

#include "base/bytes.h"
#include "base/idtable.h"
#include "read/frames.h"
#include "read/owners.h"
#include "read/reader.h"
#include "read/slices.h"

typedef enum {
    AF_SPALL_TAKEN,
    AF_SPALL_SHORT,   /* more bytes are needed */
    AF_SPALL_STRANGE, /* not a valid record */
} af_spall_taken;

typedef struct {
    af_sink *sink;
    af_source *source;
    af_slices *slices;
    af_owners *owners;
    af_frames names;
    gboolean is_native;
    uint64_t version;
    size_t head;                /* bytes of the header of a buffer */
    double tick;                /* from the header, multiplied by `scale` */
    double tick_ns;             /* tick * tick_ns is the length of a tick in ns */
    double scale;               /* the factor that the caller wants for the declared unit */
    af_owner_id process, owner; /* of the current buffer */
    uint32_t thread;            /* its thread in the sink */
    /* of programs that are instrumented by hand */
    af_array calls;   /* of calls, by thread */
    uint64_t padding; /* bytes that are still to be skipped */
    uint8_t ids[8];   /* of the last loose record, with its time */
    double ticks;
    gboolean steps_back; /* the clock of a thread does */
    /* of the others */
    uint64_t time, address; /* running values of the buffer */
    af_idtable methods;     /* of uint32_t: method + 1, by address */
} af_spall;

/* Converts ticks to ns, rounded; INT64_MAX if it does not fit. Cycle counters, and times since 1970
 * in ns, may have more digits than a double. */
int64_t af_spall_ns(const af_spall *f, uint64_t ticks);

/* Some tools include the final zero of a C string in the length. */
af_span af_spall_name(const uint8_t *bytes, size_t length);

/* Takes the length of a tick, a double. FALSE with an error if it is invalid. */
gboolean af_spall_set_tick(af_spall *f, const uint8_t *bytes, GError **error);

gboolean af_spall_is_native(const uint8_t *head, size_t length);

/* Takes the header of the file, which leaves `version` 0 if it is incomplete, and finds the size of
 * those of its buffers. Returns FALSE with an error. */
gboolean af_spall_take_native_header(af_spall *f, GError **error);

/* Takes the record at *at, which becomes its end. */
af_spall_taken af_spall_take_native(af_spall *f, const uint8_t **at, const uint8_t *end);
