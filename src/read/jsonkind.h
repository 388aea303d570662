/* The formats of JSON objects, by their first bytes. */
#pragma once

#include <glib.h>

/* The type that the start of an object declares. Names and messages may hold the marks of both
 * types, so the first mark decides, however much of the text is visible. */
typedef enum { AF_JSON_UNKNOWN, AF_JSON_TRACE_EVENTS, AF_JSON_SPEEDSCOPE } af_json_kind;

af_json_kind af_json_look_kind(const char *text, size_t n);

/* The kind of profile that the "meta" of the object declares; the performance tool of Firefox 59
 * and 63 wraps a Gecko profile in another object. Only the outermost keys count, so texts and
 * markers inside a profile may hold the marks of other formats. */
typedef enum {
    AF_JSON_PROFILE_NONE,
    AF_JSON_PROFILE_UNDECIDED, /* more text is needed */
    AF_JSON_PROFILE_GECKO,
    AF_JSON_PROFILE_PROCESSED,
} af_json_profile;

af_json_profile af_json_look_profile(const char *text, size_t n);
