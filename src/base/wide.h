/* 128-bit numbers, for products of two 64-bit ones. */
#pragma once

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 af_u128;
__extension__ typedef __int128 af_i128;
#else /* machines with 32 bits: the type of C23, for example in clang 19 */
__extension__ typedef unsigned _BitInt(128) af_u128;
__extension__ typedef _BitInt(128) af_i128;
#endif
