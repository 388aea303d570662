/* A perf.data file built record by record, for tests of its reader.
 *
 * Bytes are written as words with blanks between them: NUMBER (8 bytes) or NUMBER/BYTES, decimal,
 * hex or negative; 'TEXT' with a trailing zero, "TEXT" without; `pad` fills up to a multiple of 8;
 * `[` and `]` prepend the number of bytes between them, as 4 bytes. */
#pragma once

#include "model/profile.h"

/* The fields of a sample; PERF_USUAL is ip, pid and tid, time, period, callers. */
enum {
    PERF_IP = 1 << 0,
    PERF_TID = 1 << 1,
    PERF_TIME = 1 << 2,
    PERF_ADDR = 1 << 3,
    PERF_READ = 1 << 4,
    PERF_CHAIN = 1 << 5,
    PERF_ID = 1 << 6,
    PERF_CPU = 1 << 7,
    PERF_PERIOD = 1 << 8,
    PERF_STREAM = 1 << 9,
    PERF_RAW = 1 << 10,
    PERF_BRANCH = 1 << 11,
    PERF_REGS = 1 << 12,
    PERF_STACK = 1 << 13,
    PERF_IDENTIFIER = 1 << 16,
    PERF_DEFAULT = PERF_IP | PERF_TID | PERF_TIME | PERF_CHAIN | PERF_PERIOD
};

typedef struct {
    uint64_t config, period, has, read_format, flags, id; /* 0 = no id */
    uint64_t branch_type, regs;
    uint32_t type;
} made_event;

typedef struct {
    uint32_t attr_size; /* of an entry in the event table */
    gboolean backward;  /* sections in reverse order of their numbers */
    uint64_t data_size; /* the size in the header; UINT64_MAX = the real size */
    GByteArray *data;
    GByteArray *features[256];
    GArray *events; /* made_event */
} made_perf;

made_perf *made_perf_new(void);

/* A file with this event, and one with the usual samples of cycles. */
made_perf *made_perf_of(const made_event *event);
made_perf *made_perf_default(void);

/* The same with the library below, whose symbols a, b and c each test interprets; and one as
 * written by perf of Linux, which times all its records, without the library. */
made_perf *made_perf_begin_with(const made_event *event);
made_perf *made_perf_begin(void);
made_perf *made_perf_begin_linux(void);

void made_perf_free(made_perf *perf);

void made_perf_event(made_perf *perf, const made_event *event);
void made_perf_record(made_perf *perf, uint32_t type, unsigned misc, const char *words);
void made_perf_feature(made_perf *perf, unsigned number, const char *words);

/* Appends the bytes that the words describe. */
void made_bytes(GByteArray *to, const char *words);

/* The whole file; free with g_byte_array_unref(). */
GByteArray *made_perf_bytes(const made_perf *perf);

/* Reads a file; returns NULL with *error set if that fails. Free with af_profile_free(). */
af_profile *made_perf_open(const GByteArray *bytes, GError **error);

/* The same with symbols of libraries below a folder. */
af_profile *made_perf_open_symfs(const GByteArray *bytes, const char *symfs, GError **error);

/* Warning ids as "KIND COUNT", separated by ", ". Free with g_free(). */
char *made_perf_warnings(const af_profile *profile);

/* All stacks with a self weight, as "THREAD;FRAME;FRAME WEIGHT", separated by " | ". Free with
 * g_free(). */
char *made_perf_stacks(const af_profile *profile);

/* Checks the stacks of a profile and frees it; fails if it is NULL. */
void made_perf_check(af_profile *profile, GError *error, const char *stacks);

/* Checks the stacks of the file and frees it. */
void made_perf_expect(made_perf *perf, const char *stacks);

/* The same, and warnings as "KIND COUNT", separated by ", ". */
void made_perf_expect_warned(made_perf *perf, const char *stacks, const char *warnings);

/* Maps a library of process 7 at 0x1000, 0x1000 long, with symbols of 0x10 bytes: a at 0x10, b at
 * 0x20, c at 0x30 of the file; the first thread is called "t". */
void made_perf_library(made_perf *perf);

/* A map as an MMAP2 record: "PID/4 TID/4", "ADDRESS LENGTH OFFSET", the file. */
void made_perf_map(made_perf *perf, const char *who, const char *where, const char *name);

/* Record types, and the modes of their addresses. */
enum { MMAP = 1, COMM = 3, EXIT = 4, FORK = 7, SAMPLE = 9, MMAP2 = 10 };
enum { KERNEL = 1, USER = 2 };

G_DEFINE_AUTOPTR_CLEANUP_FUNC(made_perf, made_perf_free)
