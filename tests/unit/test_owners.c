#include "build/profile_builder.h"
#include "read/owners.h"

#include <string.h>

#include "suite.h"

static af_span text_of(const char *text)
{
    return (af_span){text, strlen(text)};
}

static af_owner_id number(int64_t value)
{
    return (af_owner_id){.number = value};
}

static af_owner_id word(const char *text)
{
    return (af_owner_id){.text = text_of(text)};
}

typedef struct {
    af_sink *sink;
    af_owners *owners;
    gboolean finds_main;
} owners;

static owners new_owners(void)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    owners t = {.sink = af_sink_new(&options)};
    t.owners = af_owners_new(t.sink);
    return t;
}

static uint32_t add_thread(owners *t, af_owner_id process, af_owner_id thread)
{
    return af_owners_thread(t->owners, &process, &thread);
}

/* All threads in order, "PROCESS/THREAD=ID" each. Takes the owners. */
static char *list(owners *t)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    const af_ticks ticks = {.clocks = 1u << AF_WALL, .tick_ns = 1};
    GString *text = g_string_new(NULL);
    GError *error = NULL;
    af_sink_start(t->sink, &ticks);
    for (uint32_t i = 0; i < af_sink_threads(t->sink)->n; i++) {
        const af_event events[] = {
            {.thread = i, .call = af_event_call(af_sink_method(t->sink, 4), AF_ENTER)},
            {.thread = i, .call = af_event_call(af_sink_method(t->sink, 4), AF_EXIT), .time = {1}}};
        af_sink_events(t->sink, events, G_N_ELEMENTS(events), 0, 0);
    }
    af_owners_finish(t->owners, t->finds_main);
    g_autoptr(af_profile) profile = af_sink_finish(t->sink, &options, &error);
    ck_assert_ptr_nonnull(profile);
    for (unsigned i = 0; i < af_profile_n_threads(profile); i++) {
        g_string_append_printf(text, "%s%s=%d", i > 0 ? ", " : "", af_thread_title(profile, i),
                               (int)af_thread_id(profile, i));
    }
    af_owners_free(t->owners);
    af_sink_free(t->sink);
    return g_string_free(text, FALSE);
}

static void expect(owners *t, const char *threads)
{
    g_autofree char *is = list(t);
    ck_assert_str_eq(is, threads);
}

TEST(a_thread_is_identified_by_both_ids)
{
    owners t = new_owners();
    const uint32_t first = add_thread(&t, number(1), number(7));
    const uint32_t other = add_thread(&t, number(2), number(7));
    ck_assert_uint_ne(first, other);
    ck_assert_uint_eq(add_thread(&t, number(1), number(7)), first);
    ck_assert_uint_eq(add_thread(&t, number(2), number(7)), other);
    ck_assert_uint_ne(add_thread(&t, number(1), word("7 of 9")), first);
    ck_assert_uint_eq(add_thread(&t, number(1), word("7 of 9")),
                      add_thread(&t, number(1), word("7 of 9")));
    expect(&t, "process 1: Thread 7=7, process 1: 7 of 9=8, process 2: Thread 7=7");
}

/* Also directly after one that was looked up before. */
TEST(a_process_is_identified_by_its_id)
{
    owners t = new_owners();
    const af_owner_id none = number(0), one = number(1), text = word("x"), other = word("y");
    const uint32_t zero = af_owners_process(t.owners, &none);
    const uint32_t first = af_owners_process(t.owners, &one);
    const uint32_t named = af_owners_process(t.owners, &text);
    ck_assert_uint_ne(zero, first);
    ck_assert_uint_ne(zero, named);
    ck_assert_uint_ne(first, named);
    ck_assert_uint_eq(af_owners_process(t.owners, &text), named);
    ck_assert_uint_ne(af_owners_process(t.owners, &other), named);
    ck_assert_uint_eq(af_owners_process(t.owners, &none), zero);
    ck_assert_uint_eq(af_owners_process(t.owners, &none), zero);
    ck_assert_uint_eq(af_owners_process(t.owners, &text), named);
    ck_assert_uint_eq(af_owners_process(t.owners, &one), first);
    af_owners_free(t.owners);
    af_sink_free(t.sink);
}

