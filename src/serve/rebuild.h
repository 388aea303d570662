/* Rebuilds the index of a store from its blobs. */
#pragma once

#include "serve/server.h"

/* Adds a row for each upload that has blobs but no row; the other rows stay. Uploads whose blobs
 * cannot be read are set aside. Prints the numbers. FALSE after printing an error. */
gboolean af_rebuild_run(af_server *server);
