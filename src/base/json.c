#include "base/json.h"

#include "base/utf8.h"

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

/* Escapes a bidi control, so that a person who reads the document sees it. */
static void put_bidi_control(af_out *out, const char *at)
{
    char escaped[8];
    g_snprintf(escaped, sizeof escaped, "\\u%04x", g_utf8_get_char(at));
    af_out_text(out, escaped);
}

void af_json_text(af_out *out, const char *text, size_t length)
{
    const char *rest = text, *end = text + length;
    af_out_char(out, '"');
    for (const char *c = text; c < end; c++) {
        const unsigned char byte = (unsigned char)*c;
        size_t control = 0;
        if (byte == 0xD8 || byte == 0xE2) {
            control = end - c >= (byte == 0xD8 ? 2 : 3) ? af_utf8_bidi_control(c) : 0;
        } else if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7F) {
            continue;
        }
        if (control > 0 || byte < 0x80) {
            af_out_bytes(out, rest, (size_t)(c - rest));
            if (control > 0) {
                put_bidi_control(out, c);
                c += control - 1;
            } else {
                put_escaped(out, byte);
            }
            rest = c + 1;
        }
    }
    af_out_bytes(out, rest, (size_t)(end - rest));
    af_out_char(out, '"');
}

static void begin_line(const af_json *json)
{
    af_out_char(json->out, '\n');
    for (unsigned i = 0; i < json->depth; i++) {
        af_out_text(json->out, "  ");
    }
}

void af_json_key(af_json *json, const char *key)
{
    if (json->filled) {
        af_out_text(json->out, json->line > 0 ? ", " : ",");
    }
    if (json->depth > 0 && json->line == 0) {
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
    af_json_key(json, key);
    af_out_char(json->out, bracket);
    json->depth++;
    json->filled = FALSE;
}

void af_json_begin_line(af_json *json, const char *key, char bracket)
{
    af_json_begin(json, key, bracket);
    json->line = json->line == 0 ? json->depth : json->line;
}

void af_json_end(af_json *json, char bracket)
{
    const gboolean in_line = json->line > 0;
    json->line = json->line == json->depth ? 0 : json->line;
    json->depth--;
    if (json->filled && !in_line) {
        begin_line(json);
    }
    af_out_char(json->out, bracket);
    json->filled = TRUE;
}

void af_json_put_number(af_json *json, const char *key, uint64_t value)
{
    af_json_key(json, key);
    af_out_u64(json->out, value);
}

void af_json_put_plain(af_json *json, const char *key, const char *value)
{
    af_json_key(json, key);
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
    af_json_key(json, key);
    af_json_string(json->out, value);
}
