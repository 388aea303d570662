#include "cli/worker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>
#include "api/command.h"
#include "cli/option.h"
#include "cli/outputs.h"
#include "cli/verbs.h"
#include "cli/worker_read.h"

#ifdef AFLAME_MISBEHAVE
#include "cli/misbehave.h"
#endif

enum { FILTER_FD = 3, FACTS_FD = 4 };

/* The words of the command line. */
enum { PARENT = 1, MEMORY, SECONDS, NAME, JOB, QUERY };

enum { FILTER, LANDLOCK, LIMITS, GUARDS };
static const char *const guard_names[GUARDS] = {"the filter of system calls (seccomp)", "Landlock",
                                                "limits of memory and time"};

/* Address space under a sanitizer is its shadow, not memory in use. */
#ifdef AFLAME_SANITIZED
#define LIMITS_ADDRESSES 0
#else
#define LIMITS_ADDRESSES 1
#endif

static gboolean set_limit(int which, uint64_t value)
{
    const struct rlimit limit = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(which, &limit) == 0;
}

/* Restricts this process to bytes of address space and seconds of CPU time, and to the life of its
 * parent, which may have died before; `has` = the guards that the system grants. The filter comes
 * last: it forbids the calls that set up the others. */
static void restrict_process(int64_t parent, uint64_t memory, uint64_t seconds,
                             gboolean has[GUARDS])
{
    af_system_die_with_parent();
    if (getppid() != parent) {
        _exit(0);
    }
    has[LIMITS] = set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_CPU, seconds) &&
                  (!LIMITS_ADDRESSES || set_limit(RLIMIT_AS, memory));
    has[LANDLOCK] = af_system_forbid_paths();
    has[FILTER] = af_system_filter_calls(FILTER_FD);
}

static af_exit print_refused(const gboolean has[GUARDS])
{
    g_autoptr(GString) lines = g_string_new(NULL);
    for (unsigned i = 0; i < GUARDS; i++) {
        g_string_append_printf(lines, "%s%s", has[i] ? "" : guard_names[i], has[i] ? "" : "\n");
    }
    return af_output_print(lines->str);
}

static void refuse_option(const af_verb *verb, const char *name)
{
    const char *nearest = af_option_nearest(verb->bit, AF_IN_QUERY, name);
    const gboolean known = af_option_lookup(verb->bit, name, strlen(name)) != NULL;
    af_message_print(NULL, "%s is %s%s%s%s", name,
                     known ? "an option that is not allowed in a query"
                           : "not an option of this picture or table",
                     nearest != NULL && !known ? "; did you mean " : "",
                     nearest != NULL && !known ? nearest : "",
                     nearest != NULL && !known ? "?" : "");
}

/* Adds an option from NAME=VALUE; a flag is on unless its value is "false" or "0". */
static gboolean add_query(const af_verb *verb, const char *pair, GPtrArray *words)
{
    const size_t length = strcspn(pair, "=");
    g_autofree char *name = g_strndup(pair, length);
    const char *value = pair[length] == '=' ? pair + length + 1 : "";
    const af_option *option = af_option_lookup(verb->bit, name, length);
    const gboolean known = option != NULL && (option->allowed & AF_IN_QUERY) != 0;
    const gboolean ok = known && strcmp(pair, "view=callgraph") != 0;
    if (!known) {
        refuse_option(verb, name);
    } else if (!ok) { /* a worker opens no file */
        af_message_print(NULL, "view=callgraph needs a module, which a server does not load; "
                               "convert the trace to dot, or use aflame render");
    } else if (option->value != NULL) {
        g_ptr_array_add(words, g_strdup_printf("--%s=%s", name, value));
    } else if (strcmp(value, "false") != 0 && strcmp(value, "0") != 0) {
        g_ptr_array_add(words, g_strdup_printf("--%s", name));
    }
    return ok;
}

static af_exit run_verb(const af_verb *verb, const char *name, char **queries, char **fixed)
{
    gboolean ok = TRUE;
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(words, g_strdup(verb->name));
    g_ptr_array_add(words, g_strdup("--no-config"));
    for (char **it = queries; ok && *it != NULL && it < fixed; it++) {
        ok = add_query(verb, *it, words);
    }
    for (char **it = fixed + 1; ok && *it != NULL; it++) {
        g_ptr_array_add(words, g_strdup(*it));
    }
    const guint n = words->len;
    g_ptr_array_add(words, NULL);
    return ok ? af_verb_run(verb, (int)n, (char **)words->pdata, FALSE, name) : AF_EXIT_USAGE;
}

/* The "--" between queries and arguments; NULL = none. */
static char **find_fixed(char **words)
{
    while (*words != NULL && strcmp(*words, "--") != 0) {
        words++;
    }
    return *words == NULL ? NULL : words;
}

static af_exit refuse_use(void)
{
    af_message_print(NULL, "aflame serve starts the worker; do not start it yourself");
    return AF_EXIT_USAGE;
}

af_exit af_worker_run(int argc, char **argv)
{
    char **fixed = argc > QUERY ? find_fixed(argv + QUERY) : NULL;
    if (fixed == NULL) {
        return refuse_use();
    }
    const int64_t parent = g_ascii_strtoll(argv[PARENT], NULL, 10);
    const uint64_t memory = g_ascii_strtoull(argv[MEMORY], NULL, 10);
    const uint64_t seconds = g_ascii_strtoull(argv[SECONDS], NULL, 10);
    gboolean has[GUARDS];
    if (parent <= 0 || memory == 0 || seconds == 0) {
        return refuse_use();
    }
    restrict_process(parent, memory, seconds, has);
    if (strcmp(argv[JOB], "probe") == 0) {
        return print_refused(has);
    }
#ifdef AFLAME_MISBEHAVE
    misbehave(argv[NAME]);
#endif
    if (strcmp(argv[JOB], "read") == 0) {
        const unsigned jobs = fixed[1] == NULL ? 1 : (unsigned)strtoul(fixed[1], NULL, 10);
        return af_worker_read(argv[NAME], jobs, memory / 2, FACTS_FD);
    }
    const af_verb *verb = af_verb_lookup(argv[JOB]);
    return verb == NULL ? refuse_use() : run_verb(verb, argv[NAME], argv + QUERY, fixed);
}
