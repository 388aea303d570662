/* The first capacity of an array. The fuzz targets start with a few items: small inputs then make
 * the arrays grow, the sanitizer knows where they end, and an input takes a fraction of the time.
 */
#ifndef AF_BASE_CAPACITY_H
#define AF_BASE_CAPACITY_H

#ifdef AF_SMALL_BLOCKS
#define AF_CAPACITY(product, fuzzing) (fuzzing)
#else
#define AF_CAPACITY(product, fuzzing) (product)
#endif

#endif
