#include "read/tasks.h"

#include <string.h>

/* The most threads of one tid that are searched: only made-up files have more. */
#define MOST_SEARCHED 64u

af_tasks *af_tasks_new(af_sink *sink, af_texts *texts)
{
    af_meter *const meter = af_sink_meter(sink);
    af_tasks *k = g_new0(af_tasks, 1);
    k->sink = sink;
    k->texts = texts;
    af_idtable_init(&k->newest, sizeof(uint32_t), meter);
    af_idtable_init(&k->current, sizeof(uint32_t), meter);
    af_array_init_metered(&k->threads, sizeof(af_task), meter);
    af_array_init_metered(&k->processes, sizeof(af_process), meter);
    return k;
}

void af_tasks_free(af_tasks *k)
{
    if (k != NULL) {
        af_idtable_clear(&k->newest);
        af_idtable_clear(&k->current);
        AF_ARRAYS_CLEAR(&k->threads, &k->processes);
        g_free(k);
    }
}

uint32_t af_tasks_start_thread(af_tasks *k, int64_t tid)
{
    uint32_t *entry = af_idtable_item(&k->newest, (uint64_t)tid);
    if (entry == NULL || !af_array_append(&k->threads, &(af_task){.tid = tid,
                                                                  .process = AF_NO_TASK,
                                                                  .name = AF_NO_TEXT,
                                                                  .older = *entry - 1})) {
        return AF_NO_TASK;
    }
    *entry = (uint32_t)k->threads.n;
    return *entry - 1;
}

/* The living thread that had the tid last, or AF_NO_TASK. */
static uint32_t find_thread(af_tasks *k, int64_t tid)
{
    const uint32_t *entry = af_idtable_item(&k->newest, (uint64_t)tid);
    const uint32_t thread = entry == NULL ? AF_NO_TASK : *entry - 1;
    return thread == AF_NO_TASK || af_task_at(k, thread)->ended ? AF_NO_TASK : thread;
}

uint32_t af_tasks_thread(af_tasks *k, int64_t tid)
{
    const uint32_t thread = find_thread(k, tid);
    return thread != AF_NO_TASK ? thread : af_tasks_start_thread(k, tid);
}

/* Whether a living thread belongs to the pid, or to no process. */
static gboolean can_be_of(const af_tasks *k, const af_task *thread, int64_t pid)
{
    if (thread->ended) {
        return FALSE;
    }
    const af_process *process =
        thread->process == AF_NO_TASK ? NULL : af_process_at(k, thread->process);
    return process == NULL || (process->pid == pid && !process->ended);
}

uint32_t af_tasks_process(af_tasks *k, int64_t pid)
{
    uint32_t *entry = af_idtable_item(&k->current, (uint64_t)pid);
    if (entry == NULL) {
        return AF_NO_TASK;
    }
    if (*entry > 0 && !af_process_at(k, *entry - 1)->ended) {
        return *entry - 1;
    }
    af_process *added = af_array_add(&k->processes, 1);
    if (added == NULL) {
        return AF_NO_TASK;
    }
    const uint32_t process = (uint32_t)k->processes.n - 1;
    *added = (af_process){.pid = pid, .uid = -1, .name = AF_NO_TEXT, .main_thread = AF_NO_TASK};
    *entry = process + 1;
    uint32_t main_thread = find_thread(k, pid);
    if (main_thread == AF_NO_TASK || af_task_at(k, main_thread)->process != AF_NO_TASK) {
        main_thread = af_tasks_start_thread(k, pid);
    }
    if (main_thread != AF_NO_TASK) {
        af_task_at(k, main_thread)->process = process;
        af_process_at(k, process)->main_thread = main_thread;
    }
    return process;
}

