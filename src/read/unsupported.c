/* Unsupported inputs: recognised by their first bytes and rejected with a message that names the
 * format and what to do with it. */
#include "read/reader.h"

#include <string.h>

#include "base/bytes.h"
#include "read/lines.h"
#include "read/logs.h"
#include "read/unwrap.h"

/* The part of an input that is searched for words. */
#define SEARCHED ((size_t)64 * 1024)

static gboolean has_at(const af_source *source, size_t offset, const char *bytes)
{
    const size_t n = strlen(bytes);
    return source->length >= offset + n && memcmp(source->bytes + offset, bytes, n) == 0;
}

static gboolean begins(const af_source *source, const char *with)
{
    return has_at(source, 0, with);
}

static gboolean contains(const af_source *source, const char *word)
{
    return memmem(source->bytes, MIN(source->length, SEARCHED), word, strlen(word)) != NULL;
}

/* A Perfetto trace is a sequence of packets: field 1 with a length, repeated. */
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

/* A dump of all methods: entry blocks with a record count, because their size is never set, then
 * the names. */
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

static gboolean is_blank(const af_source *source)
{
    return af_lines_are_blank(source->bytes, MIN(source->length, SEARCHED));
}

/* Space that a file system gave to a file whose content it never stored. */
static gboolean is_zero(const af_source *source)
{
    const size_t n = MIN(source->length, SEARCHED);
    size_t zeros = 0;
    while (zeros < n && source->bytes[zeros] == 0) {
        zeros++;
    }
    return zeros == n && n >= 16;
}

static gboolean is_json(const af_source *source)
{
    const af_span text = af_span_trim((af_span){(const char *)source->bytes, source->length});
    const char first = (char)(text.length > 0 ? *text.bytes : '\0');
    const af_span rest = af_span_trim(af_span_after(text, text.length > 0));
    /* "[section]" starts a file of settings */
    const gboolean is_list =
        first == '[' && (rest.length == 0 || strchr("{[]\"-0123456789", *rest.bytes) != NULL);
    return is_text(source) && (is_list || first == '{');
}

/* What the runtime keeps about an app to compile it: a magic number that ends in a NUL, and a version
 * of three digits. */
static gboolean is_art_profile(const af_source *source)
{
    return source->length > 8 &&
           (memcmp(source->bytes, "pro", 4) == 0 || memcmp(source->bytes, "prm", 4) == 0) &&
           source->bytes[7] == 0 && g_ascii_isdigit(source->bytes[4]);
}

static gboolean is_page(const af_source *source)
{
    return af_carrier_detect(source->bytes, source->length) == AF_CARRIER_HTML;
}

/* Formats in which aflame draws. */
static gboolean is_picture(const af_source *source)
{
    return begins(source, "<svg") || begins(source, "%PDF") || begins(source, "\x89PNG") ||
           (begins(source, "<?xml") && contains(source, "<svg"));
}

static gboolean is_photo(const af_source *source)
{
    return begins(source, "GIF8") || begins(source, "\xFF\xD8\xFF") ||
           (begins(source, "RIFF") && has_at(source, 8, "WEBP"));
}

/* "a.b.Original -> x.y:" on the first line that is not a comment. */
static gboolean is_mapping(const af_source *source)
{
    af_span rest = {(const char *)source->bytes, MIN(source->length, SEARCHED)}, line;
    while (af_span_take_line(&rest, &line)) {
        if (line.length > 0 && *line.bytes != '#' && *line.bytes != '\r') {
            line.length -= af_span_ends(line, "\r");
            return line.length > 4 && af_span_ends(line, ":") &&
                   af_span_find(line, " -> ") != NULL && af_span_find(line, "(") == NULL;
        }
    }
    return FALSE;
}

/* ---- texts of Android and of users ---- */

