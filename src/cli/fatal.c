#include "cli/fatal.h"

#include <string.h>
#include <unistd.h>

#include "cli/outputs.h"

/* Without memory, so neither printf() nor the messages of the command. */
static G_GNUC_NORETURN void end(const char *message)
{
    (void)!write(STDERR_FILENO, message, strlen(message));
    af_outputs_discard();
    _exit(AF_EXIT_DAMAGED);
}

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

void af_fatal_watch(void)
{
    g_log_set_default_handler(take_message, NULL);
}
