/* Characters with a meaning in XML and HTML. */
#ifndef AF_BASE_MARKUP_H
#define AF_BASE_MARKUP_H

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

#endif