/* Whether 60 % of the first lines of a text are of a kind. */
static gboolean are_lines(const af_source *source, gboolean (*is_one)(const char *, size_t))
{
    af_span rest = {(const char *)source->bytes, MIN(source->length, SEARCHED)}, line;
    unsigned lines = 0, found = 0;
    while (lines < 100 && af_span_take_line(&rest, &line)) {
        lines += line.length > 1;
        found += line.length > 1 && is_one(line.bytes, line.length);
    }
    return is_text(source) && found > 0 && found * 100 >= lines * 60;
}

static gboolean is_tombstone(const af_source *source)
{
    return begins(source, "*** *** ***") || (is_text(source) && contains(source, "\nbacktrace:") &&
                                             contains(source, "Build fingerprint:"));
}

static gboolean is_stack_trace(const af_source *source)
{
    return is_text(source) && (contains(source, "\n\tat ") || contains(source, "\n    at ") ||
                               contains(source, "Traceback (most recent call last)"));
}

/* The results of Macrobenchmark and Microbenchmark. */
static gboolean is_benchmark(const af_source *source)
{
    return contains(source, "\"benchmarks\"") &&
           (contains(source, "\"androidx\"") || contains(source, "\"cpuCoreCount\"") ||
            contains(source, "\"repeatIterations\""));
}

/* Messages that adb, the shell that it starts, or the commands of this shell print instead of a
 * file. */
static gboolean is_adb_error(const af_source *source)
{
    static const char *const words[] = {
        "adb: ",
        "adb server",
        "* daemon",
        "error: ",
        "Error: ",
        "Error type ",
        "Exception occurred while ",
        "Security exception: ",
        "java.lang.",
        "run-as: ",
        "remote object '",
        "cat: ",
        "cp: ",
        "ls: ",
        "am: ",
        "cmd: ",
        "/system/bin/sh: ",
        "sh: ",
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
        if (begins(source, words[i])) {
            return is_text(source);
        }
    }
    return FALSE;
}

