/* Prefix codes for deflate (RFC 1951): lengths from counts, codes from lengths. */
#ifndef AF_RENDER_CAIRO_HUFFMAN_H
#define AF_RENDER_CAIRO_HUFFMAN_H

#include <glib.h>
#include <stdint.h>

#define AF_HUFFMAN_MOST 288 /* symbols */

/* Gives each symbol that occurs a length from 1 to `longest` (at most 15) and the others 0, such that
 * the sum of length times count is minimal, or nearly so if the optimum has longer codes. */
void af_huffman_lengths(const uint32_t *counts, unsigned n, unsigned longest, uint8_t *lengths);

/* The canonical codes. Their first bit is the lowest, as deflate writes them. */
void af_huffman_codes(const uint8_t *lengths, unsigned n, uint16_t *codes);

#endif
