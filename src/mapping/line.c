#include "mapping/line.h"

static gboolean is_word(af_span text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (g_ascii_isspace(text.bytes[i])) {
            return FALSE;
        }
    }
    return text.length > 0;
}

/* Splits at the first arrow; names may contain "->", so an arrow between blanks has precedence. */
static gboolean cut_arrow(af_span text, af_span *left, af_span *right)
{
    const char *arrow = af_span_find(text, " -> ");
    arrow = arrow != NULL ? arrow + 1 : af_span_find(text, "->");
    if (arrow == NULL) {
        return FALSE;
    }
    const size_t n = (size_t)(arrow - text.bytes);
    *left = af_span_trim((af_span){text.bytes, n});
    *right = af_span_trim(af_span_after(text, n + 2));
    return TRUE;
}

static af_line_kind parse_class(af_span text, af_line *line)
{
    if (!af_span_ends(text, ":")) {
        return AF_LINE_BROKEN;
    }
    text.length--;
    return cut_arrow(text, &line->name, &line->obfuscated) && is_word(line->name) &&
                   is_word(line->obfuscated)
               ? AF_LINE_CLASS
               : AF_LINE_BROKEN;
}

/* Takes a number and a colon. Clamps numbers that do not fit. */
static gboolean take_number(af_span *text, uint64_t *number)
{
    uint64_t value = 0;
    size_t i = 0;
    for (; i < text->length && g_ascii_isdigit(text->bytes[i]); i++) {
        const unsigned digit = (unsigned)(text->bytes[i] - '0');
        value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
    }
    if (i == 0 || i == text->length || text->bytes[i] != ':') {
        return FALSE;
    }
    *text = af_span_after(*text, i + 1);
    *number = value;
    return TRUE;
}

/* Splits "pkg.Class.name" at the last dot, if any. */
static gboolean cut_owner(af_span qualified, af_line *line)
{
    const char *dot =
        qualified.length == 0 ? NULL : memrchr(qualified.bytes, '.', qualified.length);
    line->name = qualified;
    if (dot != NULL) {
        const size_t length = (size_t)(dot - qualified.bytes);
        line->owner = (af_span){qualified.bytes, length};
        line->name = af_span_after(qualified, length + 1);
    }
    return is_word(qualified) && line->name.length > 0 && (dot == NULL || line->owner.length > 0);
}

/* `text`: from the name on; the arguments begin at `open`. Source lines (numbers and colons) may
 * follow between the parenthesis and the arrow. */
static gboolean parse_method(af_span text, size_t open, af_line *line)
{
    const af_span inside = af_span_after(text, open + 1), arguments = af_span_before(inside, ")");
    af_span lines;
    if (arguments.length == inside.length ||
        !cut_owner(af_span_trim((af_span){text.bytes, open}), line) ||
        !cut_arrow(af_span_after(inside, arguments.length + 1), &lines, &line->obfuscated)) {
        return FALSE;
    }
    unsigned colons = 0;
    for (size_t i = 0; i < lines.length; i++) {
        const char c = lines.bytes[i];
        colons += c == ':';
        if (!g_ascii_isdigit(c) && c != ':' && !g_ascii_isspace(c)) {
            return FALSE;
        }
    }
    line->spanned = colons > 1;
    line->arguments = af_span_trim(arguments);
    return is_word(line->obfuscated);
}

static af_line_kind parse_member(af_span text, af_line *line)
{
    line->ranged = take_number(&text, &line->from);
    if (!line->ranged || !take_number(&text, &line->to) || line->to == 0) {
        line->to = line->from;
    }
    if (line->from > line->to) {
        const uint64_t from = line->to;
        line->to = line->from;
        line->from = from;
    }
    text = af_span_trim(text);
    size_t n = 0;
    while (n < text.length && !g_ascii_isspace(text.bytes[n])) {
        n++;
    }
    line->type = (af_span){text.bytes, n};
    text = af_span_after(text, n);
    const char *open = af_span_find(text, "(");
    if (n > 0 && open != NULL && parse_method(text, (size_t)(open - text.bytes), line)) {
        return AF_LINE_METHOD;
    }
    return n > 0 && open == NULL && cut_arrow(text, &line->name, &line->obfuscated) &&
                   cut_owner(line->name, line) && is_word(line->obfuscated)
               ? AF_LINE_FIELD
               : AF_LINE_BROKEN;
}

af_line_kind af_line_parse(const char *bytes, size_t length, af_line *line)
{
    memset(line, 0, sizeof *line);
    const af_span text = af_span_trim((af_span){bytes, length});
    if (text.length == 0) {
        return AF_LINE_BLANK;
    }
    if (memchr(text.bytes, '\0', text.length) != NULL) {
        return AF_LINE_BROKEN;
    }
    if (*text.bytes == '#') {
        line->remark = af_span_trim(af_span_after(text, 1));
        return AF_LINE_REMARK;
    }
    return text.bytes == bytes ? parse_class(text, line) : parse_member(text, line);
}
