#include "cli/worker_read.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "api/autoptr.h"
#include "api/command.h"

/* A page lists this many threads: the main thread and those with the most time. */
#define MOST_THREADS 200u

static gboolean write_fd(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        const ssize_t n = write(fd, at, length);
        if (n <= 0) {
            return FALSE;
        }
        at += n;
        length -= (size_t)n;
    }
    return TRUE;
}

static bool write_output(void *user, const void *bytes, size_t length, GError **error)
{
    if (write_fd(STDOUT_FILENO, bytes, length)) {
        return TRUE;
    }
    g_set_error_literal(error, AF_ERROR, AF_ERROR_OUTPUT, "cannot write");
    return FALSE;
}

typedef struct {
    int fd;
    uint64_t shown;
} progress;

/* A line for each percent. */
static void show_progress(void *user, uint64_t done, uint64_t total)
{
    progress *p = user;
    if (total == 0 || (done < total && done - p->shown < total / 100)) {
        return;
    }
    p->shown = done;
    char line[64];
    const int n = snprintf(line, sizeof line, "# %llu %llu\n", (unsigned long long)done,
                           (unsigned long long)total);
    (void)write_fd(p->fd, line, (size_t)n);
}

static void set_text(GKeyFile *file, const char *group, const char *key, const char *text)
{
    if (text != NULL) {
        g_key_file_set_string(file, group, key, text);
    }
}

static uint64_t add_times(const af_profile *p, unsigned thread, af_clock clock)
{
    return af_thread_has_clock(p, thread, clock) ? af_node_inclusive_ns(p, thread, 0, clock) : 0;
}

static uint64_t count_calls(const af_profile *p, unsigned thread)
{
    uint64_t calls = 0;
    const uint32_t n = af_tree_n_nodes(p, thread);
    for (uint32_t i = 1; i < n; i++) {
        calls += af_node_calls(p, thread, i);
    }
    return calls;
}

typedef struct {
    unsigned number;
    uint64_t calls;
    af_thread_times times;
} ranked;

static int compare_times(gconstpointer a, gconstpointer b)
{
    const ranked *one = a, *other = b;
    const uint64_t a_ns = one->times.busy_ns, b_ns = other->times.busy_ns;
    if (one->times.is_main != other->times.is_main) {
        return one->times.is_main ? -1 : 1;
    }
    return a_ns != b_ns ? (a_ns < b_ns ? 1 : -1)
                        : (one->number > other->number) - (one->number < other->number);
}

static void set_thread(GKeyFile *file, const af_profile *p, unsigned index, const ranked *it)
{
    char group[32];
    snprintf(group, sizeof group, "thread %u", index);
    g_key_file_set_uint64(file, group, "id", af_thread_id(p, it->number));
    set_text(file, group, "name", af_thread_title(p, it->number));
    g_key_file_set_uint64(file, group, "wall", add_times(p, it->number, AF_WALL));
    g_key_file_set_uint64(file, group, "cpu", add_times(p, it->number, AF_CPU));
    g_key_file_set_uint64(file, group, "busy", it->times.busy_ns);
    g_key_file_set_uint64(file, group, "blocked", it->times.blocked_ns);
    g_key_file_set_uint64(file, group, "idle", it->times.idle_ns);
    g_key_file_set_uint64(file, group, "calls", it->calls);
}

static void set_threads(GKeyFile *file, const af_profile *p)
{
    const unsigned n = af_profile_n_threads(p);
    g_autoptr(GArray) threads = g_array_new(FALSE, FALSE, sizeof(ranked));
    uint64_t calls = 0, busy = 0;
    af_thread_times *times = af_picture_thread_times(p, af_profile_default_clock(p));
    for (unsigned t = 0; times != NULL && t < n; t++) {
        const ranked it = {t, count_calls(p, t), times[t]};
        g_array_append_val(threads, it);
        calls += it.calls;
        busy += it.times.busy_ns;
    }
    g_free(times);
    g_array_sort(threads, compare_times);
    g_key_file_set_uint64(file, "trace", "threads", n);
    g_key_file_set_uint64(file, "trace", "calls", calls);
    g_key_file_set_uint64(file, "trace", "busy", busy);
    for (unsigned i = 0; i < MIN(threads->len, MOST_THREADS); i++) {
        set_thread(file, p, i, &g_array_index(threads, ranked, i));
    }
}

