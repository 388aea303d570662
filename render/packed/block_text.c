#include "render/packed/block_text.h"

#include <string.h>

#include "base/number.h"
#include "render/label.h"

void af_block_append_text(af_deflater *to, const char *text)
{
    af_deflater_string(to, text ? text : "", text ? strlen(text) : 0);
}

void af_block_append_name(af_deflater *to, const char *name)
{
    const size_t length = name ? strlen(name) : 0, most = length ? af_name_length(name, length) : 0;
    if (most == length) {
        af_block_append_text(to, name);
        return;
    }
    g_autofree char *cut = g_strdup_printf("%.*s…", (int)most, name);
    af_block_append_text(to, cut);
}

void af_block_append_unit(af_deflater *to, const af_unit *unit)
{
    char singular[AF_NUMBER_SIZE] = "";
    af_block_append_text(to, unit->counted ? unit->name : "");
    af_block_append_text(to, unit->counted ? af_number_singular(singular, unit->name) : "");
    af_deflater_number(to, unit->digits);
}

void af_block_append_shared(af_deflater *to, const char *before, const char *text, size_t length)
{
    size_t n = 0;
    while (before[n] != '\0' && before[n] == text[n]) {
        n++;
    }
    while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) {
        n--;
    }
    af_deflater_number(to, n);
    af_deflater_string(to, text + n, length - n);
}
