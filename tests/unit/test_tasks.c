/* Threads and processes as a kernel names them: ids are reused, names have ranks. */
#include "build/profile_builder.h"
#include "read/tasks.h"

#include <string.h>

#include "suite.h"

typedef struct {
    af_sink *sink;
    af_texts texts;
    af_tasks *tasks;
} task_list;

static void begin(task_list *t)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    t->sink = af_sink_new(&options);
    af_texts_init(&t->texts, t->sink);
    t->tasks = af_tasks_new(t->sink, &t->texts);
}

static void end(task_list *t)
{
    af_tasks_free(t->tasks);
    af_texts_clear(&t->texts);
    af_sink_free(t->sink);
}

static uint32_t text(task_list *t, const char *name)
{
    return af_texts_add(&t->texts, (af_span){name, strlen(name)});
}

static void expect_name(const task_list *t, uint32_t thread, const char *name)
{
    const af_span is = af_texts_get(&t->texts, af_task_at(t->tasks, thread)->name);
    ck_assert_uint_eq(is.length, strlen(name));
    ck_assert_mem_eq(is.bytes, name, is.length);
}

TEST(ids_are_reused_after_the_end)
{
    task_list t;
    begin(&t);
    const uint32_t process = af_tasks_process(t.tasks, 7);
    const uint32_t worker = af_tasks_thread_of(t.tasks, 7, 12);
    af_tasks_end_thread(t.tasks, 12);
    const uint32_t next = af_tasks_thread(t.tasks, 12);
    ck_assert_uint_ne(next, worker);
    ck_assert_uint_eq(af_tasks_process_of(t.tasks, next), AF_NO_TASK);
    /* with the main thread its process ends */
    af_tasks_end_thread(t.tasks, 7);
    ck_assert_uint_ne(af_tasks_process(t.tasks, 7), process);
    /* a fork ends whatever had the pid */
    const uint32_t again = af_tasks_process(t.tasks, 7);
    const uint32_t forked = af_tasks_start_process(t.tasks, 7);
    ck_assert_uint_ne(forked, again);
    ck_assert_uint_eq(af_tasks_process_of(t.tasks, af_tasks_thread(t.tasks, 7)), forked);
    end(&t);
}

TEST(a_name_of_a_higher_rank_stays)
{
    task_list t;
    begin(&t);
    const uint32_t thread = af_tasks_thread(t.tasks, 12);
    af_tasks_name_thread(t.tasks, thread, text(&t, "comm"), AF_NAMED_BY_EVENT);
    expect_name(&t, thread, "comm");
    af_tasks_name_thread(t.tasks, thread, text(&t, "renamed"), AF_NAMED_BY_EVENT);
    expect_name(&t, thread, "renamed");
    af_tasks_name_thread(t.tasks, thread, text(&t, "listed"), AF_NAMED_BY_TREE);
    af_tasks_name_thread(t.tasks, thread, text(&t, "comm"), AF_NAMED_BY_EVENT);
    expect_name(&t, thread, "listed");
    af_tasks_name_thread(t.tasks, thread, text(&t, "described"), AF_NAMED_BY_DESCRIPTOR);
    af_tasks_name_thread(t.tasks, thread, text(&t, ""), AF_NAMED_BY_DESCRIPTOR);
    af_tasks_name_thread(t.tasks, thread, AF_NO_TEXT, AF_NAMED_BUILT_IN);
    expect_name(&t, thread, "described");
    end(&t);
}
