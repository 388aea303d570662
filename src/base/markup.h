/* Characters with a meaning in XML and HTML. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The entity for a character in text and in double-quoted attributes; NULL = none is needed. */
static inline const char *af_markup_entity(uint32_t c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}
