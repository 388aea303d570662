/* The formats of JSON objects, by their first bytes. */
#pragma once

#include <stdint.h>
#include <glib.h>

/* Names and messages may hold the marks of several formats, so the first mark decides, however much of
 * the text is visible. In profiles of the Firefox Profiler, which state their kind in "meta", only the
 * outermost keys count; the performance tool of Firefox 59 and 63 wraps one in another object. */
typedef enum {
    AF_JSON_OTHER,
    AF_JSON_UNDECIDED, /* more text is needed */
    AF_JSON_TRACE_EVENTS,
    AF_JSON_CPU_PROFILE, /* of V8 */
    AF_JSON_SPEEDSCOPE,
    AF_JSON_LIKE_SPEEDSCOPE, /* without the address of its schema */
    AF_JSON_GECKO,
    AF_JSON_PROCESSED,
} af_json_kind;

/* `more` bytes follow. */
af_json_kind af_json_look(const uint8_t *head, size_t length, gboolean more);

/* How sure a reader of this format is, as in af_reader. */
int af_json_detect(const uint8_t *head, size_t length, gboolean more, af_json_kind wanted);
