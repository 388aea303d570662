#include "read/anr/anr.h"

#include <string.h>

/* Larger numbers do not occur. */
static gboolean take_number(af_span *text, uint64_t *number)
{
    return af_span_take_number(text, 18, number);
}

/* "2026-03-01 10:11:12.123456789+0100": the fraction and the zone are optional; without a zone the
 * date is not known. */
static void parse_date(af_span text, af_anr_line *line)
{
    static const char *const between[] = {"-", "-", " ", ":", ":", ""};
    uint64_t part[6], fraction = 0, hours;
    int sign = 0;
    for (unsigned i = 0; i < 6; i++) {
        if (!take_number(&text, &part[i]) || part[i] > 9999 || !af_span_skip(&text, between[i])) {
            return;
        }
    }
    if (af_span_skip(&text, ".")) {
        take_number(&text, &fraction);
    }
    sign = af_span_skip(&text, "+") ? 1 : af_span_skip(&text, "-") ? -1 : 0;
    if (sign == 0 || !take_number(&text, &hours) || hours > 9999) {
        return;
    }
    GDateTime *date = g_date_time_new_utc((int)part[0], (int)part[1], (int)part[2], (int)part[3],
                                          (int)part[4], (double)part[5]);
    if (date != NULL) {
        const int64_t minutes = (int64_t)(hours / 100 * 60 + hours % 100);
        line->has_date = TRUE;
        line->date_us = (g_date_time_to_unix(date) - sign * minutes * 60) * 1000000;
        g_date_time_unref(date);
    }
}

static gboolean parse_border(af_span text, af_anr_line *line)
{
    if (!af_span_skip(&text, "----- ")) {
        return FALSE;
    }
    if (af_span_skip(&text, "end ")) {
        line->kind = AF_ANR_END;
        return take_number(&text, &line->number);
    }
    if (!af_span_skip(&text, "pid ") || !take_number(&text, &line->number) ||
        !af_span_skip(&text, " at ")) {
        return FALSE;
    }
    line->kind = AF_ANR_BEGIN;
    parse_date(text, line);
    return TRUE;
}

/* The name may hold quotes: it ends at the last one before the state. */
static gboolean parse_thread(af_span text, af_anr_line *line)
{
    af_span rest;
    if (!af_span_skip(&text, "\"")) {
        return FALSE;
    }
    const af_span head = af_span_before(af_span_before(text, " prio="), " sysTid=");
    const char *quote = head.length == 0 ? NULL : memrchr(head.bytes, '"', head.length);
    if (quote == NULL || head.length == text.length) {
        return FALSE;
    }
    line->kind = AF_ANR_THREAD;
    line->text = (af_span){text.bytes, (size_t)(quote - text.bytes)};
    line->extra = (af_span){NULL, 0};
    if (af_span_find_after(text, " tid=", &rest) && take_number(&rest, &line->number)) {
        rest = af_span_trim(rest);
        line->extra = af_span_before(rest, " (");
    }
    return TRUE;
}

/* "#00 pc 0009f0d8  /lib64/libc.so (__epoll_pwait+8) (BuildId: ab)" */
static void parse_native(af_span text, af_anr_line *line)
{
    af_span rest;
    line->kind = AF_ANR_FRAME;
    line->is_native = TRUE;
    line->text = text;
    if (!af_span_skip(&text, "#") || !af_span_find_after(text, " pc ", &rest)) {
        return;
    }
    rest = af_span_trim(rest);
    const af_span address = af_span_before(rest, " ");
    af_span path = {address.bytes + address.length, rest.length - address.length};
    path = af_span_trim(path);
    line->text = address;
    line->extra = af_span_before(path, " (");
    if (af_span_find_after(path, " (", &rest) && !af_span_skip(&rest, "BuildId")) {
        const char *end = rest.length == 0 ? NULL : memchr(rest.bytes, ')', rest.length);
        af_span symbol = end == NULL ? rest : (af_span){rest.bytes, (size_t)(end - rest.bytes)};
        const char *plus = symbol.length == 0 ? NULL : memrchr(symbol.bytes, '+', symbol.length);
        symbol.length = plus == NULL ? symbol.length : (size_t)(plus - symbol.bytes);
        line->text = symbol.length > 0 ? symbol : line->text;
    }
}

/* "waiting to lock <0x0c1d2e3f> (a java.lang.Object) held by thread 23" */
static gboolean parse_lock(af_span text, af_anr_line *line)
{
    static const char *const kinds[] = {"waiting to lock ", "waiting on ", "sleeping on "};
    af_span rest;
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (af_span_skip(&text, kinds[i])) {
            line->kind = AF_ANR_WAIT;
            line->extra = (af_span){kinds[i], strlen(kinds[i]) - 1};
            line->text = af_span_of("an unknown lock");
            if (af_span_find_after(text, "(a ", &rest)) {
                line->text = af_span_before(rest, ")");
            }
            if (af_span_find_after(text, " held by thread ", &rest)) {
                take_number(&rest, &line->number);
            }
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean parse_frame(af_span text, af_anr_line *line)
{
    if (af_span_skip(&text, "at ")) {
        line->kind = AF_ANR_FRAME;
        line->text = af_span_before(text, "(");
        return line->text.length > 0;
    }
    if (af_span_skip(&text, "- ")) {
        return parse_lock(text, line);
    }
    if (af_span_skip(&text, "kernel: ")) {
        if (*text.bytes == '(') {
            return FALSE;
        }
        parse_native(text, line);
        line->text = af_span_before(line->text, "+0x");
        line->extra = af_span_of("[kernel.kallsyms]");
        return TRUE;
    }
    if (af_span_skip(&text, "native: ") || (text.length > 1 && *text.bytes == '#')) {
        parse_native(text, line);
        return line->text.length > 0;
    }
    return FALSE;
}

void af_anr_parse(const char *bytes, size_t length, af_anr_line *line)
{
    static const char *const heads[] = {"Cmd line: ", "Cmdline: ", "Build fingerprint: "};
    af_span text = {bytes, length};
    *line = (af_anr_line){.kind = AF_ANR_OTHER};
    text = af_span_trim(text);
    if (text.length == 0) {
        return;
    }
    af_anr_line found = *line;
    if (parse_border(text, &found) || parse_thread(text, &found) || parse_frame(text, &found)) {
        *line = found;
        return;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(heads); i++) {
        if (af_span_skip(&text, heads[i])) {
            line->kind = i < 2 ? AF_ANR_COMMAND : AF_ANR_BUILD;
            line->text = text;
            return;
        }
    }
}
