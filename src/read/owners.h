/* Processes and threads of formats that name them by numbers or texts in every record.
 *
 * A thread is known by both ids: another process may have one of the same. Lanes are threads that
 * the reader makes up for what happens beside the real ones. */
#ifndef AF_READ_OWNERS_H
#define AF_READ_OWNERS_H

#include "build/sink.h"

/* A number, or if `text` has bytes that. */
typedef struct {
    int64_t number;
    af_span text;
} af_owner_id;

typedef struct af_owners af_owners;

/* `sink` is borrowed. */
af_owners *af_owners_new(af_sink *sink);
void af_owners_free(af_owners *places);

/* The sink's number of a thread, which is new when it is first asked for. */
uint32_t af_owners_thread(af_owners *places, const af_owner_id *process, const af_owner_id *thread);

/* A new lane of a process, which is given by its number; the sink's number of the lane. */
uint32_t af_owners_add_track(af_owners *places, uint32_t process, af_span name);

/* A new lane of a thread, whose name it will have: for its calls that overlap the `place`th, 0 =
 * for samples of it. */
uint32_t af_owners_add_extra_track(af_owners *places, uint32_t thread, unsigned place);

/* The first thread with that id, whatever its process; AF_NO_THREAD if there is none. */
#define AF_NO_THREAD UINT32_MAX
uint32_t af_owners_find_thread(af_owners *places, const af_owner_id *thread);

/* The number of a process: the same for equal ids. */
uint32_t af_owners_process(af_owners *places, const af_owner_id *process);

/* The last name and place in the order counts. */
void af_owners_name_process(af_owners *places, const af_owner_id *process, af_span name);
void af_owners_sort_process(af_owners *places, const af_owner_id *process, int64_t index);
void af_owners_name_thread(af_owners *places, uint32_t thread, af_span name);
void af_owners_sort_thread(af_owners *places, uint32_t thread, int64_t index);

/* Tells the sink everything. The processes of its series of marks are numbers of places until then.
 */
void af_owners_finish(af_owners *places);

#endif
