#include "build/profile_builder.h"
#include "read/owners.h"

#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "suite.h"

/* In words, P and T are ids: numbers or texts.
 *   P/T          a thread           P/T=NAME, P=NAME   names it, or a process
 *   P/T@N, P@N   a sort index       P+NAME, P/T+N      adds a track to a process, the Nth one to a thread
 *   ?T=NAME      names the thread with that id, if there is one
 *   main         threads with the id of their process are called main */
typedef struct {
    af_sink *sink;
    af_owners *owners;
    gboolean finds_main;
} reader;

static af_span text_of(const char *text)
{
    return (af_span){text, strlen(text)};
}

static af_owner_id read_id(const char *text)
{
    char *end;
    const int64_t number = g_ascii_strtoll(text, &end, 10);
    return *end == '\0' ? (af_owner_id){.number = number} : (af_owner_id){.text = text_of(text)};
}

static void take_thread(reader *r, uint32_t thread, char sign, const char *value)
{
    if (sign == '=') {
        af_owners_name_thread(r->owners, thread, text_of(value));
    } else if (sign == '@') {
        af_owners_sort_thread(r->owners, thread, g_ascii_strtoll(value, NULL, 10));
    } else if (sign == '+') {
        af_owners_add_extra_track(r->owners, thread, (unsigned)atoi(value));
    }
}

static void take_process(reader *r, const af_owner_id *process, char sign, const char *value)
{
    if (sign == '=') {
        af_owners_name_process(r->owners, process, text_of(value));
    } else if (sign == '@') {
        af_owners_sort_process(r->owners, process, g_ascii_strtoll(value, NULL, 10));
    } else if (sign == '+') {
        af_owners_add_track(r->owners, af_owners_process(r->owners, process), text_of(value));
    }
}

static void take_word(reader *r, char *word)
{
    char *value = word + strcspn(word, "=@+"), *slash = strchr(word, '/');
    const char sign = *value;
    if (sign != '\0') {
        *value++ = '\0';
    }
    const af_owner_id first = read_id(word + (*word == '?'));
    if (strcmp(word, "main") == 0) {
        r->finds_main = TRUE;
    } else if (*word == '?') {
        const uint32_t thread = af_owners_find_thread(r->owners, &first);
        if (thread != AF_NO_THREAD) {
            take_thread(r, thread, sign, value);
        }
    } else if (slash == NULL) {
        take_process(r, &first, sign, value);
    } else {
        *slash = '\0';
        const af_owner_id process = read_id(word), id = read_id(slash + 1);
        take_thread(r, af_owners_thread(r->owners, &process, &id), sign, value);
    }
}

/* All threads in order, "PROCESS: THREAD=ID" each, and the pid. */
static char *show_threads(const char *input)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    const af_ticks ticks = {.clocks = 1u << AF_WALL, .tick_ns = 1};
    reader r = {.sink = af_sink_new(&options)};
    r.owners = af_owners_new(r.sink);
    g_auto(GStrv) words = g_strsplit(input, " ", -1);
    for (char **word = words; *word != NULL; word++) {
        take_word(&r, *word);
    }
    af_sink_start(r.sink, &ticks);
    for (uint32_t i = 0; i < af_sink_threads(r.sink)->n; i++) {
        const af_event events[] = {
            {.thread = i, .call = af_event_call(af_sink_method(r.sink, 4), AF_ENTER)},
            {.thread = i, .call = af_event_call(af_sink_method(r.sink, 4), AF_EXIT), .time = {1}}};
        af_sink_events(r.sink, events, G_N_ELEMENTS(events), 0, 0);
    }
    af_owners_finish(r.owners, r.finds_main);
    g_autoptr(af_profile) profile = af_sink_finish(r.sink, &options, NULL);
    ck_assert_ptr_nonnull(profile);
    GString *text = g_string_new(NULL);
    uint64_t pid;
    for (unsigned i = 0; i < af_profile_n_threads(profile); i++) {
        g_string_append_printf(text, "%s%s=%d", i > 0 ? ", " : "", af_thread_title(profile, i),
                               (int)af_thread_id(profile, i));
    }
    if (af_profile_pid(profile, &pid)) {
        g_string_append_printf(text, "; pid %d", (int)pid);
    }
    af_owners_free(r.owners);
    af_sink_free(r.sink);
    return g_string_free(text, FALSE);
}

TEST(threads_belong_to_processes)
{
    cases_map("owners of calls", show_threads);
}

TEST(many_threads_are_found_again)
{
    enum { MANY = 5000 };
    static uint32_t numbers[MANY];
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    af_sink *sink = af_sink_new(&options);
    af_owners *owners = af_owners_new(sink);
    for (unsigned again = 0; again < 2; again++) {
        for (int64_t i = 0; i < MANY; i++) {
            const af_owner_id process = {.number = i % 3}, thread = {.number = -i};
            const uint32_t number = af_owners_thread(owners, &process, &thread);
            ck_assert(again == 0 || number == numbers[i]);
            numbers[i] = number;
        }
    }
    af_owners_free(owners);
    af_sink_free(sink);
}