static void set_warnings(GKeyFile *file, const af_profile *p)
{
    char key[32];
    unsigned n = 0;
    for (unsigned i = 0; i < af_profile_n_warnings(p); i++) {
        af_warning_view view = AF_WARNING_VIEW_INIT;
        if (af_profile_warning(p, i, &view) && !view.information) {
            g_autofree char *line = af_info_warning(p, i);
            snprintf(key, sizeof key, "warning%u", n++);
            g_key_file_set_string(file, "trace", key, line);
        }
    }
    g_key_file_set_uint64(file, "trace", "warnings", n);
}

/* Sentences without what they cost to find again: a page that lacks them is complete. */
static void set_findings(GKeyFile *file, const af_profile *p)
{
    char key[32];
    g_autoptr(af_explanation) explanation = af_explanation_new(p, NULL, NULL);
    const unsigned n = explanation != NULL ? af_explanation_n(explanation) : 0;
    g_key_file_set_boolean(file, "trace", "explained", explanation != NULL);
    for (unsigned i = 0; i < n; i++) {
        g_autofree char *text = g_utf8_make_valid(af_explanation_text(explanation, i), -1);
        snprintf(key, sizeof key, "finding%u", i);
        g_key_file_set_string(file, "trace", key, text);
    }
}

static const char *find_title(const char *format)
{
    const int found = af_named_find(af_input_format, format);
    return found < 0 ? format : af_input_format_title((unsigned)found);
}

static void set_trace(GKeyFile *file, const af_profile *p, const char *name)
{
    set_text(file, "trace", "format", af_info_format(p));
    set_text(file, "trace", "title", find_title(af_info_format(p)));
    set_text(file, "trace", "app", af_profile_app(p));
    set_text(file, "trace", "unit", af_profile_unit_name(p));
    g_key_file_set_boolean(file, "trace", "has-wall", af_profile_has_clock(p, AF_WALL));
    g_key_file_set_boolean(file, "trace", "has-cpu", af_profile_has_clock(p, AF_CPU));
    g_key_file_set_boolean(file, "trace", "has-calls", af_profile_has_calls(p));
    g_key_file_set_boolean(file, "trace", "chart", af_picture_adds_chart(p));
    g_key_file_set_boolean(file, "trace", "is-count", af_profile_unit_is_count(p));
    g_key_file_set_uint64(file, "trace", "decimals", af_profile_unit_decimals(p));
    g_key_file_set_uint64(file, "trace", "elapsed", af_profile_end_ns(p) - af_profile_start_ns(p));
    g_autofree char *text = af_info_text(p, name);
    set_text(file, "trace", "info", text);
}

static gboolean write_facts(const af_profile *p, const char *name, int fd)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    set_trace(file, p, name);
    set_warnings(file, p);
    set_findings(file, p);
    set_threads(file, p);
    gsize length;
    g_autofree char *text = g_key_file_to_data(file, &length, NULL);
    return write_fd(fd, text, length);
}

af_exit af_worker_read(const char *name, unsigned jobs, uint64_t max_memory, int facts_fd)
{
    GError *error = NULL;
    progress p = {.fd = facts_fd};
    af_open_options open = AF_OPEN_OPTIONS_INIT;
    open.jobs = jobs;
    open.max_memory = max_memory;
    open.keep_methods = TRUE;
    open.progress = show_progress;
    open.progress_user = &p;
    g_autoptr(af_profile) profile = af_profile_open_fd(STDIN_FILENO, &open, &error);
    if (profile != NULL) {
        af_convert_options convert = AF_CONVERT_OPTIONS_INIT;
        convert.input_name = name;
        if (af_convert_write(profile, "aflp", &convert, write_output, NULL, &error) &&
            !write_facts(profile, name, facts_fd)) {
            g_set_error_literal(&error, AF_ERROR, AF_ERROR_OUTPUT,
                                "cannot write the description of the trace");
        }
    }
    if (g_error_matches(error, AF_ERROR, AF_ERROR_MEMORY)) {
        /* the message of the library names an option of other verbs */
        g_clear_error(&error);
        g_set_error_literal(&error, AF_ERROR, AF_ERROR_MEMORY,
                            "the trace needs more memory than a worker may use (--worker-memory)");
    }
    return error == NULL ? AF_EXIT_DONE : af_message_fail(NULL, error);
}
