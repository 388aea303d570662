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
