#include "read/jsonkind.h"

#include <string.h>

#include "read/jsonfile.h"
#include "read/reader.h"

/* How much of an object is searched. */
#define MOST_LOOK ((size_t)64 * 1024 * 1024)

/* Whether the text has the key, which is not the same text as a value. */
static gboolean has_key(af_span text, const char *key)
{
    while (af_span_find_after(text, key, &text)) {
        af_pull after = af_pull_over(text);
        af_pull_skip_blanks(&after);
        if (after.at < after.end && *after.at == ':') {
            return TRUE;
        }
    }
    return FALSE;
}

/* AF_JSON_OTHER if the text declares neither of the types. */
static af_json_kind look_for_type(af_span text)
{
    /* slashes may be escaped; a profile of another tool may name the address */
    af_span before = text, host, schema;
    const gboolean speedscope = af_span_find_after(before, "www.speedscope.app", &host) &&
                                has_key(before, "\"$schema\"") &&
                                af_span_find_after(before, "file-format-schema.json", &schema);
    before.length = speedscope ? (size_t)(MAX(host.bytes, schema.bytes) - text.bytes) : text.length;
    if (has_key(before, "\"traceEvents\"")) {
        return AF_JSON_TRACE_EVENTS;
    }
    return speedscope ? AF_JSON_SPEEDSCOPE : AF_JSON_OTHER;
}

static gboolean is_like_speedscope(af_span text)
{
    const gboolean typed =
        af_span_find(text, "\"evented\"") != NULL || af_span_find(text, "\"sampled\"") != NULL;
    return typed && af_span_find(text, "\"profiles\"") != NULL &&
           (af_span_find(text, "\"shared\"") != NULL || text.length >= MOST_LOOK);
}

/* {"nodes":[{"id":1,"callFrame":{"functionName": ... */
static gboolean is_cpu_profile(af_span text)
{
    static const char *const keys[] = {"nodes", "startTime", "endTime", "samples", "timeDeltas"};
    af_pull json = af_pull_into(text);
    af_pull_value key;
    gboolean known = FALSE;
    if (af_pull_next_key(&json, &key) != AF_PULL_OK) {
        return FALSE;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(keys); i++) {
        known |= af_span_is(key.text, keys[i]);
    }
    return known && af_span_find(text, "\"nodes\"") != NULL &&
           af_span_find(text, "\"callFrame\"") != NULL &&
           af_span_find(text, "\"functionName\"") != NULL;
}

/* ---- profiles of the Firefox Profiler ---- */

static af_json_kind judge_meta(af_span meta)
{
    enum { PROCESSED, VERSION, INTERVAL, STACKWALK };
    static const char *const keys[] = {"preprocessedProfileVersion", "version", "interval",
                                       "stackwalk"};
    af_pull_value values[G_N_ELEMENTS(keys)];
    af_json_find_members(meta, keys, values, G_N_ELEMENTS(keys));
    return values[PROCESSED].text.bytes != NULL ? AF_JSON_PROCESSED
           : values[VERSION].text.bytes != NULL &&
                   (values[INTERVAL].text.bytes != NULL || values[STACKWALK].text.bytes != NULL)
               ? AF_JSON_GECKO
               : AF_JSON_OTHER;
}

/* Searches the keys of the outermost object for "meta", and those of a "profile" in it. */
static af_json_kind look_for_profile(af_span text)
{
    af_pull json = af_pull_into(text);
    af_pull_value key, value;
    gboolean wrapped = FALSE;
    for (;;) {
        af_pull_state state = af_pull_next_key(&json, &key);
        if (state == AF_PULL_OK && af_span_is(key.text, "traceEvents")) {
            return AF_JSON_OTHER;
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
            return state == AF_PULL_SHORT ? AF_JSON_UNDECIDED : AF_JSON_OTHER;
        }
        if (af_span_is(key.text, "meta")) {
            return judge_meta(value.text);
        }
    }
}

af_json_kind af_json_look(const uint8_t *head, size_t length, gboolean more)
{
    const char *const end = (const char *)head + length;
    const char *at = af_json_skip_bom((const char *)head, end);
    if (at == end || *at != '{') {
        return at == end && more && length < 4096 ? AF_JSON_UNDECIDED : AF_JSON_OTHER;
    }
    const af_span text = {at, MIN((size_t)(end - at), MOST_LOOK)};
    const af_json_kind type = look_for_type(text);
    /* a file of speedscope may contain anything besides its profiles */
    const af_json_kind profile =
        type == AF_JSON_SPEEDSCOPE ? AF_JSON_OTHER : look_for_profile(text);
    if (profile > AF_JSON_UNDECIDED) {
        return profile;
    }
    if (type != AF_JSON_OTHER) {
        return type;
    }
    return is_cpu_profile(text)         ? AF_JSON_CPU_PROFILE
           : more && length < MOST_LOOK ? AF_JSON_UNDECIDED
           : is_like_speedscope(text)   ? AF_JSON_LIKE_SPEEDSCOPE
                                        : AF_JSON_OTHER;
}

int af_json_detect(const uint8_t *head, size_t length, gboolean more, af_json_kind wanted)
{
    const af_json_kind kind = af_json_look(head, length, more);
    return kind == wanted ? AF_SURE : kind == AF_JSON_UNDECIDED ? AF_UNSURE : 0;
}
