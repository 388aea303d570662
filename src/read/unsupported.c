/* Files that are often called .trace and are something else: told by their first bytes, refused
 * with a sentence that says what they are. */
#include "read/reader.h"

#include <string.h>

#include "base/bytes.h"

static gboolean begins(const af_source *source, const char *with, size_t length)
{
    return source->length >= length && memcmp(source->bytes, with, length) == 0;
}

#define BEGINS(source, literal) begins(source, literal, sizeof(literal) - 1)

/* Field 1, length-delimited, again and again: the packets of a Perfetto trace. */
static gboolean is_perfetto(const af_source *source)
{
    const uint8_t *at = source->bytes, *end = at + source->length;
    unsigned packets = 0;
    while (at < end && packets < 4) {
        uint64_t length;
        if (*at++ != 0x0A || !af_uleb128(&at, end, &length) || length == 0) {
            return FALSE;
        }
        if (length > (uint64_t)(end - at)) {
            break;
        }
        at += length;
        packets++;
    }
    return packets > 0;
}

/* Entry blocks of another kind than those of long-running methods, counted by records because their
 * size is never set; then the names. */
static gboolean is_all_methods(const af_source *source)
{
    const uint8_t *at = source->bytes, *end = at + source->length;
    unsigned blocks = 0, names = 0;
    while (at < end) {
        const size_t left = (size_t)(end - at), head = *at == 0 ? 7 : 11;
        if (*at == 2 && left >= 12 && names == 0) {
            const uint32_t n = af_load_u24(at + 5);
            int64_t step;
            at += 12;
            for (uint32_t i = 0; i < n; i++) {
                if (!af_sleb128(&at, end, &step)) {
                    return FALSE;
                }
            }
            blocks++;
        } else if (*at <= 1 && left >= head && left - head >= af_load_u16(at + head - 2)) {
            at += head + af_load_u16(at + head - 2);
            names++;
        } else {
            return FALSE;
        }
    }
    return blocks > 0 && names > 0;
}

static gboolean is_text(const af_source *source)
{
    const size_t n = MIN(source->length, 256);
    for (size_t i = 0; i < n; i++) {
        const uint8_t c = source->bytes[i];
        if (c == 0x7F || (c < 0x20 && c != '\n' && c != '\r' && c != '\t')) {
            return FALSE;
        }
    }
    return n > 0;
}

static gboolean is_json(const af_source *source)
{
    size_t i = 0;
    while (i < source->length && g_ascii_isspace(source->bytes[i])) {
        i++;
    }
    return i < source->length && (source->bytes[i] == '{' || source->bytes[i] == '[') &&
           is_text(source);
}

static const char *describe(const af_source *source)
{
    if (source->length == 0) {
        return "empty trace: tracing was not stopped, or the app died before it was (or the file "
               "was pulled too early)";
    }
    if (BEGINS(source, "SIMPLEPERF")) {
        return "this simpleperf recording ends within its header";
    }
    if (BEGINS(source, "2ELIFREP")) {
        return "this perf.data file is big-endian, from a machine of another kind than Android's; "
               "only little-endian ones are read";
    }
    if (BEGINS(source, "TRACE:\n") || BEGINS(source, "# tracer:")) {
        return "this is a systrace (atrace), not a method trace";
    }
    if (BEGINS(source, "<!DOCTYPE html") || BEGINS(source, "<!doctype html") ||
        BEGINS(source, "<html")) {
        return "this is an HTML page, perhaps a systrace report, not a method trace";
    }
    if (BEGINS(source, "PK\003\004")) {
        return "this is a zip archive; unpack it first";
    }
    if (is_all_methods(source)) {
        return "this is a low-overhead dump of all methods (Android 16): it has no times, only the "
               "order of calls, and cannot be drawn";
    }
    if (is_perfetto(source)) {
        return "this is a Perfetto trace, not a method trace";
    }
    if (is_json(source)) {
        return "this is JSON, but no list of trace events";
    }
    return is_text(source) ? "this is text, not a method trace" : "this is not a method trace";
}

void af_refuse(const af_source *source, GError **error)
{
    if (BEGINS(source, "SLOW") && source->length >= 6) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED, "unknown trace version %u",
                    af_load_u16(source->bytes + 4));
    } else if (BEGINS(source, "TMOL")) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                            "this is a low-overhead dump of an Android 16 preview (end of 2024); "
                            "its layout is not supported");
    } else {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_UNRECOGNISED, describe(source));
    }
}
