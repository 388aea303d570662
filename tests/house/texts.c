/* Texts and functions that must not occur in the sources. */
#include "house.h"

#include <string.h>

typedef struct {
    const char *paths;  /* prefixes of paths; a list of words */
    const char *except; /* prefixes of paths */
    gboolean in_code;   /* comments and literals do not count */
    const char *pattern;
    const char *reason;
} ban;

static const ban bans[] = {
    {"src/ render/ include/", "src/cli/ src/serve/", TRUE,
     "(?<![A-Za-z0-9_])(printf|puts|putchar|fprintf|exit|abort|setlocale|getenv|g_print|g_printerr|"
     "g_error|g_warning|g_message|g_getenv|g_get_home_dir|rand|random|time|g_get_real_time)\\(",
     "the library does not print, end the program or read its surroundings"},
    {"src/ render/ include/ tests/", "tests/house/", FALSE,
     "\\bD[0-9]{1,2}\\b(?!\\$)(?!, R8)|\\b[Ss]ection [0-9]|\\bdesign: |\\bdesign\\.md|"
     "\\([1-9][0-9]?\\.[0-9]{1,2}(\\.[0-9]+)?\\)|\\b[Ii]ssue [0-9]|\\.\\./shared|language\\.md",
     "refers to a document outside the repository; state the rule itself"},
};

static gboolean begins_with_one(const char *list, const char *path)
{
    for (gsize length = strlen(path); length > 0; length--) {
        if (house_has_word(list, path, length)) {
            return TRUE;
        }
    }
    return FALSE;
}

static void check_ban(house *h, const ban *b, const GRegex *pattern, const source *s)
{
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(pattern, b->in_code ? s->code : s->text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        gint start;
        g_match_info_fetch_pos(match, 0, &start, NULL);
        g_autofree char *found = g_match_info_fetch(match, 0);
        house_complain(h, s, (gsize)start, "\"%s\": %s", found, b->reason);
    }
}

void check_texts(house *h)
{
    for (gsize i = 0; i < G_N_ELEMENTS(bans); i++) {
        g_autoptr(GRegex) pattern = g_regex_new(bans[i].pattern, G_REGEX_RAW, 0, NULL);
        for (guint k = 0; k < h->sources->len; k++) {
            const source *s = h->sources->pdata[k];
            if (begins_with_one(bans[i].paths, s->path) &&
                !begins_with_one(bans[i].except, s->path) &&
                (!bans[i].in_code || s->language == SOURCE_C)) {
                check_ban(h, &bans[i], pattern, s);
                h->checked++;
            }
        }
    }
}
