#include "mapping/line.h"

static gboolean is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static af_span trim(const char *begin, const char *end)
{
    while (begin < end && is_blank(*begin)) {
        begin++;
    }
    while (end > begin && is_blank(end[-1])) {
        end--;
    }
    return (af_span){begin, (size_t)(end - begin)};
}

static gboolean is_word(af_span text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (is_blank(text.bytes[i])) {
            return FALSE;
        }
    }
    return text.length > 0;
}

/* The position of the text, NULL if absent. */
static const char *find(const char *begin, const char *end, const char *text)
{
    return memmem(begin, (size_t)(end - begin), text, strlen(text));
}

/* Splits at the first arrow; names may contain "->", so an arrow between blanks has precedence. */
static gboolean cut_arrow(const char *begin, const char *end, af_span *left, af_span *right)
{
    const char *arrow = find(begin, end, " -> ");
    arrow = arrow != NULL ? arrow + 1 : find(begin, end, "->");
    if (arrow == NULL) {
        return FALSE;
    }
    *left = trim(begin, arrow);
    *right = trim(arrow + 2, end);
    return TRUE;
}

static af_line_kind parse_class(const char *begin, const char *end, af_line *line)
{
    if (end == begin || end[-1] != ':' ||
        !cut_arrow(begin, end - 1, &line->name, &line->obfuscated) || !is_word(line->name) ||
        !is_word(line->obfuscated)) {
        return AF_LINE_BROKEN;
    }
    return AF_LINE_CLASS;
}

/* Takes a number and a colon at *at. Clamps numbers that do not fit. */
static gboolean take_number(const char **at, const char *end, uint64_t *number)
{
    const char *p = *at;
    uint64_t value = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        const unsigned digit = (unsigned)(*p - '0');
        value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
    }
    if (p == *at || p == end || *p != ':') {
        return FALSE;
    }
    *at = p + 1;
    *number = value;
    return TRUE;
}

/* Splits "pkg.Class.name" at the last dot, if any. */
static gboolean cut_owner(af_span qualified, af_line *line)
{
    const char *dot = memrchr(qualified.bytes, '.', qualified.length);
    line->name = qualified;
    if (dot != NULL) {
        const size_t length = (size_t)(dot - qualified.bytes);
        line->owner = (af_span){qualified.bytes, length};
        line->name = (af_span){dot + 1, qualified.length - length - 1};
    }
    return is_word(qualified) && line->name.length > 0 && (dot == NULL || line->owner.length > 0);
}

/* Source lines (numbers and colons) may follow between the parenthesis and the arrow. */
static gboolean parse_method(const char *at, const char *open, const char *end, af_line *line)
{
    const char *close = memchr(open, ')', (size_t)(end - open));
    af_span lines;
    if (close == NULL || !cut_owner(trim(at, open), line) ||
        !cut_arrow(close + 1, end, &lines, &line->obfuscated)) {
        return FALSE;
    }
    unsigned colons = 0;
    for (size_t i = 0; i < lines.length; i++) {
        const char c = lines.bytes[i];
        colons += c == ':';
        if (!g_ascii_isdigit(c) && c != ':' && !is_blank(c)) {
            return FALSE;
        }
    }
    line->spanned = colons > 1;
    line->arguments = trim(open + 1, close);
    return is_word(line->obfuscated);
}

static af_line_kind parse_member(const char *at, const char *end, af_line *line)
{
    line->ranged = take_number(&at, end, &line->from);
    if (!line->ranged || !take_number(&at, end, &line->to)) {
        line->to = line->from;
    }
    if (line->to == 0) {
        line->to = line->from;
    }
    if (line->from > line->to) {
        const uint64_t from = line->to;
        line->to = line->from;
        line->from = from;
    }
    const char *type = trim(at, end).bytes;
    at = type;
    while (at < end && !is_blank(*at)) {
        at++;
    }
    line->type = (af_span){type, (size_t)(at - type)};
    const char *open = memchr(at, '(', (size_t)(end - at));
    if (open != NULL) {
        return line->type.length > 0 && parse_method(at, open, end, line) ? AF_LINE_METHOD
                                                                          : AF_LINE_BROKEN;
    }
    return line->type.length > 0 && cut_arrow(at, end, &line->name, &line->obfuscated) &&
                   cut_owner(line->name, line) && is_word(line->obfuscated)
               ? AF_LINE_FIELD
               : AF_LINE_BROKEN;
}

af_line_kind af_line_parse(const char *bytes, size_t length, af_line *line)
{
    memset(line, 0, sizeof *line);
    const af_span all = trim(bytes, bytes + length);
    const char *end = all.bytes + all.length;
    if (all.length == 0) {
        return AF_LINE_BLANK;
    }
    if (memchr(all.bytes, '\0', all.length) != NULL) {
        return AF_LINE_BROKEN;
    }
    if (all.bytes[0] == '#') {
        line->remark = trim(all.bytes + 1, end);
        return AF_LINE_REMARK;
    }
    return all.bytes == bytes ? parse_class(all.bytes, end, line)
                              : parse_member(all.bytes, end, line);
}
