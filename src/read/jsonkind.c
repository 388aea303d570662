#include "read/jsonkind.h"

#include <string.h>

#include "read/jsonfile.h"

/* Whether the text has the key, which is not the same text as a value. */
static gboolean has_key(af_span text, const char *key)
{
    while (af_span_find_after(text, key, &text)) {
        if (af_span_begins(af_span_trim(text), ":")) {
            return TRUE;
        }
    }
    return FALSE;
}

af_json_kind af_json_look_kind(const char *text, size_t n)
{
    /* slashes may be escaped; a profile of another tool may name the address */
    af_span before = {text, n}, host, schema;
    const gboolean speedscope = af_span_find_after(before, "www.speedscope.app", &host) &&
                                has_key(before, "\"$schema\"") &&
                                af_span_find_after(before, "file-format-schema.json", &schema);
    before.length = speedscope ? (size_t)(MAX(host.bytes, schema.bytes) - text) : n;
    if (has_key(before, "\"traceEvents\"")) {
        return AF_JSON_TRACE_EVENTS;
    }
    return speedscope ? AF_JSON_SPEEDSCOPE : AF_JSON_UNKNOWN;
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