uint32_t af_tasks_thread_of(af_tasks *k, int64_t pid, int64_t tid)
{
    uint32_t thread = find_thread(k, tid);
    for (unsigned i = 0; thread != AF_NO_TASK && i < MOST_SEARCHED; i++) {
        if (can_be_of(k, af_task_at(k, thread), pid)) {
            break;
        }
        thread = af_task_at(k, thread)->older;
    }
    const gboolean found = thread != AF_NO_TASK && can_be_of(k, af_task_at(k, thread), pid);
    if (found && af_task_at(k, thread)->process != AF_NO_TASK) {
        return thread;
    }
    const uint32_t process = af_tasks_process(k, pid);
    if (!found) {
        /* the process may just have implied it */
        thread = tid == pid ? find_thread(k, tid) : AF_NO_TASK;
        if (thread == AF_NO_TASK || !can_be_of(k, af_task_at(k, thread), pid)) {
            thread = af_tasks_start_thread(k, tid);
        }
    }
    if (thread != AF_NO_TASK) {
        af_task_at(k, thread)->process = process;
    }
    return thread;
}

uint32_t af_tasks_start_process(af_tasks *k, int64_t pid)
{
    const uint32_t *entry = af_idtable_item(&k->current, (uint64_t)pid);
    if (entry != NULL && *entry > 0) {
        af_process_at(k, *entry - 1)->ended = TRUE;
    }
    const uint32_t before = find_thread(k, pid);
    if (before != AF_NO_TASK) {
        af_task_at(k, before)->ended = TRUE;
    }
    return af_tasks_process(k, pid);
}

void af_tasks_end_thread(af_tasks *k, int64_t tid)
{
    const uint32_t thread = af_tasks_thread(k, tid);
    if (thread == AF_NO_TASK) {
        return;
    }
    af_task *ended = af_task_at(k, thread);
    ended->ended = TRUE;
    if (ended->process != AF_NO_TASK && af_process_at(k, ended->process)->pid == tid) {
        af_process_at(k, ended->process)->ended = TRUE;
    }
}

void af_tasks_join(af_tasks *k, uint32_t thread, uint32_t other)
{
    if (thread == AF_NO_TASK || other == AF_NO_TASK) {
        return;
    }
    af_task *joins = af_task_at(k, thread);
    if (joins->process == AF_NO_TASK) {
        joins->process = af_task_at(k, other)->process;
    }
}

static gboolean is_empty(const af_tasks *k, uint32_t name)
{
    return name == AF_NO_TEXT || af_texts_get(k->texts, name).length == 0;
}

void af_tasks_name_thread(af_tasks *k, uint32_t thread, uint32_t name, af_task_rank rank)
{
    if (thread == AF_NO_TASK || is_empty(k, name)) {
        return;
    }
    af_task *named = af_task_at(k, thread);
    if (rank >= named->rank) {
        named->rank = rank;
        named->name = name;
    }
}

void af_tasks_name_process(af_tasks *k, uint32_t process, uint32_t name, unsigned rank)
{
    if (process == AF_NO_TASK || is_empty(k, name)) {
        return;
    }
    af_process *named = af_process_at(k, process);
    if (rank >= named->rank) {
        named->rank = rank;
        named->name = name;
    }
}

uint32_t af_tasks_process_of(const af_tasks *k, uint32_t thread)
{
    return thread == AF_NO_TASK ? AF_NO_TASK : af_task_at(k, thread)->process;
}

uint32_t af_tasks_main_comm(const af_tasks *k, uint32_t process)
{
    const uint32_t thread = af_process_at(k, process)->main_thread;
    return thread != AF_NO_TASK && af_task_at(k, thread)->rank <= AF_NAMED_BY_TREE
               ? af_task_at(k, thread)->name
               : AF_NO_TEXT;
}

gboolean af_tasks_is_main(const af_tasks *k, uint32_t thread)
{
    const af_task *asked = af_task_at(k, thread);
    return asked->process != AF_NO_TASK && af_process_at(k, asked->process)->pid == asked->tid;
}
