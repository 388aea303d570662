/* One line of a mapping file, cut into its parts:
 *
 *   com.example.Foo -> a.b:                                                a class
 *       int count -> a                                                     a field
 *       1:3:int com.example.Util.twice(int):9:9 -> b                       a method, with range
 *       void init(int,java.lang.String[]) -> a                             a method, without
 *   # compiler: R8                                                         a remark
 *
 * What stands left of the arrow is the source's, what stands right is the program's. A blank before
 * the first letter makes a line one about a member. */
#ifndef AF_MAPPING_LINE_H
#define AF_MAPPING_LINE_H

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

/* Parts that a kind lacks are empty. None holds a zero byte. */
typedef struct {
    af_span name; /* class: the original one; member: without its owner */
    af_span obfuscated;
    af_span type;      /* what a method returns */
    af_span owner;     /* class of a member of another class; bytes == NULL if not said */
    af_span arguments; /* what stands between the parentheses */
    af_span remark;    /* what stands behind the # */
    gboolean ranged;   /* it holds for these lines of the program only */
    uint64_t from, to;
    gboolean spanned; /* the source's lines are given as a range: not where a call stands */
} af_line;

/* `length` bytes without the line end. */
af_line_kind af_line_parse(const char *bytes, size_t length, af_line *line);

#endif
