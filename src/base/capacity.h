/* The first capacity of an array, and limits on work. Under sanitizers an array starts with a few
 * items: small inputs then make it grow, the sanitizer knows where it ends, and an input takes a
 * fraction of the time. Limits are lower because every step takes many times as long. */
#pragma once

#ifdef AF_SMALL_BLOCKS
#define AF_CAPACITY(product, sanitized) (sanitized)
#define AF_WORK(product, sanitized)     (sanitized)
#else
#define AF_CAPACITY(product, sanitized) (product)
#define AF_WORK(product, sanitized)     (product)
#endif
