/* Texts of a block: names and labels as both kinds of blocks write them. Private to render/packed. */
#pragma once

#include "base/unit.h"
#include "render/packed/deflater.h"

/* NULL is written as "". */
void af_block_append_text(af_deflater *to, const char *text);

/* The same for a name from the input, cut if it is very long. */
void af_block_append_name(af_deflater *to, const char *name);

/* The unit of amounts that are not times of clocks: plural and singular, both "" for ns; digits. */
void af_block_append_unit(af_deflater *to, const af_unit *unit);

/* A text after `before`: the number of bytes, in whole characters, that both share, and the rest as
 * a string. */
void af_block_append_shared(af_deflater *to, const char *before, const char *text, size_t length);
