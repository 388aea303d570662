/* The aflame command: finds the verb and runs it. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <glib.h>
#include "api/autoptr.h"
#include "api/command.h"
#include "cli/complete.h"
#include "cli/drawing.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/outputs.h"
#include "cli/verbs.h"
#include "cli/worker.h"

static gboolean write_target(void *user, af_target *target, af_write_func write, void *to,
                             GError **error)
{
    const af_profile *profile = user;
    af_picture_options picture = AF_PICTURE_OPTIONS_INIT;
    picture.view = AF_VIEW_THUMBNAIL;
    picture.no_profile = TRUE;
    picture.width_px = 256; /* a larger or smaller picture shows the same */
    picture.scale_percent = 100;
    return af_picture_write(profile, target->format, &picture, write, to, NULL, error);
}

/* The words are a trace and the PNG to write, which is 256 pixels wide. */
static af_exit draw_thumbnail(int n_words, char **words)
{
    if (n_words != 2) {
        af_message_print(NULL, "needs a trace and a PNG: aflame thumbnail TRACE PNG");
        return AF_EXIT_USAGE;
    }
    const char *paths[] = {words[1], NULL};
    g_autoptr(GPtrArray) targets = af_targets_choose(&af_drawing_formats, paths, "png");
    if (targets == NULL) {
        return AF_EXIT_USAGE;
    }
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.only_sums = TRUE;
    GError *error = NULL;
    g_autoptr(af_profile) profile = af_profile_open(words[0], &options, &error);
    af_exit status;
    if (profile != NULL) {
        status = af_targets_write(targets, words[0], write_target, profile);
    } else {
        status = af_message_fail(words[0], error);
    }
    return status;
}

/* Without memory, so neither printf() nor the messages of the command. */
static G_GNUC_NORETURN void end(const char *message)
{
    (void)!write(STDERR_FILENO, message, strlen(message));
    af_outputs_discard();
    _exit(AF_EXIT_DAMAGED);
}

/* Failures that end the process become a message and an exit status: the system refuses GLib a
 * small allocation or a thread. */
static void take_message(const char *domain, GLogLevelFlags level, const char *message, void *user)
{
    if ((level & G_LOG_LEVEL_ERROR) != 0 && message != NULL) {
        if (strstr(message, "failed to allocate") != NULL) {
            end("aflame: not enough memory\n");
        }
        if (strstr(message, "creating thread") != NULL) {
            end("aflame: cannot start a thread, which --system-fonts needs; leave out "
                "--system-fonts\n");
        }
    }
    g_log_default_handler(domain, level, message, user);
}

static gboolean is_among(int argc, char **argv, const char *brief, const char *full)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], brief) == 0 || strcmp(argv[i], full) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

static af_exit print_version(gboolean verbose)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "aflame %s\n", af_version());
    /* some of the libraries are loaded for this */
    const char *const *versions = verbose ? af_library_versions() : NULL;
    for (; versions != NULL && *versions != NULL; versions++) {
        g_string_append_printf(text, "%s\n", *versions);
    }
    return af_output_print(text->str);
}

static af_exit refuse_verb(const char *typed)
{
    const char *nearest = af_verb_nearest(typed);
    if (nearest != NULL) {
        af_message_print(NULL, "\"%s\" is neither a verb nor a file; did you mean %s?", typed,
                         nearest);
    } else {
        af_message_print(NULL,
                         "\"%s\" is neither a verb nor a file; \"aflame --help\" lists the "
                         "verbs",
                         typed);
    }
    return AF_EXIT_USAGE;
}

/* "render" of "aflame-render"; "libaflame" and "aflame" stay. */
static const char *find_topic(const char *page)
{
    static const char prefix[] = "aflame-";
    return g_str_has_prefix(page, prefix) ? page + strlen(prefix) : page;
}

static const af_manual_page *find_page(const char *topic)
{
    for (const af_manual_page *page = af_manual_pages; page->name != NULL; page++) {
        if (strcmp(page->name, topic) == 0 || strcmp(find_topic(page->name), topic) == 0) {
            return page;
        }
    }
    return NULL;
}