TEST(the_last_name_counts)
{
    owners t = new_owners();
    const af_owner_id one = number(1);
    const uint32_t thread = add_thread(&t, one, number(1));
    af_owners_name_thread(t.owners, thread, text_of("early"));
    af_owners_name_thread(t.owners, thread, text_of("late"));
    af_owners_name_process(t.owners, &one, text_of("app"));
    ck_assert(!af_sink_facts(t.sink)->has_pid);
    expect(&t, "late=1");
}

TEST(processes_are_named_if_there_are_several)
{
    owners t = new_owners();
    const af_owner_id one = number(1), two = number(2), three = number(3);
    add_thread(&t, one, number(1));
    add_thread(&t, two, number(2));
    add_thread(&t, three, number(3));
    af_owners_name_process(t.owners, &one, text_of("app"));
    af_owners_name_process(t.owners, &two, text_of("app"));
    expect(&t, "app 1: Thread 1=1, app 2: Thread 2=2, process 3: Thread 3=3");
}

TEST(indices_sort_before_ids)
{
    owners t = new_owners();
    const af_owner_id one = number(1), two = number(2);
    const uint32_t late = add_thread(&t, one, number(1));
    add_thread(&t, one, number(5));
    add_thread(&t, two, number(1));
    af_owners_sort_thread(t.owners, late, 3);
    af_owners_sort_process(t.owners, &two, -1);
    expect(&t, "process 2: Thread 1=1, process 1: Thread 5=5, process 1: Thread 1=1");
}

TEST(async_tracks_follow_threads)
{
    owners t = new_owners();
    const af_owner_id one = number(1), seven = number(7), absent = number(8);
    const uint32_t process = af_owners_process(t.owners, &one);
    const uint32_t track = af_owners_add_track(t.owners, process, text_of("load (async)"));
    const uint32_t thread = add_thread(&t, one, seven);
    af_owners_name_thread(t.owners, thread, text_of("main"));
    ck_assert_uint_ne(af_owners_add_extra_track(t.owners, thread, 0), track);
    af_owners_add_extra_track(t.owners, thread, 1);
    af_owners_add_extra_track(t.owners, thread, 2);
    ck_assert_uint_eq(af_owners_find_thread(t.owners, &seven), thread);
    ck_assert_uint_eq(af_owners_find_thread(t.owners, &absent), AF_NO_THREAD);
    expect(&t, "main=7, load (async)=8, main (samples)=9, main (overlap)=10, main (overlap 2)=11");
}

TEST(the_thread_with_the_id_of_its_process_is_main)
{
    owners t = new_owners();
    t.finds_main = TRUE;
    const af_owner_id one = number(1), two = number(2), three = number(3);
    add_thread(&t, one, number(1));
    add_thread(&t, one, number(2));
    const uint32_t cut = add_thread(&t, two, number(2));
    af_owners_name_process(t.owners, &two, text_of("com.example.recipes"));
    af_owners_name_thread(t.owners, cut, text_of("example.recipes"));
    const uint32_t named = add_thread(&t, three, number(3));
    af_owners_name_process(t.owners, &three, text_of("Browser"));
    af_owners_name_thread(t.owners, named, text_of("ser"));
    expect(&t,
           "process 1: main=1, process 1: Thread 2=2, com.example.recipes: main=2, Browser: ser=3");
}

TEST(many_threads_are_found_again)
{
    owners t = new_owners();
    enum { MANY = 5000 };
    static uint32_t numbers[MANY];
    for (int64_t i = 0; i < MANY; i++) {
        numbers[i] = add_thread(&t, number(i % 3), number(-i));
    }
    for (int64_t i = MANY; i-- > 0;) {
        ck_assert_uint_eq(add_thread(&t, number(i % 3), number(-i)), numbers[i]);
    }
    af_owners_free(t.owners);
    af_sink_free(t.sink);
}
