#include "mapping/comment.h"

#include "base/pull.h"

static void keep_member(af_comment *remark, af_span key, af_span value)
{
    if (af_span_is(key, "id")) {
        remark->id = value;
    } else if (af_span_is(key, "version")) {
        remark->version = value;
    } else if (af_span_is(key, "fileName")) {
        remark->file_name = value;
    } else if (af_span_is(key, "signature")) {
        remark->signature = value;
    }
}

gboolean af_comment_parse(af_span text, af_comment *remark)
{
    af_pull json = af_pull_over(text);
    json.relaxed = TRUE;
    af_pull_kind kind;
    memset(remark, 0, sizeof *remark);
    if (af_pull_look(&json, &kind) != AF_PULL_OK || kind != AF_PULL_OBJECT) {
        return FALSE;
    }
    af_pull_enter(&json);
    af_pull_value key, value;
    while (af_pull_member(&json, &key, &value)) {
        if (value.kind != AF_PULL_OBJECT && value.kind != AF_PULL_ARRAY) {
            keep_member(remark, key.text, value.text);
        }
    }
    return TRUE;
}

gboolean af_comment_split(af_span text, af_span *key, af_span *value)
{
    const char *colon = memchr(text.bytes, ':', text.length);
    if (colon == NULL) {
        return FALSE;
    }
    *key = (af_span){text.bytes, (size_t)(colon - text.bytes)};
    af_pull rest = af_pull_over((af_span){colon + 1, text.length - key->length - 1});
    af_pull_skip_blanks(&rest);
    *value = (af_span){rest.at, (size_t)(rest.end - rest.at)};
    return key->length > 0 && value->length > 0;
}

void af_comment_append(GString *to, af_span value)
{
    const af_pull_value escaped = {AF_PULL_STRING, TRUE, value};
    g_autoptr(GString) text = g_string_new(NULL);
    const af_span plain = value.length > 0 ? af_pull_text(&escaped, text) : value;
    g_string_append_len(to, plain.bytes, (gssize)plain.length);
}
