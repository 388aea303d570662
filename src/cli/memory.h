/* How much memory a run may use: a size given by the user, or half of what the machine has left. */
#pragma once

#include <stdint.h>
#include <glib.h>

/* "500M", "1.5G", "800k", "4096": bytes, with K, M, G and T as powers of 1024. FALSE for any other
 * text, or for less than `least`. */
gboolean af_memory_parse_size(const char *text, uint64_t least, uint64_t *bytes);

/* The bytes that processes can still allocate, by /proc/meminfo and the limits of this process's
 * control groups (version 1 or 2) and those above them. The files are in `root`, "" = those of the
 * machine. 0 = unknown. */
uint64_t af_memory_available(const char *root);
