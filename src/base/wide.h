/* 128-bit numbers, for products of two 64-bit ones. */
#pragma once

__extension__ typedef unsigned __int128 af_u128;
__extension__ typedef __int128 af_i128;
