#include "serve/trace.h"

#include <string.h>
#include <sys/random.h>

af_trace *af_trace_new(void)
{
    af_trace *trace = g_new0(af_trace, 1);
    char **texts[] = {&trace->id,      &trace->content,    &trace->old_id, &trace->file_name,
                      &trace->name,    &trace->note,       &trace->tags,   &trace->app,
                      &trace->problem, &trace->delete_hash};
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        *texts[i] = g_strdup("");
    }
    return trace;
}

void af_trace_free(af_trace *trace)
{
    if (trace == NULL) {
        return;
    }
    char *texts[] = {trace->id,      trace->content,     trace->old_id, trace->file_name,
                     trace->name,    trace->note,        trace->tags,   trace->app,
                     trace->problem, trace->delete_hash, trace->facts};
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_free(texts[i]);
    }
    g_free(trace);
}

void af_trace_set(char **text, const char *value)
{
    g_free(*text);
    *text = g_strdup(value);
}

gboolean af_trace_is_id(const char *text)
{
    const size_t length = strlen(text);
    return (length == 64 || length == 32) && strspn(text, "0123456789abcdefABCDEF") == length;
}

char *af_trace_hash(const char *text)
{
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
}

char *af_trace_random(void)
{
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return NULL;
    }
    GString *text = g_string_new(NULL);
    for (gsize i = 0; i < sizeof bytes; i++) {
        g_string_append_printf(text, "%02x", bytes[i]);
    }
    return g_string_free(text, FALSE);
}
