/* A method trace as text, opened as a file, for tests of what needs single calls.
 *
 * One line per call in order of time, two blanks per level:
 *
 *     "worker"                                    the next lines are calls of this thread
 *     120 com.example.Main.run                    120 us in the method itself
 *       30x200 com.example.Main.step              200 calls, each 30 us, with all that is inside
 *         ~500 java.lang.Object.wait              without a processor
 *         !5 com.example.Main.fail                ends by an exception
 *     clock-call-overhead-nsec=500                a line of the head of the trace
 *
 * The first thread is main. Lengths are in us. A call takes its own time before its callees. */
#pragma once

#include "model/profile.h"

/* The bytes of the trace. */
GBytes *made_trace_bytes(const char *text);

/* Opens it so that single calls can be read. Free with af_profile_free(). */
af_profile *made_trace_open(const char *text);
