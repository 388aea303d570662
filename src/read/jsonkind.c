#include "read/jsonkind.h"

#include <string.h>

#include "read/jsonfile.h"

/* Returns the end of the first occurrence of a word, or NULL. */
static const char *find_after(const char *text, size_t n, const char *word)
{
    const char *found = memmem(text, n, word, strlen(word));
    return found == NULL ? NULL : found + strlen(word);
}

/* Whether the text has the key, which is not the same text as a value. */
static gboolean has_key(const char *text, size_t n, const char *key)
{
    const char *const end = text + n;
    while ((text = find_after(text, (size_t)(end - text), key)) != NULL) {
        const char *at = text;
        while (at < end && g_ascii_isspace(*at)) {
            at++;
        }
        if (at < end && *at == ':') {
            return TRUE;
        }
    }
    return FALSE;
}

af_json_kind af_json_look_kind(const char *text, size_t n)
{
    /* slashes may be escaped; a profile of another tool may name the address */
    const char *host = find_after(text, n, "www.speedscope.app");
    const char *schema = host == NULL || !has_key(text, n, "\"$schema\"")
                             ? NULL
                             : find_after(text, n, "file-format-schema.json");
    const size_t before = schema == NULL ? n : (size_t)(MAX(host, schema) - text);
    if (has_key(text, before, "\"traceEvents\"")) {
        return AF_JSON_TRACE_EVENTS;
    }
    return schema == NULL ? AF_JSON_UNKNOWN : AF_JSON_SPEEDSCOPE;
}

/* ---- profiles of the Firefox Profiler ---- */

static af_json_profile judge_meta(af_span meta)
{
    enum { PROCESSED, VERSION, INTERVAL, STACKWALK };
    static const char *const keys[] = {"preprocessedProfileVersion", "version", "interval",
                                       "stackwalk"};
    af_pull_value values[G_N_ELEMENTS(keys)];
    af_json_find_members(meta, keys, values, G_N_ELEMENTS(keys));
    return values[PROCESSED].text.bytes != NULL ? AF_JSON_PROFILE_PROCESSED
           : values[VERSION].text.bytes != NULL &&
                   (values[INTERVAL].text.bytes != NULL || values[STACKWALK].text.bytes != NULL)
               ? AF_JSON_PROFILE_GECKO
               : AF_JSON_PROFILE_NONE;
}

/* Searches the keys of the outermost object for "meta", and those of a "profile" in it. */
af_json_profile af_json_look_profile(const char *text, size_t n)
{
    const char *end = text + n;
    const char *at = af_json_skip_bom(text, end);
    af_pull json = {at, end, FALSE};
    af_pull_value key, value;
    gboolean wrapped = FALSE;
    if (at == end || *at != '{') {
        return AF_JSON_PROFILE_NONE;
    }
    af_pull_enter(&json);
    for (;;) {
        af_pull_state state = af_pull_next_key(&json, &key);
        if (state == AF_PULL_OK && af_span_is(key.text, "traceEvents")) {
            return AF_JSON_PROFILE_NONE;
        }
        if (state == AF_PULL_OK && !wrapped && af_span_is(key.text, "profile") &&
            af_pull_look(&json, &value.kind) == AF_PULL_OK && value.kind == AF_PULL_OBJECT) {
            wrapped = TRUE;
            af_pull_enter(&json);
            continue;
        }
        if (state == AF_PULL_OK) {
            state = af_pull_take(&json, &value);
        }
        if (state != AF_PULL_OK) {
            return state == AF_PULL_SHORT ? AF_JSON_PROFILE_UNDECIDED : AF_JSON_PROFILE_NONE;
        }
        if (af_span_is(key.text, "meta")) {
            return judge_meta(value.text);
        }
    }
}
