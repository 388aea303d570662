/* The files of an upload form, on their way into the store. */
#pragma once

#include "serve/request.h"

typedef struct af_upload af_upload;

/* A trace that was uploaded. */
typedef struct {
    char *file_name;
    char *id;           /* once it is stored */
    char *delete_token; /* NULL if it was there before */
} af_uploaded;

af_upload *af_upload_new(af_server *server);
void af_upload_free(af_upload *upload);

/* "larger than the limit of 512M", with the limit that applies. */
const char *af_upload_limit(const af_server *server);

/* "512M" if it is a whole number of them, as in an option. Free with g_free(). */
char *af_upload_size(uint64_t size);

/* Takes a piece of a file. `proven` = the request has proved its right to upload; otherwise check
 * that later. FALSE with AF_REQUEST_ERROR or AF_STORE_ERROR if the piece is rejected. */
gboolean af_upload_take(af_upload *upload, gboolean proven, const char *field,
                        const char *file_name, const char *bytes, uint64_t offset, size_t length,
                        GError **error);

/* Whether all files are stored durably and queued for reading. If not, the request waits or was
 * answered. */
gboolean af_upload_store(af_request *request);

/* The traces, in the order of the form, as a GPtrArray of af_uploaded. */
const GPtrArray *af_upload_list(const af_upload *upload);
