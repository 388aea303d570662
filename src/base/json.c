#include "base/json.h"

static void put_escaped(af_out *out, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";
    if (byte == '"' || byte == '\\') {
        const char escaped[] = {'\\', (char)byte};
        af_out_bytes(out, escaped, sizeof escaped);
    } else {
        const char escaped[] = {'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};
        af_out_bytes(out, escaped, sizeof escaped);
    }
}

void af_json_text(af_out *out, const char *text, size_t length)
{
    const char *rest = text, *end = text + length;
    af_out_char(out, '"');
    for (const char *c = text; c < end; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7F) {
            af_out_bytes(out, rest, (size_t)(c - rest));
            put_escaped(out, byte);
            rest = c + 1;
        }
    }
    af_out_bytes(out, rest, (size_t)(end - rest));
    af_out_char(out, '"');
}

/* ---- documents ---- */

static void begin_line(const af_json *json)
{
    af_out_char(json->out, '\n');
    for (unsigned i = 0; i < json->depth; i++) {
        af_out_text(json->out, "  ");
    }
}

static void begin_value(af_json *json, const char *key)
{
    if (json->filled) {
        af_out_char(json->out, ',');
    }
    if (json->depth > 0) {
        begin_line(json);
    }
    if (key != NULL) {
        af_json_string(json->out, key);
        af_out_text(json->out, ": ");
    }
    json->filled = TRUE;
}

void af_json_begin(af_json *json, const char *key, char bracket)
{
    begin_value(json, key);
    af_out_char(json->out, bracket);
    json->depth++;
    json->filled = FALSE;
}

void af_json_end(af_json *json, char bracket)
{
    json->depth--;
    if (json->filled) {
        begin_line(json);
    }
    af_out_char(json->out, bracket);
    json->filled = TRUE;
}

void af_json_put_number(af_json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    af_out_u64(json->out, value);
}

void af_json_put_plain(af_json *json, const char *key, const char *value)
{
    begin_value(json, key);
    af_out_text(json->out, value);
}

void af_json_put_flag(af_json *json, const char *key, gboolean value)
{
    af_json_put_plain(json, key, value ? "true" : "false");
}

void af_json_put_string(af_json *json, const char *key, const char *value)
{
    if (value == NULL) {
        af_json_put_plain(json, key, "null");
        return;
    }
    begin_value(json, key);
    af_json_string(json->out, value);
}
