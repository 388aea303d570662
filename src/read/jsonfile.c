#include "read/jsonfile.h"

#include <string.h>

/* The bytes between two reports of progress and checks for cancellation. */
#define PROGRESS_STEP ((size_t)1024 * 1024)

const char *af_json_skip_bom(const char *at, const char *end)
{
    if (end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) {
        at += 3;
    }
    while (at < end && g_ascii_isspace(*at)) {
        at++;
    }
    return at;
}

static void show_window(af_json_file *f)
{
    f->json.at = (const char *)f->source->bytes;
    f->json.end = f->json.at + f->source->length;
}

void af_json_file_begin(af_json_file *f, af_source *source, af_sink *sink)
{
    *f = (af_json_file){.source = source, .sink = sink};
    show_window(f);
    f->json.at = af_json_skip_bom(f->json.at, f->json.end);
}

/* Drops the text before `at`. Returns FALSE when it is time to stop. */
static gboolean pass(af_json_file *f, const char *at)
{
    const size_t n = (size_t)(at - (const char *)f->source->bytes);
    af_source_skip(f->source, n);
    return af_sink_advance(f->sink, n);
}

gboolean af_json_file_refill(af_json_file *f, const char *at)
{
    const gboolean go_on = pass(f, at);
    gboolean ok = go_on && f->error == NULL && f->source->more;
    if (ok) {
        const size_t wanted = f->source->length * 2 + af_source_default_window(f->source);
        ok = af_source_reach(f->source, wanted, &f->error);
    }
    show_window(f);
    return ok;
}

af_pull_state af_json_file_look(af_json_file *f, af_pull_kind *kind)
{
    af_pull_state state;
    AF_JSON_FILE_PULL(f, state, af_pull_look(&f->json, kind));
    return state;
}

af_pull_state af_json_file_take(af_json_file *f, af_pull_value *value)
{
    af_pull_state state;
    AF_JSON_FILE_PULL(f, state, af_pull_take(&f->json, value));
    return state;
}

gboolean af_json_file_pass_strange(af_json_file *f)
{
    af_pull_value value;
    af_sink_warn(f->sink, AF_WARN_BROKEN_TEXT, 1,
                 f->source->offset + (uint64_t)(f->json.at - (const char *)f->source->bytes));
    const char *const before = f->json.at;
    const uint64_t offset = f->source->offset;
    if (af_json_file_take(f, &value) == AF_PULL_SHORT) {
        return FALSE;
    }
    if (f->json.at == before && f->source->offset == offset) {
        f->json.at++; /* a byte that cannot start a value */
    }
    return TRUE;
}

gboolean af_json_file_value(af_json_file *f, af_pull_value *value, gboolean *taken)
{
    const char *const before = f->json.at;
    const uint64_t offset = f->source->offset;
    const af_pull_state state = af_json_file_take(f, value);
    *taken = state == AF_PULL_OK;
    if (state == AF_PULL_STRANGE && f->json.at == before && f->source->offset == offset) {
        return af_json_file_pass_strange(f);
    }
    return state != AF_PULL_SHORT;
}

gboolean af_json_file_list(af_json_file *f, af_json_take_func take, void *user)
{
    af_pull_enter(&f->json);
    for (;;) {
        af_pull_state state;
        AF_JSON_FILE_PULL(f, state, af_pull_next_item(&f->json));
        if (state != AF_PULL_OK) {
            return state == AF_PULL_END;
        }
        if (!take(user)) {
            f->cut = TRUE;
            return FALSE;
        }
        if ((size_t)(f->json.at - (const char *)f->source->bytes) >= PROGRESS_STEP) {
            if (!pass(f, f->json.at)) {
                return FALSE;
            }
            show_window(f);
        }
    }
}

gboolean af_json_file_object(af_json_file *f, af_json_taking_member take, void *user)
{
    char key[32];
    af_pull_enter(&f->json);
    for (;;) {
        af_pull_value name;
        af_pull_state state;
        AF_JSON_FILE_PULL(f, state, af_pull_next_key(&f->json, &name));
        if (state == AF_PULL_END || f->error != NULL) {
            return state == AF_PULL_END;
        }
        gboolean go_on = state != AF_PULL_SHORT;
        if (state == AF_PULL_OK) {
            const size_t n = MIN(name.text.length, sizeof key - 1);
            memcpy(key, name.text.bytes, n);
            key[n] = '\0';
            go_on = take(user, key);
        } else if (go_on) {
            go_on = af_json_file_pass_strange(f);
        }
        if (!go_on) {
            f->cut = TRUE;
            return FALSE;
        }
    }
}

void af_json_find_members(af_span object, const char *const keys[], af_pull_value *values,
                          unsigned n)
{
    af_pull json = af_pull_into(object);
    af_pull_value key, value;
    memset(values, 0, n * sizeof *values);
    if (object.length == 0 || *object.bytes != '{') {
        return;
    }
    while (af_pull_next_key(&json, &key) == AF_PULL_OK &&
           af_pull_look(&json, &value.kind) == AF_PULL_OK) {
        const af_pull_value rest = {value.kind, FALSE, {json.at, (size_t)(json.end - json.at)}};
        const af_pull_state state = af_pull_take(&json, &value);
        for (unsigned i = 0; i < n && (state == AF_PULL_OK || state == AF_PULL_SHORT); i++) {
            if (af_span_is(key.text, keys[i])) {
                values[i] = state == AF_PULL_OK ? value : rest;
            }
        }
        if (state != AF_PULL_OK) {
            break;
        }
    }
}

gboolean af_json_find_member(af_span object, const char *key, af_pull_value *value)
{
    af_json_find_members(object, &key, value, 1);
    return value->text.bytes != NULL;
}
