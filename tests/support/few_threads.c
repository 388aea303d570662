/* few_threads TRACE...
 *
 * Opens each trace and writes every kind of picture on four threads while the system refuses the
 * first thread, the second, and so on; once that thread only, once every thread from then on. The
 * output must have the same bytes as on one thread. pthread_create() implements the refusal, so it
 * also reaches the threads that a library starts on its own. Each try is a process of its own:
 * threads wait for the next work, so a second try in the same process would ask for none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <aflame/aflame.h>

static atomic_uint *asked; /* shared with the tries */
static unsigned refused;   /* 0 = none */
static gboolean all_after;
static unsigned refusals;

typedef int (*create_func)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* Takes precedence over the C library's function, for libraries too. */
__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*work)(void *), void *user)
{
    static create_func create;
    if (create == NULL) {
        void *found = dlsym(RTLD_NEXT, "pthread_create");
        memcpy(&create, &found, sizeof create);
    }
    const unsigned number = atomic_fetch_add(asked, 1) + 1;
    if (refused > 0 && (number == refused || (all_after && number > refused))) {
        return EAGAIN;
    }
    return create(thread, attributes, work, user);
}

/* The library asks for no more threads than there are processors: four, on every machine. */
__attribute__((visibility("default"))) int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    memset(set, 0, size);
    for (int i = 0; i < 4; i++) {
        CPU_SET_S(i, size, set);
    }
    return 0;
}

typedef struct {
    const char *format;
    af_view view;
    af_data packed;
} picture;

static const picture pictures[] = {
    {"svg", AF_VIEW_GRAPH, AF_DATA_FULL},
    {"svg", AF_VIEW_CHART, AF_DATA_FULL},
    {"png", AF_VIEW_GRAPH, AF_DATA_AUTO},
    {"pdf", AF_VIEW_GRAPH, AF_DATA_AUTO},
};

static gboolean add_bytes(void *user, const void *bytes, size_t length, GError **error)
{
    g_checksum_update(user, bytes, (gssize)length);
    return TRUE;
}

static G_GNUC_NORETURN void fail(const char *path, const picture *p, const char *why)
{
    fprintf(stderr, "%s: %s, thread %u%s refused: %s\n", path, p->format, refused,
            all_after ? " and all after it" : "", why);
    exit(1);
}

/* The checksum of the picture. The caller frees it. */
static char *draw(const char *path, const picture *p, unsigned jobs)
{
    GError *error = NULL;
    af_open_options open = AF_OPEN_OPTIONS_INIT;
    open.jobs = jobs;
    open.keep_input = TRUE;
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.jobs = jobs;
    options.view = p->view;
    options.data = p->packed;
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autoptr(af_profile) profile = af_profile_open(path, &open, &error);
    if (profile == NULL ||
        !af_picture_write(profile, p->format, &options, add_bytes, sum, NULL, &error)) {
        fail(path, p, error->message);
    }
    return g_strdup(g_checksum_get_string(sum));
}

/* Returns the number of threads that the library asked for. */
static unsigned draw_apart(const char *path, const picture *p, const char *expected)
{
    atomic_store(asked, 0);
    const pid_t child = fork();
    if (child == 0) {
        g_autofree char *found = draw(path, p, 4);
        if (strcmp(found, expected) != 0) {
            fail(path, p, "the bytes differ");
        }
        _exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fail(path, p, "the try failed");
    }
    return atomic_load(asked);
}

static void compare(const char *path, const picture *p)
{
    refused = 0;
    g_autofree char *expected = draw(path, p, 1);
    unsigned most = 0;
    for (int all = 0; all < 2; all++) {
        all_after = all == 1;
        for (refused = 1;; refused++) {
            const unsigned n = draw_apart(path, p, expected);
            most = MAX(most, n);
            if (n < refused) {
                break;
            }
            refusals++;
        }
    }
    printf("%s %s: up to %u threads\n", p->format, p->view == AF_VIEW_CHART ? "chart" : "graph",
           most);
}

int main(int argc, char **argv)
{
    asked = mmap(NULL, sizeof *asked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (asked == MAP_FAILED) {
        return 1;
    }
    for (int i = 1; i < argc; i++) {
        for (unsigned p = 0; p < G_N_ELEMENTS(pictures); p++) {
            compare(argv[i], &pictures[p]);
        }
    }
    printf("%u threads refused\n", refusals);
    return refusals > 20 ? 0 : 1;
}