static af_exit refuse_topic(const char *typed)
{
    g_autoptr(GPtrArray) topics = g_ptr_array_new();
    for (const af_manual_page *page = af_manual_pages; page->name != NULL; page++) {
        g_ptr_array_add(topics, (gpointer)find_topic(page->name));
    }
    g_ptr_array_add(topics, NULL);
    g_autofree char *list = g_strjoinv(", ", (char **)topics->pdata);
    const char *nearest = af_word_nearest(typed, (const char *const *)(void *)topics->pdata);
    if (nearest != NULL) {
        af_message_print(NULL, "no manual page about \"%s\"; did you mean %s?", typed, nearest);
    } else {
        af_message_print(NULL, "no manual page about \"%s\"; choose one of %s", typed, list);
    }
    return AF_EXIT_USAGE;
}

/* The command that shows pages: $PAGER, or less. NULL = none is needed or installed. */
static const char *find_pager(void)
{
    const char *pager = g_getenv("PAGER"), *terminal = g_getenv("TERM");
    if (!isatty(1) || terminal == NULL || strcmp(terminal, "dumb") == 0) {
        return NULL;
    }
    if (pager != NULL && pager[0] != '\0') {
        return pager;
    }
    g_autofree char *less = g_find_program_in_path("less");
    return less != NULL ? "less" : NULL;
}

/* FALSE if the shell does not find the command. A reader may leave before the end. */
static gboolean show_in_pager(const char *pager, const char *text)
{
    g_setenv("LESS", "FRX", FALSE);
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN);
    FILE *pipe = popen(pager, "we"); /* NOLINT(cert-env33-c): PAGER is a command of the shell */
    if (pipe == NULL) {
        return FALSE;
    }
    fputs(text, pipe);
    g_autoptr(GError) error = NULL;
    g_spawn_check_wait_status(pclose(pipe), &error);
    return error == NULL || error->domain != G_SPAWN_EXIT_ERROR ||
           (error->code != 126 && error->code != 127);
}

static af_exit print_page(const char *topic)
{
    const af_manual_page *page = find_page(topic);
    if (page == NULL) {
        return refuse_topic(topic);
    }
    const char *text = g_get_charset(NULL) ? page->utf8 : page->ascii, *pager = find_pager();
    return pager != NULL && show_in_pager(pager, text) ? AF_EXIT_DONE : af_output_print(text);
}

/* Whether the word looks like a file name, even if no such file exists. */
static gboolean looks_like_path(const char *word)
{
    return strpbrk(word, "/.") != NULL || access(word, F_OK) == 0;
}

static af_exit run(int argc, char **argv)
{
    if (argc < 2) {
        af_message_print(NULL, "name a verb or a trace; \"aflame --help\" lists the verbs");
        return AF_EXIT_USAGE;
    }
    const char *first = argv[1];
    const af_verb *verb = af_verb_lookup(first);
    if (verb != NULL) {
        return af_verb_run(verb, argc - 1, argv + 1, FALSE, NULL);
    }
    if (strcmp(first, "complete") == 0) {
        return af_complete(argc - 2, argv + 2);
    }
    if (strcmp(first, "thumbnail") == 0) {
        return draw_thumbnail(argc - 2, argv + 2);
    }
    if (strcmp(first, "worker") == 0) {
        return af_worker_run(argc - 1, argv + 1);
    }
    if (strcmp(first, "help") == 0) {
        return argc > 2 && argv[2][0] != '-'
                   ? print_page(argv[2])
                   : af_help_print_verbs(is_among(argc, argv, "--all", "--all"));
    }
    if (is_among(argc, argv, "-V", "--version")) {
        return print_version(is_among(argc, argv, "-v", "--verbose"));
    }
    if (strcmp(first, "-h") == 0 || strcmp(first, "--help") == 0) {
        return af_help_print_verbs(is_among(argc, argv, "--all", "--all"));
    }
    if (first[0] == '-' || looks_like_path(first)) {
        return af_verb_run(&af_verb_render, argc, argv, TRUE, NULL);
    }
    return refuse_verb(first);
}

/* If a standard descriptor is closed at the start, the first open() would get its number, and
 * messages would go into that file. Opened this way, reading and writing it fails instead. */
static void occupy_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1) {
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
        }
    }
}

int main(int argc, char **argv)
{
    af_system_tune_malloc();
    occupy_descriptors();
    setlocale(LC_CTYPE, "");
    g_set_prgname("aflame");
    af_outputs_watch_signals();
    g_log_set_default_handler(take_message, NULL);
    af_exit status = run(argc, argv);
    const gboolean failed = ferror(stdout) != 0; /* before fclose() flushes the buffer */
    if ((fclose(stdout) != 0 || failed) && status == AF_EXIT_DONE) {
        af_message_print("standard output", "cannot write");
        status = AF_EXIT_OUTPUT;
    }
    return (int)status;
}
