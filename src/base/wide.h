/* 128-bit numbers, for products of two 64-bit ones. */
#ifndef AF_BASE_WIDE_H
#define AF_BASE_WIDE_H

__extension__ typedef unsigned __int128 af_u128;
__extension__ typedef __int128 af_i128;

#endif
