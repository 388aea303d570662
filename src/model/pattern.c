#include "model/pattern.h"

#include <string.h>
#include <aflame/error.h>

/* The step limit of PCRE. No sensible expression needs more steps for one label; without a limit, a
 * short one can keep a machine busy for years. */
#define STEPS_MAX "(*LIMIT_MATCH=200000)"

typedef enum { PLAIN, EXACT, EXPRESSION, GLOB } pattern_kind;

struct af_pattern {
    char *text; /* as typed */
    char *word; /* without "!", "=" and slashes */
    pattern_kind kind;
    gboolean negated;
    char *folded;  /* PLAIN: the case-folded word; NULL = it is ASCII */
    char **pieces; /* PLAIN, EXACT: of a shortened name, between its ellipses, case-folded */
    size_t length; /* of word */
    size_t head;   /* GLOB: bytes before the first star */
    GRegex *regex; /* EXPRESSION */
};

/* Returns PCRE's message without GLib's sentence around it. */
static const char *cut_reason(const GError *error)
{
    const char *colon = g_strrstr(error->message, ": ");
    return colon != NULL ? colon + 2 : error->message;
}

static GRegex *compile_limited(const char *expression, gboolean any_case, GError **error)
{
    const GRegexCompileFlags flags = any_case ? G_REGEX_CASELESS : (GRegexCompileFlags)0;
    g_autofree char *limited = g_strconcat(STEPS_MAX, expression, NULL);
    GError *reason = NULL;
    GRegex *regex = g_regex_new(limited, flags, 0, &reason);
    if (regex == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "/%s/ is not a valid regular expression: %s",
                    expression, cut_reason(reason));
        g_error_free(reason);
    }
    return regex;
}

/* `text` starts with a slash. */
static gboolean read_expression(af_pattern *pattern, const char *text, GError **error)
{
    size_t length = strlen(text);
    const gboolean any_case = length > 2 && g_str_has_suffix(text, "/i");
    length -= any_case ? 1 : 0;
    if (length < 2 || text[length - 1] != '/') {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "\"%s\" begins as a regular expression but does not end with / or /i", text);
        return FALSE;
    }
    if (length == 2) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "the regular expression \"%s\" is empty",
                    text);
        return FALSE;
    }
    pattern->kind = EXPRESSION;
    pattern->word = g_strndup(text + 1, length - 2);
    pattern->regex = compile_limited(pattern->word, any_case, error);
    return pattern->regex != NULL;
}

#define ELLIPSIS "\u2026"

/* Tables and pictures show "dalvik…VMDebug.start": the pieces of such a name. An ellipsis before a
 * blank begins the name of folded frames. */
static char **split_shortened(const char *text)
{
    const gboolean is_fold = g_str_has_prefix(text, ELLIPSIS " ");
    if (is_fold || strstr(text, ELLIPSIS) == NULL || strcmp(text, ELLIPSIS) == 0) {
        return NULL;
    }
    g_autofree char *folded = g_utf8_casefold(text, -1);
    return g_strsplit(folded, ELLIPSIS, -1);
}

/* `text` follows the "!". */
static gboolean read_text(af_pattern *pattern, const char *text, GError **error)
{
    if (text[0] == '/') {
        return read_expression(pattern, text, error);
    }
    if (text[0] == '=') {
        pattern->kind = EXACT;
        text++;
    } else if (strchr(text, '*') != NULL) {
        pattern->kind = GLOB;
        pattern->head = strcspn(text, "*");
    }
    if (text[0] == '\0') {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "the pattern \"%s\" is empty", pattern->text);
        return FALSE;
    }
    pattern->word = g_strdup(text);
    pattern->length = strlen(text);
    if (pattern->kind == PLAIN && !g_str_is_ascii(text)) {
        pattern->folded = g_utf8_casefold(text, -1);
    }
    pattern->pieces = pattern->kind != GLOB ? split_shortened(text) : NULL;
    return TRUE;
}

af_pattern *af_pattern_new(const char *text, GError **error)
{
    if (!g_utf8_validate(text, -1, NULL)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, "the pattern is not UTF-8");
        return NULL;
    }
    af_pattern *pattern = g_new0(af_pattern, 1);
    pattern->text = g_strdup(text);
    pattern->negated = text[0] == '!';
    if (!read_text(pattern, text + pattern->negated, error)) {
        af_pattern_free(pattern);
        return NULL;
    }
    return pattern;
}