/* The first match counts: special kinds come before general ones. */
static const struct {
    const char *magic; /* the bytes at `offset`, or */
    size_t offset;
    gboolean (*is_one)(const af_source *source);
    gboolean (*is_line)(const char *line, size_t n); /* most lines are of this kind */
    const char *text;
} others[] = {
    {.magic = "SIMPLEPERF", .text = "this simpleperf recording is truncated inside its header"},
    {.magic = "2ELIFREP",
     .text = "this perf.data file is big-endian; only little-endian files are supported"},
    {.is_one = is_blank, .text = "this file contains only spaces and line breaks"},
    {.is_one = is_zero,
     .text = "this file holds only zero bytes: its content was never stored; pull it again"},
    {.magic = "version https://git-lfs.github.com/",
     .text = "this is a pointer of Git LFS, not the file itself; fetch the file with git lfs pull"},
    {.is_one = is_picture,
     .text =
         "this picture carries no profile: aflame did not draw it, or the program that saved it "
         "again dropped the profile"},
    {.is_one = is_photo,
     .text = "pictures of this format cannot carry a profile: use the PNG, SVG or PDF that aflame "
             "wrote"},
    {.magic = "digraph ",
     .text =
         "this is a graph for Graphviz, not a trace; draw it with dot, and give aflame the trace "
         "that it was made from"},
    {.is_one = is_page, .text = "this is an HTML page, not a trace"},
    {.magic = "JAVA PROFILE 1.0",
     .text = "this is a heap dump (hprof), not a method trace; open it in Android Studio"},
    {.magic = "FLR", /* and a NUL */
     .text = "this is a Java Flight Recorder file (JFR); open it in JDK Mission Control"},
    {.magic = "\xFD"
              "7zXZ",
     .text = "this file is compressed with xz; unpack it first (xz -d)"},
    {.magic = "BZh", .text = "this file is compressed with bzip2; unpack it first (bzip2 -d)"},
    {.magic = "7z\xBC\xAF\x27\x1C", .text = "this is a 7z archive; unpack it first (7z x)"},
    {.magic = "Rar!\x1A\x07", .text = "this is a rar archive; unpack it first (unrar x)"},
    {.magic = "\x04\x22\x4D\x18",
     .text = "this file is compressed with lz4; unpack it first (lz4 -d)"},
    {.magic = "ustar", .offset = 257, .text = "this is a tar archive; unpack it first (tar -x)"},
    {.magic = "SQLite format 3",
     .text = "this is an SQLite database, not a trace; open the recording that it was made from"},
    {.magic = "\x7F"
              "ELF",
     .text = "this is a program or library (ELF), not a trace; --symfs takes a folder of them"},
    {.magic = "dex\n", .text = "this is Android bytecode (dex), not a trace"},
    {.magic = "vdex", .text = "this is Android bytecode (vdex), not a trace"},
    {.magic = "\xCA\xFE\xBA\xBE", .text = "this is Java bytecode (class), not a trace"},
    {.is_one = is_art_profile,
     .text = "this is a profile for ART, which lists methods without times; record a method trace"},
    {.magic = "ftyp", .offset = 4, .text = "this is a video, not a trace"},
    {.is_one = is_all_methods,
     .text = "this is a low-overhead dump of all methods (Android 16): it holds the order of calls "
             "but no times, and cannot be drawn"},
    {.is_one = is_perfetto,
     .text = "this looks like a Perfetto trace, but holds nothing that aflame reads; open "
             "it in ui.perfetto.dev"},
    {.is_one = is_benchmark,
     .text =
         "these are the results of a Jetpack benchmark; give aflame the trace that it wrote next "
         "to this file (.perfetto-trace or .trace)"},
    {.is_one = is_json, .text = "this is JSON, but not a list of trace events"},
    {.is_one = is_mapping, .text = "this is a ProGuard or R8 mapping file; use it with --mapping"},
    {.is_one = is_tombstone,
     .text = "this is a tombstone, the report of a native crash, not a trace; ndk-stack and "
             "addr2line name its frames"},
    {.is_line = af_log_is_logcat,
     .text =
         "this is a log of logcat, not a trace; a bug report (adb bugreport) also holds traces"},
    {.is_one = is_stack_trace,
     .text = "this is a stack trace, not a method trace; to restore its names, use retrace of R8"},
    {.is_line = af_log_is_access, .text = "this is the access log of a web server, not a trace"},
    {.is_line = af_log_is_dated, .text = "this is a log, not a trace"},
    {.is_one = is_text, .text = "this is text, not a method trace"},
};

static const char *describe(const af_source *source)
{
    if (source->length == 0) {
        return "empty trace: tracing was not stopped, the app died before that, or the file was "
               "pulled too early";
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(others); i++) {
        if (others[i].magic != NULL     ? has_at(source, others[i].offset, others[i].magic)
            : others[i].is_line != NULL ? are_lines(source, others[i].is_line)
                                        : others[i].is_one(source)) {
            return others[i].text;
        }
    }
    return "this is not a method trace";
}

static void refuse_adb_error(const af_source *source, GError **error)
{
    /* The first line without its line end, at most 200 bytes. */
    const af_span text = {(const char *)source->bytes, MIN(source->length, 200)};
    const af_span line = af_span_before(af_span_before(text, "\n"), "\r");
    g_autofree char *quoted = g_utf8_make_valid(line.bytes, (gssize)line.length);
    g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                "this is not a trace but an error message: \"%s\"", quoted);
}

void af_refuse(const af_source *source, GError **error)
{
    if (begins(source, "SLOW") && source->length >= 6) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED, "unknown trace version %u",
                    af_load_u16(source->bytes + 4));
    } else if (begins(source, "TMOL")) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                            "this is a low-overhead dump of an Android 16 preview (end of 2024); "
                            "its layout is not supported");
    } else if (is_adb_error(source)) {
        refuse_adb_error(source, error);
    } else {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_UNRECOGNISED, describe(source));
    }
}
