/* print_tree [--clock=wall|cpu] [--rows] [--jobs=N OUTPUT]... TRACE [OTHER HALF]
 *
 * Prints the threads, call trees and warnings of a profile as text, through the public headers
 * alone: with --jobs it reads the trace once for each N and writes to each OUTPUT. `-` is the standard
 * input. A file that does not open prints its error, which is a valid result. Very long lists are
 * shortened in the middle, with a count of the dropped lines. --rows prints every node as numbers, for
 * exports.js. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include <aflame/aflame.h>

enum { MOST_NODES = 3000, MOST_THREADS = 60, MOST_LABEL = 400, MOST_INDENT = 40 };

static void print_label(const char *label)
{
    const size_t length = strlen(label);
    if (length <= MOST_LABEL) {
        fputs(label, stdout);
        return;
    }
    const char *end = g_utf8_find_prev_char(label, label + 40);
    printf("%.*s...(%zu bytes)", (int)(end - label), label, length);
}

static void print_clock(const af_profile *p, unsigned thread, uint32_t node, af_clock clock)
{
    if (!af_thread_has_clock(p, thread, clock)) {
        return;
    }
    const uint64_t inclusive = af_node_inclusive_ns(p, thread, node, clock);
    const char *unit = af_profile_unit_name(p);
    const char *name = unit != NULL ? unit : clock == AF_WALL ? "wall" : "cpu";
    if (node == 0) {
        printf("  %s %" PRIu64, name, inclusive);
        return;
    }
    if (!af_profile_has_calls(p)) {
        printf("  %s %" PRIu64 "/%" PRIu64, name, af_node_self_ns(p, thread, node, clock),
               inclusive);
        return;
    }
    printf("  %s %" PRIu64 "/%" PRIu64 " (%" PRIu64 "..%" PRIu64 ")", name,
           af_node_self_ns(p, thread, node, clock), inclusive,
           af_node_min_ns(p, thread, node, clock), af_node_max_ns(p, thread, node, clock));
}

static void print_node(const af_profile *p, unsigned thread, uint32_t node)
{
    const uint32_t depth = af_node_depth(p, thread, node);
    printf("%" PRIu32 ":%*s", depth, (int)(2 * MIN(depth, MOST_INDENT) + 1), "");
    print_label(af_node_label(p, thread, node));
    if (node > 0 && af_profile_has_calls(p)) {
        printf("  x%" PRIu64, af_node_calls(p, thread, node));
    }
    if (af_node_unwinds(p, thread, node) > 0) {
        printf(" thrown %" PRIu64, af_node_unwinds(p, thread, node));
    }
    print_clock(p, thread, node, AF_WALL);
    print_clock(p, thread, node, AF_CPU);
    if (af_thread_has_runnable(p, thread)) {
        printf("  runnable %" PRIu64 "/%" PRIu64, af_node_self_runnable_ns(p, thread, node),
               af_node_runnable_ns(p, thread, node));
    }
    putchar('\n');
}

static void print_thread(const af_profile *p, unsigned thread)
{
    const uint32_t n = af_tree_n_nodes(p, thread);
    printf("\nthread %" PRIu64 " ", af_thread_id(p, thread));
    print_label(af_thread_name(p, thread));
    printf(" (%" PRIu32 " nodes)\n", n);
    for (uint32_t node = 0; node < n; node++) {
        if (n > MOST_NODES && node == 20) {
            printf("... %" PRIu32 " nodes ...\n", n - 40);
            node = n - 20;
        }
        print_node(p, thread, node);
    }
}

static void print_warnings(const af_profile *p)
{
    const unsigned n = af_profile_n_warnings(p);
    if (n > 0) {
        putchar('\n');
    }
    for (unsigned i = 0; i < n; i++) {
        af_warning_view w = AF_WARNING_VIEW_INIT;
        af_profile_warning(p, i, &w);
        printf("%s %s x%" PRIu64, w.information ? "note" : "warning", w.id, w.count);
        if (w.has_offset) {
            printf(" at %" PRIu64, w.offset);
        }
        putchar('\n');
    }
}

/* Each row ends with a name and a zero byte: of the profile, then of each thread and its nodes. */
static void print_rows(const af_profile *p)
{
    printf("%d %d %u%c", af_profile_has_calls(p), af_profile_unit_is_count(p),
           af_profile_unit_decimals(p), 0);
    for (unsigned t = 0; t < af_profile_n_threads(p); t++) {
        printf("0 %" PRIu64 " %d %d %d %s%c", af_thread_id(p, t), af_thread_has_calls(p, t),
               af_thread_has_clock(p, t, AF_WALL), af_thread_has_clock(p, t, AF_CPU),
               af_thread_title(p, t), 0);
        for (uint32_t n = 1; n < af_tree_n_nodes(p, t); n++) {
            printf("%" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s%c",
                   af_node_depth(p, t, n), af_node_calls(p, t, n),
                   af_node_self_ns(p, t, n, AF_WALL), af_node_self_ns(p, t, n, AF_CPU),
                   af_node_inclusive_ns(p, t, n, AF_CPU), af_node_label(p, t, n), 0);
        }
    }
}