void af_pattern_free(af_pattern *pattern)
{
    if (pattern == NULL) {
        return;
    }
    if (pattern->regex != NULL) {
        g_regex_unref(pattern->regex);
    }
    g_strfreev(pattern->pieces);
    g_free(pattern->folded);
    g_free(pattern->word);
    g_free(pattern->text);
    g_free(pattern);
}

/* An ASCII pattern needs no folding: no other letters fold to ASCII except the Kelvin sign and the
 * long s, which are irrelevant here. */
static gboolean contains_ascii(const char *label, const char *word, size_t length)
{
    const char both[] = {g_ascii_tolower(word[0]), g_ascii_toupper(word[0]), '\0'};
    while ((label = strpbrk(label, both)) != NULL) {
        if (g_ascii_strncasecmp(label, word, length) == 0) {
            return TRUE;
        }
        label++;
    }
    return FALSE;
}

static gboolean contains_folded(const char *label, const char *folded_word)
{
    g_autofree char *folded = g_utf8_casefold(label, -1);
    return strstr(folded, folded_word) != NULL;
}

static gboolean contains_pieces(const char *label, char *const *pieces)
{
    g_autofree char *folded = g_utf8_casefold(label, -1);
    const char *rest = folded;
    for (; *pieces != NULL && rest != NULL; pieces++) {
        rest = strstr(rest, *pieces);
        rest = rest != NULL ? rest + strlen(*pieces) : NULL;
    }
    return rest != NULL;
}

/* Skips the stars at `*at`. Returns their number. */
static unsigned skip_stars(const char **at)
{
    const char *begin = *at;
    *at += strspn(*at, "*");
    return (unsigned)(*at - begin);
}

/* Marks in `reached` the positions in the glob that a match at `at` implies: a run of stars may be
 * empty. */
static void set_reached(const char *glob, size_t at, guint8 *reached)
{
    const char *next = glob + at;
    reached[at] = 1;
    if (skip_stars(&next) > 0) {
        reached[next - glob] = 1;
    }
}

/* Tracks all positions in parallel, so the time is at most length times length; `glob` starts with
 * its first star. Only the first star of a run is a position. */
static gboolean fits_glob(const char *glob, const char *rest)
{
    const size_t length = strlen(glob);
    g_autofree guint8 *positions = g_malloc0((length + 1) * 2);
    guint8 *now = positions, *then = positions + length + 1;
    set_reached(glob, 0, now);
    for (; *rest != '\0'; rest++) {
        memset(then, 0, length + 1);
        for (size_t at = 0; at < length; at++) {
            if (now[at] != 0 && glob[at] != '*' && glob[at] == *rest) {
                set_reached(glob, at + 1, then);
            } else if (now[at] != 0 && glob[at] == '*' && (glob[at + 1] == '*' || *rest != '.')) {
                set_reached(glob, at, then);
            }
        }
        guint8 *spare = now;
        now = then;
        then = spare;
    }
    return now[length] != 0;
}

static gboolean matches_text(const af_pattern *pattern, const char *label)
{
    if (pattern->pieces != NULL) {
        return contains_pieces(label, pattern->pieces);
    }
    switch (pattern->kind) {
    case EXACT:
        return strcmp(label, pattern->word) == 0;
    case EXPRESSION:
        return g_regex_match(pattern->regex, label, 0, NULL);
    case GLOB:
        return strncmp(label, pattern->word, pattern->head) == 0 &&
               fits_glob(pattern->word + pattern->head, label + pattern->head);
    case PLAIN:
        break;
    }
    return pattern->folded != NULL ? contains_folded(label, pattern->folded)
                                   : contains_ascii(label, pattern->word, pattern->length);
}

gboolean af_pattern_matches(const af_pattern *pattern, const char *label)
{
    return matches_text(pattern, label) != pattern->negated;
}

const char *af_pattern_text(const af_pattern *pattern)
{
    return pattern->text;
}

const char *af_pattern_word(const af_pattern *pattern)
{
    return pattern->kind == PLAIN || pattern->kind == EXACT ? pattern->word : NULL;
}
