/* The form of a Gecko profile of version 24: tables row by row, keys in alphabetical order. A
 * thread is written in this order: af_gecko_begin_frames(), its frames, af_gecko_begin_samples(),
 * its samples, af_gecko_begin_stacks(), its stacks, af_gecko_begin_strings(), its strings,
 * af_gecko_end_thread(). */
#pragma once

#include "base/out.h"
#include "model/profile.h"

/* The generator's categories, by index. */
typedef enum {
    AF_GECKO_USER,
    AF_GECKO_KERNEL,
    AF_GECKO_NATIVE,
    AF_GECKO_DEX,
    AF_GECKO_OAT,
    AF_GECKO_OFF_CPU,
    AF_GECKO_OTHER,
    AF_GECKO_JIT,
} af_gecko_category;

#define AF_GECKO_NO_PREFIX UINT32_MAX

/* Writes everything before the list of threads. A sample stands for `interval_ns`;
 * `left_out` as in af_selection. */
void af_gecko_begin(af_out *out, const af_profile *profile, uint64_t interval_ns,
                    const char *left_out);
void af_gecko_end(af_out *out);

/* `i` is the index of a thread, or of a row in a table. */
void af_gecko_begin_frames(af_out *out, uint32_t i);
void af_gecko_put_frame(af_out *out, uint32_t i, af_gecko_category category);
void af_gecko_begin_samples(af_out *out, const char *name, uint32_t pid);
void af_gecko_put_sample(af_out *out, uint64_t i, uint32_t stack, uint64_t time, unsigned digits);
void af_gecko_begin_stacks(af_out *out);
void af_gecko_put_stack(af_out *out, uint32_t i, uint32_t prefix, uint32_t frame);
void af_gecko_begin_strings(af_out *out);
void af_gecko_put_string(af_out *out, uint32_t i, const char *text, size_t length);
void af_gecko_end_thread(af_out *out, uint32_t tid);
