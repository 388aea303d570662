/* Finds the row of a stack from that of the previous stack: looks up only the methods that differ.
 * Consecutive samples of a thread have most of their methods in common. */
#pragma once

#include "base/array.h"
#include "build/event.h"
#include "build/rows.h"

typedef struct {
    uint32_t root;  /* of the stack before */
    af_array steps; /* its methods and their rows */
} af_row_path;

void af_row_path_init(af_row_path *path);
void af_row_path_clear(af_row_path *path);

/* Finds or adds the row of a sample's methods below `root`; AF_NO_ROW as in af_rows_enter(). If
 * memory is refused, `rows` has failed. */
uint32_t af_row_path_enter(af_row_path *path, af_rows *rows, uint32_t root,
                           const af_sample *sample);
