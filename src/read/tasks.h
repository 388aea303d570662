/* Processes and threads as a kernel names them: by ids that it reuses.
 *
 * A thread is known by an index; several threads may have had the same tid, one after the other or
 * in different processes. The calls arrive in order of time. A process implies a thread with its
 * id, its main thread. */
#pragma once

#include "read/texts.h"

typedef struct af_tasks af_tasks;

#define AF_NO_TASK UINT32_MAX

/* The ranks of names: a name of equal or higher rank replaces the earlier one. */
typedef enum {
    AF_NAMED_NEVER,
    AF_NAMED_BY_EVENT, /* a comm in an event of the kernel */
    AF_NAMED_BY_TREE,  /* a list of processes */
    AF_NAMED_BY_METADATA,
    AF_NAMED_BY_DESCRIPTOR,
    AF_NAMED_BUILT_IN,
} af_task_rank;

/* For processes, a descriptor ranks below the system. */
#define AF_PROCESS_BY_DESCRIPTOR 2
#define AF_PROCESS_BY_SYSTEM     4

/* Both are borrowed. */
af_tasks *af_tasks_new(af_sink *sink, af_texts *texts);
void af_tasks_free(af_tasks *tasks);

/* The thread that has the tid now, created on first use; AF_NO_TASK only if memory is refused. */
uint32_t af_tasks_thread(af_tasks *tasks, int64_t tid);

/* The same, in a process: the thread joins it if it belongs to none; one of another process with
 * the same tid is another thread. */
uint32_t af_tasks_thread_of(af_tasks *tasks, int64_t pid, int64_t tid);

/* The process that has the pid now. */
uint32_t af_tasks_process(af_tasks *tasks, int64_t pid);

/* A new thread or process begins: the previous owner of its id has ended. */
uint32_t af_tasks_start_thread(af_tasks *tasks, int64_t tid);
uint32_t af_tasks_start_process(af_tasks *tasks, int64_t pid);

/* The thread with the tid ends, and with a main thread its process. */
void af_tasks_end_thread(af_tasks *tasks, int64_t tid);

/* Puts a thread that belongs to no process into that of another one. */
void af_tasks_join(af_tasks *tasks, uint32_t thread, uint32_t other);

/* `name` is a text; AF_NO_TEXT and empty ones name nothing. */
void af_tasks_name_thread(af_tasks *tasks, uint32_t thread, uint32_t name, af_task_rank rank);
void af_tasks_name_process(af_tasks *tasks, uint32_t process, uint32_t name, unsigned rank);

/* The user id of a process; -1 = not known. */
void af_tasks_set_uid(af_tasks *tasks, uint32_t process, int64_t uid);
int64_t af_tasks_uid(const af_tasks *tasks, uint32_t process);

uint32_t af_tasks_n_threads(const af_tasks *tasks);
uint32_t af_tasks_n_processes(const af_tasks *tasks);
int64_t af_tasks_tid(const af_tasks *tasks, uint32_t thread);
int64_t af_tasks_pid(const af_tasks *tasks, uint32_t process);
uint32_t af_tasks_process_of(const af_tasks *tasks, uint32_t thread);

/* AF_NO_TEXT if there is none. */
uint32_t af_tasks_thread_name(const af_tasks *tasks, uint32_t thread);
uint32_t af_tasks_process_name(const af_tasks *tasks, uint32_t process);

/* The name that the kernel has for the thread with the process's id; AF_NO_TEXT if it has another
 * name or none. */
uint32_t af_tasks_main_comm(const af_tasks *tasks, uint32_t process);

/* Whether it is the thread with the process's id. */
gboolean af_tasks_is_main(const af_tasks *tasks, uint32_t thread);
