/* Words that no name may contain, because another word has their meaning: in identifiers of C,
 * JavaScript and the shell, and in file names. Each word of a name counts: `tap_target` contains
 * `tap`. */
#include "house.h"

#include <string.h>

/* A name with this many words is a sentence, as those of tests are: it may contain a participle. */
enum { SENTENCE = 4 };

typedef struct {
    const char *words; /* also with an s */
    const char *instead;
    gboolean in_sentences; /* applies to sentences too */
} retired;

static const retired retired_words[] = {
    {"util misc manager helper harvest", "the name of what it does", TRUE},
    {"lane", "track (chart) or chunk (file)", TRUE},
    {"stretch", "slice", TRUE},
    {"moment", "slice or sample", TRUE},
    {"note", "warning (input), message (stderr) or annotation (picture)", TRUE},
    {"place", "offset (file), owner (track) or index (array)", TRUE},
    {"room", "capacity (bytes) or width (pixels)", TRUE},
    {"guide", "the name of what it computes", TRUE},
    {"book regrow replay", "call list, call walk or call store", TRUE},
    {"tap", "call walk", TRUE},
    {"beside", "next or sibling", FALSE},
    {"charged", "moved", TRUE},
    {"charted", "a noun for what is computed", FALSE},
    {"told", "reported, or a noun", FALSE},
    {"lend lent lender", "borrowed: used but not owned", TRUE},
    {"kept seen usual", "a noun for what is computed", FALSE},
};

typedef struct {
    const char *path; /* as a prefix */
    const char *word;
    const char *reason;
} exception;

static const exception exceptions[] = {
    {"src/read/perf/", "misc", "a field of perf.data"},
    {"tests/unit/made_perf.", "misc", "a field of perf.data"},
    {"src/read/elf_library.c", "note", "a kind of section in ELF files"},
    {"src/serve/", "note", "what the uploader of a trace writes about it"},
    {"src/cli/options_serve.c", "note", "what the uploader of a trace writes about it"},
    {"tests/serve/", "note", "what the uploader of a trace writes about it"},
    {"tests/browser/", "tap", "a gesture, in playwright's API"},
};

static const retired *find_retired(const char *word, gsize length)
{
    for (gsize i = 0; i < G_N_ELEMENTS(retired_words); i++) {
        if (house_has_word(retired_words[i].words, word, length) ||
            (length > 1 && word[length - 1] == 's' &&
             house_has_word(retired_words[i].words, word, length - 1))) {
            return &retired_words[i];
        }
    }
    return NULL;
}

static gboolean is_excepted(const char *path, const char *word, gsize length)
{
    for (gsize i = 0; i < G_N_ELEMENTS(exceptions); i++) {
        if (g_str_has_prefix(path, exceptions[i].path) &&
            strncmp(word, exceptions[i].word, strlen(exceptions[i].word)) == 0 &&
            length - strlen(exceptions[i].word) <= 1) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Its words in lower case with a space after each: `tapTarget2` becomes "tap target ". */
static char *split_words(const char *name, gsize length)
{
    GString *words = g_string_new(NULL);
    for (gsize i = 0; i < length; i++) {
        const gboolean hump = i > 0 && g_ascii_isupper(name[i]) && !g_ascii_isupper(name[i - 1]);
        if ((hump || !g_ascii_isalpha(name[i])) && words->len > 0 &&
            words->str[words->len - 1] != ' ') {
            g_string_append_c(words, ' ');
        }
        if (g_ascii_isalpha(name[i])) {
            g_string_append_c(words, g_ascii_tolower(name[i]));
        }
    }
    g_string_append_c(words, ' ');
    return g_string_free(words, FALSE);
}

static unsigned count_words(const char *words)
{
    unsigned n = 0;
    for (; *words != '\0'; words++) {
        n += *words == ' ';
    }
    return n;
}

static void check_name(house *h, const source *s, gsize offset, const char *name, gsize length)
{
    g_autofree char *words = split_words(name, length);
    const gboolean sentence = count_words(words) > SENTENCE;
    h->checked++;
    for (const char *at = words, *end; (end = strchr(at, ' ')) != NULL; at = end + 1) {
        const retired *r = find_retired(at, (gsize)(end - at));
        if (r != NULL && (r->in_sentences || !sentence) &&
            !is_excepted(s->path, at, (gsize)(end - at))) {
            house_complain(h, s, offset, "%.*s: instead of \"%.*s\" write %s", (int)length, name,
                           (int)(end - at), at, r->instead);
        }
    }
}

static gsize skip_name(const char *code, gsize at)
{
    while (g_ascii_isalnum(code[at]) || code[at] == '_') {
        at++;
    }
    return at;
}

/* In the shell only variables and functions are names; commands are not. */
static gboolean is_shell_name(const char *code, gsize at, gsize end)
{
    const gboolean first = at == 0 || strchr(" \t\n;", code[at - 1]) != NULL;
    return (first && (code[end] == '=' || strncmp(code + end, "()", 2) == 0)) ||
           (at > 0 && (code[at - 1] == '$' || (at > 1 && strncmp(code + at - 2, "${", 2) == 0)));
}

/* Each name once. */
static void check_names(house *h, const source *s)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (gsize at = 0, end; s->code[at] != '\0'; at = end) {
        end = skip_name(s->code, at);
        if (end == at) {
            end = at + 1;
        } else if (s->language != SOURCE_SHELL || is_shell_name(s->code, at, end)) {
            if (g_hash_table_add(known, g_strndup(s->code + at, end - at))) {
                check_name(h, s, at, s->code + at, end - at);
            }
        }
    }
}

void check_words(house *h)
{
    for (guint i = 0; i < h->sources->len; i++) {
        const source *s = h->sources->pdata[i];
        g_autofree char *file = g_path_get_basename(s->path);
        check_name(h, s, 0, file, strlen(file));
        if (s->language != SOURCE_OTHER) {
            check_names(h, s);
        }
    }
}
