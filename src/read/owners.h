/* Processes and threads of formats that name them by numbers or texts in every record.
 *
 * Both ids identify a thread: two processes may use the same thread id. A track is a thread that
 * the reader makes up for events that do not belong to a real one. */
#pragma once

#include "build/sink.h"

/* A number, or a text if `text` has bytes. */
typedef struct {
    int64_t number;
    af_span text;
} af_owner_id;

typedef struct af_owners af_owners;

/* `sink` is borrowed. */
af_owners *af_owners_new(af_sink *sink);
void af_owners_free(af_owners *owners);

/* Returns the sink's number of a thread, which is created on first use. */
uint32_t af_owners_thread(af_owners *owners, const af_owner_id *process, const af_owner_id *thread);

/* Adds a track to a process, given by its number; returns the sink's number of the track. */
uint32_t af_owners_add_track(af_owners *owners, uint32_t process, af_span name);

/* Adds a track to a thread, named after it: the `extra`th for its overlapping calls, 0 = for its
 * samples. */
uint32_t af_owners_add_extra_track(af_owners *owners, uint32_t thread, unsigned extra);

/* Declares that a thread is a track, with the id that it has. */
void af_owners_declare_track(af_owners *owners, uint32_t thread);

/* Returns the first thread with that id in any process, or AF_NO_THREAD. */
#define AF_NO_THREAD UINT32_MAX
uint32_t af_owners_find_thread(af_owners *owners, const af_owner_id *thread);

/* Returns the number of a process: the same for equal ids. */
uint32_t af_owners_process(af_owners *owners, const af_owner_id *process);

/* The last name and the last sort index apply. */
void af_owners_name_process(af_owners *owners, const af_owner_id *process, af_span name);
void af_owners_sort_process(af_owners *owners, const af_owner_id *process, int64_t index);
void af_owners_name_thread(af_owners *owners, uint32_t thread, af_span name);
void af_owners_sort_thread(af_owners *owners, uint32_t thread, int64_t index);

/* Passes everything to the sink. `finds_main`: a thread with the id of its process is called main if
 * it has no name, or only the end of that of the process, as the kernel cuts it. Until then, the processes of marker series are numbers from
 * af_owners_process(). */
void af_owners_finish(af_owners *owners, gboolean finds_main);
