#include "report/info/info.h"

#include "report/report.h"
#include "report/tables/columns.h"

#define PULL_BINARY                                                                                \
    "pull the file again with: adb pull /path/on/device/app.trace (never through a terminal, "     \
    "a chat or an editor)"
#define STOP_FIRST                                                                                 \
    "stop tracing first (am profile stop PROCESS, or Debug.stopMethodTracing()), wait until the "  \
    "file no longer grows, then adb pull it"

/* Advice for a kind of warning about a file that Android's method tracing did not write. */
static const char *advise_others(int kind)
{
    switch (kind) {
    case AF_WARN_TRUNCATED:
    case AF_WARN_PARTIAL_RECORD:
        return "end the recording first, wait until the file no longer grows, then copy it";
    case AF_WARN_UNKNOWN_PACKET:
    case AF_WARN_CORRUPT_BLOCK:
        return "if the file was transferred, copy it again";
    case AF_WARN_UNKNOWN_METHOD:
        return "the file is incomplete, or its writer does not define all names";
    case AF_WARN_MISSING_EXIT:
    case AF_WARN_UNMATCHED_EXIT:
        return "a few are normal where a recording begins or ends; many mean lost events";
    case AF_WARN_NO_RECORDS:
        return "the recording ended immediately, or recorded no slices, samples or heaps";
    default:
        return NULL;
    }
}

/* Advice for a kind of warning about a method trace of Android; NULL where it needs none. */
static const char *advise_android(int kind)
{
    switch (kind) {
    case AF_WARN_OVERFLOW:
        return "use a larger buffer (Debug.startMethodTracing(path, bytes); in Android Studio the "
               "recording's size limit), stream to the file (am profile start --streaming), or "
               "sample instead of recording every call";
    case AF_WARN_TRUNCATED:
    case AF_WARN_NO_SUMMARY:
    case AF_WARN_PARTIAL_RECORD:
        return STOP_FIRST;
    case AF_WARN_UNKNOWN_PACKET:
    case AF_WARN_CORRUPT_BLOCK:
    case AF_WARN_BAD_OFFSET:
    case AF_WARN_BAD_RECORD_SIZE:
    case AF_WARN_MAGIC_MOVED:
        return "if the file was transferred, " PULL_BINARY;
    case AF_WARN_REPAIRED_CRLF:
        return PULL_BINARY;
    case AF_WARN_REPAIRED_1252:
        return "do not open the file in an editor; for git put \"*.trace binary\" into "
               ".gitattributes";
    case AF_WARN_UNKNOWN_METHOD:
        return "a few are normal for dynamic proxies; many mean that the text part is truncated or "
               "belongs to another recording";
    case AF_WARN_MISSING_EXIT:
    case AF_WARN_UNMATCHED_EXIT:
        return "a few are normal (exceptions, code that was compiled while tracing); many mean "
               "lost records";
    case AF_WARN_SCALE_BUG:
        return "update the device; later Android builds write correct times";
    case AF_WARN_NO_RECORDS:
        return "tracing stopped immediately, or no traced code ran";
    default:
        return NULL;
    }
}

static const char *advise(const af_profile *profile, int kind)
{
    if (kind == AF_WARN_GZIP_DAMAGED) {
        return "compress or copy the file again";
    }
    return af_container_is_android(profile->facts.container) ? advise_android(kind)
                                                             : advise_others(kind);
}

static void put_kinds(af_info_page *page, const af_profile *profile, gboolean infos,
                      const char *title)
{
    gboolean any = FALSE;
    int kind;
    for (unsigned i = 0; (kind = af_warnings_kind_at(&profile->warnings, i)) >= 0; i++) {
        if (af_warning_is_info((af_warning_kind)kind) != infos) {
            continue;
        }
        if (!any) {
            g_string_append_printf(page->text, "\n%s\n", title);
            any = TRUE;
        }
        g_autofree char *line = af_report_describe_warning(&profile->warnings, i);
        g_string_append(page->text, "  - ");
        af_columns_wrap(page->text, line, 4, page->width);
        const char *advice = advise(profile, kind);
        /* A recording without content is explained by its other problems, if it has any. */
        if (advice != NULL &&
            (kind != AF_WARN_NO_RECORDS || (af_warnings_kind_at(&profile->warnings, 0) == kind &&
                                            af_warnings_kind_at(&profile->warnings, 1) < 0))) {
            g_string_append(page->text, "    -> ");
            af_columns_wrap(page->text, advice, 7, page->width);
        }
    }
}

static gboolean is_healthy(const af_profile *profile)
{
    for (int kind = 0; kind < AF_WARNING_COUNT; kind++) {
        if (profile->warnings.count[kind] > 0 && !af_warning_is_info((af_warning_kind)kind)) {
            return FALSE;
        }
    }
    return TRUE;
}

void af_report_health(af_info_page *page, const af_profile *profile)
{
    if (is_healthy(profile)) {
        g_string_append(page->text, "\nno problems found\n");
    }
    put_kinds(page, profile, FALSE, "problems, and what to do");
    put_kinds(page, profile, TRUE, "good to know");
}