static void print_profile(const af_profile *p)
{
    const unsigned n = af_profile_n_threads(p);
    const char *unit = af_profile_unit_name(p);
    if (unit != NULL) {
        printf("unit %s, %s, %u digits\n", unit, af_profile_unit_is_count(p) ? "counted" : "a time",
               af_profile_unit_decimals(p));
    } else {
        printf("clocks%s%s, default %s\n", af_profile_has_clock(p, AF_WALL) ? " wall" : "",
               af_profile_has_clock(p, AF_CPU) ? " cpu" : "",
               af_profile_default_clock(p) == AF_WALL ? "wall" : "cpu");
    }
    puts(af_profile_has_calls(p) ? "label  xcalls  clock self/inclusive (shortest..longest), ns"
                                 : "label  unit self/inclusive");
    for (unsigned thread = 0; thread < n; thread++) {
        if (n > MOST_THREADS && thread == 10) {
            printf("\n... %u threads ...\n", n - 20);
            thread = n - 10;
        }
        print_thread(p, thread);
    }
    print_warnings(p);
}

static const char *name_error(int code)
{
    static const char *const names[] = {"",       "usage",  "missing",   "unrecognised", "damaged",
                                        "output", "memory", "cancelled", "nothing"};
    return code > 0 && code < (int)G_N_ELEMENTS(names) ? names[code] : "unknown";
}

static void print_trace(char *const path[2], const af_open_options *options,
                        void (*print)(const af_profile *))
{
    GError *error = NULL;
    af_profile *profile = path[1] != NULL ? af_profile_open_pair(path[0], path[1], options, &error)
                          : strcmp(path[0], "-") == 0 ? af_profile_open_fd(0, options, &error)
                                                      : af_profile_open(path[0], options, &error);
    if (profile != NULL) {
        print(profile);
        af_profile_free(profile);
    } else {
        printf("error %s: %s\n", name_error(error->code), error->message);
        g_error_free(error);
    }
}

int main(int argc, char **argv)
{
    enum { MOST_READINGS = 4 };
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    unsigned jobs[MOST_READINGS];
    const char *output[MOST_READINGS];
    int n_readings = 0;
    void (*print)(const af_profile *) = print_profile;
    char *path[2] = {NULL, NULL};
    int n = 0;
    for (int i = 1; i < argc; i++) {
        if (g_str_has_prefix(argv[i], "--jobs=") && i + 1 < argc && n_readings < MOST_READINGS) {
            jobs[n_readings] = (unsigned)atoi(argv[i] + 7);
            output[n_readings++] = argv[++i];
        } else if (g_str_has_prefix(argv[i], "--clock=")) {
            options.clock = strcmp(argv[i] + 8, "cpu") == 0 ? AF_CPU : AF_WALL;
        } else if (strcmp(argv[i], "--rows") == 0) {
            print = print_rows;
        } else if (n < 2) {
            path[n++] = argv[i];
        }
    }
    if (n == 0) {
        fputs("usage: print_tree [--clock=wall|cpu] [--rows] [--jobs=N OUTPUT]... TRACE [OTHER]\n",
              stderr);
        return 2;
    }
    for (int i = 0; i < n_readings; i++) {
        if (freopen(output[i], "w", stdout) == NULL) {
            perror(output[i]);
            return 2;
        }
        options.jobs = jobs[i];
        print_trace(path, &options, print);
    }
    if (n_readings == 0) {
        print_trace(path, &options, print);
    }
    return 0;
}
