/* An upload as the store knows it. */
#pragma once

#include <stdint.h>
#include <glib.h>

typedef enum {
    AF_TRACE_WAITING, /* stored, but not read yet */
    AF_TRACE_READY,
    AF_TRACE_REFUSED, /* it cannot be read; `problem` says why */
} af_trace_state;

typedef struct {
    char *id;                 /* in its links: lower-case hex */
    char *content;            /* SHA-256 of the bytes, in hex */
    char *old_id;             /* upper-case MD5 of old links; "" = none */
    char *file_name;          /* as uploaded */
    char *name, *note, *tags; /* by the uploader; "" = none */
    char *app;                /* "" = unknown */
    char *problem;
    char *delete_hash;  /* SHA-256 of the delete token */
    char *facts;        /* a key file; NULL unless it has just been read */
    int64_t created_us; /* uploads of one second keep their order */
    int64_t used_s;
    uint64_t size; /* of the upload, bytes */
    af_trace_state state;
    gboolean has_upload, has_mapping;
} af_trace;

af_trace *af_trace_new(void);
void af_trace_free(af_trace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_trace, af_trace_free)

/* Replaces one of its texts. */
void af_trace_set(char **text, const char *value);

/* Whether a text from a link can be an ID: 32 or 64 hex digits. */
gboolean af_trace_is_id(const char *text);

/* SHA-256 of a text, in hex. Free with g_free(). */
char *af_trace_hash(const char *text);

/* A random ID of 128 bits in hex. Free with g_free(). NULL = the system gives no random bytes. */
char *af_trace_random(void);
