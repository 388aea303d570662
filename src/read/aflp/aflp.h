/* The payload of a saved profile, see base/aflp.h. */
#pragma once

#include "base/aflp.h"
#include "base/array.h"
#include "base/bytes.h"
#include "build/finished.h"

/* A section that is being read. After the first missing value, every value is 0 or absent and
 * `damaged` is set. */
typedef struct {
    const uint8_t *at, *end;
    gboolean damaged;
} af_aflp_cursor;

uint64_t af_aflp_number(af_aflp_cursor *cursor);

/* Reads a number that fits 32 bits. */
uint32_t af_aflp_u32(af_aflp_cursor *cursor);

/* Reads the count of items that take at least one byte each. */
uint32_t af_aflp_count(af_aflp_cursor *cursor);

/* A tree whose columns have not been read. */
typedef struct {
    af_aflp_cursor at;
    uint64_t unit;      /* of its times, in ns */
    unsigned follows;   /* clocks, as in af_finished_end_tree() */
    gboolean only_sums; /* without the shortest and longest calls */
    gboolean refused;   /* memory for its columns */
} af_aflp_tree;

/* Returns FALSE if the section is damaged or the sink rejected something. */
gboolean af_aflp_read_sections(const uint8_t *payload, size_t length,
                               const af_open_options *options, af_sink *sink);
gboolean af_aflp_add_tree(af_aflp_cursor *cursor, af_aflp_tree *tree, af_sink *sink);

/* Reads the columns of tree `number`: see tree->refused and tree->at.damaged. In any thread. */
void af_aflp_read_columns(af_aflp_tree *tree, uint32_t number, const af_sink *sink);
