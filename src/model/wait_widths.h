/* The widths of waiting in pictures and in files with one weight per path.
 *
 * Waiting is wall minus CPU time. Where the CPU clock is coarse, the difference of a single method
 * can be negative, and the methods around it seem to wait for too long. A width cannot be negative,
 * so these methods give up as much as is missing:
 *
 *   - the thread is as wide as the sum of all differences below it, and at least 0;
 *   - a path is as wide as the sum of its own differences and those below it, and at least 0. Where
 *     the paths below a path would be wider than the path itself, all of them shrink by the same
 *     factor;
 *   - the rest of a path's width is the method's own.
 *
 * The own widths of a thread therefore add up to its waiting: max(0, wall - CPU). The script of an
 * SVG computes the same widths (AF.waits() in render/svg/tree.js). */
#pragma once

#include <stdint.h>
#include <glib.h>

/* Computes the widths of `n` nodes, whose parents have lower numbers. `own` holds the difference of
 * each node, modulo 2^64, and receives its own width; `whole` receives the width of its path. FALSE
 * if memory is refused. */
gboolean af_wait_widths_compute(uint32_t n, const uint32_t *parent, uint64_t *own, uint64_t *whole);
