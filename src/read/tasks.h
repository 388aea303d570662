/* Processes and threads as a kernel names them: by ids that it reuses.
 *
 * A thread is known by an index; several threads may have had the same tid, one after the other or
 * in different processes. The calls arrive in order of time. A process implies a thread with its
 * id, its main thread. */
#pragma once

#include "base/idtable.h"
#include "read/texts.h"

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

typedef struct {
    int64_t tid;
    uint32_t process; /* AF_NO_TASK = none yet */
    uint32_t name;    /* AF_NO_TEXT = none */
    uint32_t older;   /* the one before with the same tid */
    af_task_rank rank;
    gboolean ended;
} af_task;

typedef struct {
    int64_t pid;
    int64_t uid;   /* -1 = not known */
    uint32_t name; /* AF_NO_TEXT = none */
    uint32_t main_thread;
    unsigned rank;
    gboolean ended;
    uint32_t nest; /* of the timeline + 1; 0 = none yet */
    uint64_t uuid; /* of the track that describes it */
} af_process;

typedef struct {
    af_sink *sink;
    af_texts *texts;
    af_idtable newest;  /* of uint32_t, by tid: thread + 1 */
    af_idtable current; /* of uint32_t, by pid: process + 1 */
    af_array threads;   /* of af_task */
    af_array processes; /* of af_process */
} af_tasks;

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

static inline af_task *af_task_at(const af_tasks *tasks, uint32_t thread)
{
    return &AF_ARRAY_AT(&tasks->threads, af_task, thread);
}

static inline af_process *af_process_at(const af_tasks *tasks, uint32_t process)
{
    return &AF_ARRAY_AT(&tasks->processes, af_process, process);
}

/* The process of a thread, which may be AF_NO_TASK. */
uint32_t af_tasks_process_of(const af_tasks *tasks, uint32_t thread);

/* The name that the kernel has for the thread with the process's id; AF_NO_TEXT if it has another
 * name or none. */
uint32_t af_tasks_main_comm(const af_tasks *tasks, uint32_t process);

/* Whether it is the thread with the process's id. */
gboolean af_tasks_is_main(const af_tasks *tasks, uint32_t thread);
