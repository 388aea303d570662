// Linked into every program under sanitizers, which look for these functions in the shared libraries at
// each start. If a library had none, the message about that would be the first memory that they allocate
// for themselves, which fills a megabyte: a tenth of a start of the command. The list is that of clang 14
// and glibc 2.36; with others it only helps less.
#include <stdlib.h>

void aflame_missing(void);
void *swift_demangle(void);

__attribute__((visibility("default"))) void aflame_missing(void)
{
    abort();
}

// the sanitizers call this for each name in a report
__attribute__((visibility("default"))) void *swift_demangle(void)
{
    return NULL;
}

// clang-format off
#define MISSING(name) __asm__(".globl " #name "\n.set " #name ", aflame_missing");
MISSING(__cxa_rethrow_primary_exception)
MISSING(__cxa_throw)
MISSING(__isoc99_fprintf)
MISSING(__isoc99_printf)
MISSING(__isoc99_snprintf)
MISSING(__isoc99_sprintf)
MISSING(__isoc99_vfprintf)
MISSING(__isoc99_vprintf)
MISSING(__isoc99_vsnprintf)
MISSING(__isoc99_vsprintf)
MISSING(__pthread_mutex_lock)
MISSING(__pthread_mutex_unlock)
MISSING(crypt)
MISSING(crypt_r)
MISSING(pthread_mutexattr_getrobust_np)
MISSING(xdr_bool)
MISSING(xdr_bytes)
MISSING(xdr_char)
MISSING(xdr_destroy)
MISSING(xdr_double)
MISSING(xdr_enum)
MISSING(xdr_float)
MISSING(xdr_hyper)
MISSING(xdr_int)
MISSING(xdr_int16_t)
MISSING(xdr_int32_t)
MISSING(xdr_int64_t)
MISSING(xdr_int8_t)
MISSING(xdr_long)
MISSING(xdr_longlong_t)
MISSING(xdr_quad_t)
MISSING(xdr_short)
MISSING(xdr_string)
MISSING(xdr_u_char)
MISSING(xdr_u_hyper)
MISSING(xdr_u_int)
MISSING(xdr_u_long)
MISSING(xdr_u_longlong_t)
MISSING(xdr_u_quad_t)
MISSING(xdr_u_short)
MISSING(xdr_uint16_t)
MISSING(xdr_uint32_t)
MISSING(xdr_uint64_t)
MISSING(xdr_uint8_t)
MISSING(xdrmem_create)
MISSING(xdrrec_create)
MISSING(xdrstdio_create)
// clang-format on
