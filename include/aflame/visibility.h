/* Which functions the shared library exports, in C and C++.
 *
 * AF_API marks a public function; everything else is hidden. Each exported function carries the
 * version of the library that introduced it, so the dynamic linker rejects a program that needs a
 * newer library. You need this header only to declare such a function again:
 *
 *     AF_API const char *af_version(void);
 *     #if !defined(AF_API)
 *     #error "aflame/visibility.h defines AF_API"
 *     #endif
 */
#ifndef AFLAME_VISIBILITY_H
#define AFLAME_VISIBILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define AF_BEGIN_DECLS extern "C" {
#define AF_END_DECLS   }
#else
#define AF_BEGIN_DECLS
#define AF_END_DECLS
#endif

#if defined(__GNUC__) || defined(__clang__)
#define AF_API __attribute__((visibility("default")))
#else
#define AF_API
#endif

#endif
