#include <stdlib.h>
#include <string.h>

#include "calls/sample_timeline.h"
#include "cases.h"
#include "suite.h"

enum { MAIN, WORK, IO };

static const char *const names[] = {"main", "work", "io"};

typedef struct {
    GString *text;
    unsigned left; /* number of edges after which the observer stops; 0 = never */
} listener;

static gboolean tell(listener *l, char sign, const af_sample_edge *m, GError **error)
{
    g_string_append_printf(l->text, "%u %c%s %u w%u n%u\n", m->thread, sign, names[m->label],
                           (unsigned)m->time_ns, (unsigned)m->weight[AF_WALL],
                           (unsigned)m->samples);
    if (l->left > 0 && --l->left == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_OUTPUT, "enough");
        return FALSE;
    }
    return TRUE;
}

static gboolean enter(void *user, const af_sample_edge *m, GError **error)
{
    return tell(user, '+', m, error);
}

static gboolean leave(void *user, const af_sample_edge *m, GError **error)
{
    return tell(user, '-', m, error);
}

static void add(af_sample_timeline *timeline, uint32_t thread, uint64_t time_ns, uint64_t weight,
                size_t n, const uint32_t *labels)
{
    const af_sample sample = {
        .thread = thread, .methods = labels, .n = n, .weight = {weight, 0}, .time_ns = time_ns};
    ck_assert(af_sample_timeline_add(timeline, &sample, NULL));
}

static char *listen(af_sample_timeline *timeline, uint64_t end_ns)
{
    listener l = {g_string_new(NULL), 0};
    const af_sample_edge_observer observer = {enter, leave, &l};
    ck_assert(af_sample_timeline_walk(timeline, end_ns, &observer, NULL));
    af_sample_timeline_free(timeline);
    return g_string_free(l.text, FALSE);
}

static void add_words(af_sample_timeline *timeline, char **words)
{
    uint32_t labels[8];
    size_t n = 0;
    for (char **name = words + 3; *name != NULL; name++, n++) {
        labels[n] = strcmp(*name, "main") == 0 ? MAIN : strcmp(*name, "work") == 0 ? WORK : IO;
    }
    add(timeline, (uint32_t)atoi(words[0]), strtoull(words[1], NULL, 10),
        strtoull(words[2], NULL, 10), n, labels);
}

static void check_case(char **lines)
{
    g_autofree char *text = g_strjoinv("\n", lines);
    g_auto(GStrv) head = g_strsplit(*lines++, " ", 2);
    af_sample_timeline *m =
        af_sample_timeline_new(strcmp(head[0], "unknown") == 0    ? AF_LASTS_UNKNOWN
                               : strcmp(head[0], "at-least") == 0 ? AF_LASTS_AT_LEAST
                                                                  : AF_LASTS_EXACTLY);
    unsigned n = 0;
    for (; !g_str_has_prefix(*lines, "interval "); lines++, n++) {
        g_auto(GStrv) words = g_strsplit(*lines, " ", -1);
        add_words(m, words);
    }
    ck_assert_uint_eq(af_sample_timeline_n(m), n);
    g_autofree char *interval =
        g_strdup_printf("interval %" G_GUINT64_FORMAT, af_sample_timeline_interval_ns(m));
    g_autofree char *expected = g_strjoinv("\n", lines);
    const gboolean never = strcmp(head[1], "never") == 0;
    g_autofree char *edges = listen(m, never ? UINT64_MAX : strtoull(head[1], NULL, 10));
    g_autofree char *given =
        g_strjoin("\n", interval, *edges != '\0' ? g_strchomp(edges) : NULL, NULL);
    cases_expect(text, given, expected);
}

TEST(samples_begin_and_end_frames)
{
    cases_check("sample_timeline.txt", check_case);
}

TEST(an_observer_may_stop)
{
    af_sample_timeline *m = af_sample_timeline_new(AF_LASTS_UNKNOWN);
    listener l = {g_string_new(NULL), 2};
    const af_sample_edge_observer observer = {enter, leave, &l};
    add(m, 0, 0, 1, 3, (const uint32_t[]){MAIN, WORK, IO});
    ck_assert_error(af_sample_timeline_walk(m, UINT64_MAX, &observer, &error), AF_ERROR_OUTPUT);
    ck_assert_str_eq(l.text->str, "0 +main 0 w0 n0\n0 +work 0 w0 n0\n");
    g_string_free(l.text, TRUE);
    af_sample_timeline_free(m);
}
