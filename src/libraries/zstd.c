#define ZSTDLIB_VISIBLE /* other libraries call those of zstd itself */
#include <zstd.h>

#include "libraries/forward.h"

LIBRARY("libzstd.so.1", "zstd")

FORWARD(const char *, ZSTD_versionString, (void), ())
FORWARD(unsigned, ZSTD_isError, (size_t code), (code))
FORWARD(ZSTD_DCtx *, ZSTD_createDCtx, (void), ())
FORWARD(size_t, ZSTD_freeDCtx, (ZSTD_DCtx * context), (context))
FORWARD(ZSTD_DStream *, ZSTD_createDStream, (void), ())
FORWARD(size_t, ZSTD_freeDStream, (ZSTD_DStream * stream), (stream))
FORWARD(size_t, ZSTD_decompressStream,
        (ZSTD_DStream * stream, ZSTD_outBuffer *output, ZSTD_inBuffer *input),
        (stream, output, input))
