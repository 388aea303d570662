/* mapping LINES FOLDER: writes a mapping file with LINES lines as R8 would for a large app, and
 * opens it repeatedly, plain and gzipped. Fails if that takes longer than a second per million
 * lines, or more than 200 bytes per retained class and method. */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <aflame/aflame.h>

#include "names.h"

enum { RUNS = 7, METHODS_OF_A_CLASS = 9, MOST_BYTES = 200, MS_FOR_A_MILLION = 1000 };

typedef struct {
    GString *text;
    uint64_t lines, wanted;
    uint32_t class, random;
} writing;

static uint32_t draw(writing *w, uint32_t below)
{
    w->random = w->random * 1664525u + 1013904223u;
    return (w->random >> 8) % below;
}

/* Class and method of the benchmark's traces: two columns of a method line. */
static char **draw_names(uint32_t number)
{
    char line[512];
    format_method(line, sizeof line, number);
    return g_strsplit(line, "\t", 4);
}

static void put_short(GString *text, uint32_t number)
{
    char name[8];
    int n = 0;
    do {
        name[n++] = (char)('a' + number % 26);
        number /= 26;
    } while (number > 0);
    g_string_append_len(text, name, n);
}

static void put_arguments(writing *w)
{
    static const char *const types[] = {"int",
                                        "java.lang.String",
                                        "boolean",
                                        "android.view.View",
                                        "java.lang.Object[]",
                                        "kotlin.jvm.functions.Function1",
                                        "com.example.market.catalogue.search.QueryRepository"};
    const uint32_t n = draw(w, 4);
    for (uint32_t i = 0; i < n; i++) {
        g_string_append(w->text, i > 0 ? "," : "");
        g_string_append(w->text, types[draw(w, G_N_ELEMENTS(types))]);
    }
}

/* Some ranges, some of them with inlined methods. */
static void put_method(writing *w, uint32_t number, uint32_t in_class)
{
    g_auto(GStrv) names = draw_names(number);
    GString *method = g_string_new(NULL), *whole = w->text;
    w->text = method;
    put_arguments(w);
    w->text = whole;
    const uint32_t ranges = 1 + draw(w, 5);
    for (uint32_t i = 0, from = 1; i < ranges; i++, from += 6) {
        g_auto(GStrv) inlined = draw_names(draw(w, 40000));
        const uint32_t to = from + draw(w, 5), line = 10 + draw(w, 900);
        if (draw(w, 3) == 0) {
            g_string_append_printf(w->text, "    %u:%u:boolean %s.%s(java.lang.Object):%u:%u -> ",
                                   from, to, inlined[1], inlined[2], line, line + to - from);
            put_short(w->text, in_class);
            g_string_append_c(w->text, '\n');
            w->lines++;
            g_string_append_printf(w->text, "    %u:%u:void %s(%s):%u -> ", from, to, names[2],
                                   method->str, line);
        } else {
            g_string_append_printf(w->text, "    %u:%u:void %s(%s):%u:%u -> ", from, to, names[2],
                                   method->str, line, line + to - from);
        }
        put_short(w->text, in_class);
        g_string_append_c(w->text, '\n');
        w->lines++;
    }
    g_string_free(method, TRUE);
}

static void put_class(writing *w)
{
    g_auto(GStrv) names = draw_names(w->class * 6);
    g_string_append_printf(w->text, "%s$%u -> ", names[1], w->class);
    put_short(w->text, w->class % 400);
    g_string_append_c(w->text, '.');
    put_short(w->text, w->class / 400);
    g_string_append_printf(w->text, ":\n# {\"id\":\"sourceFile\",\"fileName\":\"File%u.kt\"}\n",
                           w->class);
    w->lines += 2;
    for (uint32_t i = draw(w, 5); i > 0; i--, w->lines++) {
        g_string_append_printf(w->text, "    java.lang.String field%u -> ", i);
        put_short(w->text, i);
        g_string_append_c(w->text, '\n');
    }
    for (uint32_t i = draw(w, 2 * METHODS_OF_A_CLASS); i > 0; i--) {
        put_method(w, draw(w, 40000), i / 2);
    }
    w->class ++;
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static size_t count_memory(void)
{
    const struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}

static gboolean measure(const char *path, uint64_t lines)
{
    double least_ms = 1e9, bytes = 0;
    uint64_t classes = 0, methods = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        GError *error = NULL;
        const size_t before = count_memory();
        const double begun_ms = now_ms();
        g_autoptr(af_mapping) mapping = af_mapping_open(path, &error);
        const double ms = now_ms() - begun_ms;
        if (mapping == NULL) {
            fprintf(stderr, "%s: %s\n", path, error->message);
            exit(1);
        }
        least_ms = ms < least_ms ? ms : least_ms;
        bytes = (double)(count_memory() - before);
        classes = af_mapping_n_classes(mapping);
        methods = af_mapping_n_methods(mapping);
    }
    const double each = bytes / (double)(classes + methods);
    printf("%s: %" PRIu64 " lines, %" PRIu64 " classes, %" PRIu64
           " methods: %.0f ms of CPU, %.1f MB, "
           "%.0f bytes each\n",
           path, lines, classes, methods, least_ms, bytes / 1e6, each);
    return least_ms <= MS_FOR_A_MILLION * MAX((double)lines / 1e6, 1) && each <= MOST_BYTES;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: mapping LINES FOLDER\n");
        return 2;
    }
    writing w = {.text = g_string_new("# compiler: R8\n# compiler_version: 8.2.33\n# pg_map_id: "
                                      "0123abc\n"),
                 .lines = 3,
                 .wanted = g_ascii_strtoull(argv[1], NULL, 10),
                 .random = 1};
    while (w.lines < w.wanted) {
        put_class(&w);
    }
    GError *error = NULL;
    g_mkdir_with_parents(argv[2], 0777);
    char *plain = g_build_filename(argv[2], "mapping.txt", NULL);
    char *packed = g_strconcat(plain, ".gz", NULL);
    char *pack[] = {(char *)"gzip", (char *)"-kf", plain, NULL};
    if (!g_file_set_contents(plain, w.text->str, (gssize)w.text->len, &error) ||
        !g_spawn_sync(NULL, pack, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                      &error)) {
        fprintf(stderr, "mapping: %s\n", error->message);
        return 1;
    }
    g_string_free(w.text, TRUE);
    const gboolean plain_ok = measure(plain, w.lines), packed_ok = measure(packed, w.lines);
    g_free(plain);
    g_free(packed);
    return plain_ok && packed_ok ? 0 : 1;
}
