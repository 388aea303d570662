#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cli/message.h"

#define QUIET_US   (G_USEC_PER_SEC / 2)
#define REFRESH_US (G_USEC_PER_SEC / 10)

gboolean af_progress_begin(af_progress *progress, const char *doing, const char *name,
                           gboolean quiet)
{
    const char *terminal = g_getenv("TERM");
    memset(progress, 0, sizeof *progress);
    progress->doing = doing;
    progress->name = name;
    progress->begun_us = g_get_monotonic_time();
    progress->wanted = !quiet && isatty(2) && g_getenv("CI") == NULL && terminal != NULL &&
                       strcmp(terminal, "dumb") != 0;
    return progress->wanted;
}

void af_progress_show(void *user, uint64_t done, uint64_t total)
{
    af_progress *progress = user;
    int64_t now_us = g_get_monotonic_time();
    if (now_us - progress->begun_us < QUIET_US || now_us - progress->shown_us < REFRESH_US) {
        return;
    }
    progress->shown = TRUE;
    progress->shown_us = now_us;
    g_autofree char *name = af_message_escape(progress->name);
    if (total > 0) {
        fprintf(stderr, "\r\033[K%s %s: %u %%", progress->doing, name,
                (unsigned)(done * 100.0 / total));
    } else {
        fprintf(stderr, "\r\033[K%s %s: %u MB", progress->doing, name, (unsigned)(done >> 20));
    }
}

void af_progress_end(af_progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        progress->shown = FALSE;
    }
}
