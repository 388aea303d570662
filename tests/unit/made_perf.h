/* A perf.data file built line by line, for tests of its reader.
 *
 * Bytes are written as words with blanks between them: NUMBER (8 bytes) or NUMBER/BYTES, decimal,
 * hex or negative; 'TEXT' with a trailing zero, "TEXT" without; `pad` fills up to a multiple of 8;
 * `[` and `]` prepend the number of bytes between them, as 4 bytes. Lines:
 *
 *   event KEY=NUMBER...       has (names of fields, joined by +), type, config, period, id, flags,
 *                             read-format, branch-type, regs; without events, a file has one
 *   sample, mmap, mmap2, comm, fork, exit WORDS; kernel-sample, kernel-mmap; record TYPE MISC WORDS
 *   map WHO WHERE 'FILE'      mmap2, from "PID/4 TID/4" and "ADDRESS LENGTH OFFSET"
 *   bytes WORDS               among the records
 *   feature NUMBER WORDS
 *   move-to-feature NUMBER    the records so far
 *   entry-size N              of the event table
 *   backward 1                sections in reverse order of their numbers
 *   data-size N               the size in the header, instead of that of the records
 *   poke OFFSET BYTE          changes the finished file
 *   head WORDS                the file has these bytes and the records, nothing else
 *   library                   maps a library of process 7 at 0x1000, 0x1000 long, with symbols of
 *                             0x10 bytes: a at 0x10, b at 0x20, c at 0x30 of the file; the first
 *                             thread is called "t"
 *   linux                     written by perf of Linux
 *   java PATH                 one page each of native code, libart.so, base.vdex and JIT code in PATH,
 *                             with symbols of 16 bytes */
#pragma once

#include "model/profile.h"

typedef struct made_perf made_perf;

made_perf *made_perf_new(void);
void made_perf_free(made_perf *perf);

/* Adds the lines of a text. */
void made_perf_add(made_perf *perf, const char *lines);

/* The whole file; free with g_byte_array_unref(). */
GByteArray *made_perf_bytes(const made_perf *perf);

/* Appends the bytes that the words describe. */
void made_bytes(GByteArray *to, const char *words);

/* Reads a file, with symbols of libraries below a folder or NULL; returns NULL with *error set if that
 * fails. Free with af_profile_free(). */
af_profile *made_perf_open(const GByteArray *bytes, const char *symfs, GError **error);

/* Warning ids as "KIND COUNT", separated by ", ". Free with g_free(). */
char *made_perf_warnings(const af_profile *profile);

/* All stacks with a self weight, as "THREAD;FRAME;FRAME WEIGHT", separated by " | ". Free with
 * g_free(). */
char *made_perf_stacks(const af_profile *profile);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(made_perf, made_perf_free)
