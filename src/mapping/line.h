/* One line of a mapping file, split into its parts:
 *
 *   com.example.Foo -> a.b:                                                a class
 *       int count -> a                                                     a field
 *       1:3:int com.example.Util.twice(int):9:9 -> b                       a method, with range
 *       void init(int,java.lang.String[]) -> a                             a method, without
 *   # compiler: R8                                                         a remark
 *
 * The names left of the arrow are those of the source, the names right of it those of the program.
 * A line that starts with a blank describes a member. */
#pragma once

#include <stdint.h>
#include "base/span.h"

typedef enum {
    AF_LINE_BLANK,
    AF_LINE_REMARK,
    AF_LINE_CLASS,
    AF_LINE_FIELD,
    AF_LINE_METHOD,
    AF_LINE_BROKEN,
} af_line_kind;

/* Parts that a kind lacks are empty. No part contains a zero byte. */
typedef struct {
    af_span name; /* class: the original name; member: the name without its owner */
    af_span obfuscated;
    af_span type;      /* return type of a method */
    af_span owner;     /* class of a member of another class; bytes == NULL if not given */
    af_span arguments; /* the text between the parentheses */
    af_span remark;    /* the text after the # */
    gboolean ranged;   /* applies only to these lines of the program */
    uint64_t from, to;
    gboolean spanned; /* the source lines are a range, not the line of a call */
} af_line;

/* `length` excludes the line end. */
af_line_kind af_line_parse(const char *bytes, size_t length, af_line *line);
