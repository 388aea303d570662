/* Words of compilers and runtimes in names, and the numbers that they assign there. Two builds or two
 * runs of the same code give the numbers to other things: comparisons ignore them, pseudonyms keep
 * them. Numbers that carry meaning (Fragment2) are not among them. */
#pragma once

#include <glib.h>

/* The text after a word, and the part of it that is the number. */
typedef enum {
    AF_ASSIGNED_DECIMAL, /* a decimal number */
    AF_ASSIGNED_HEX,     /* a hexadecimal number */
    AF_ASSIGNED_LAMBDA,  /* "12/0x7f3a", "/0x7f3a", "12" */
    AF_ASSIGNED_PURPOSE, /* letters that tell the purpose, then a decimal number */
    AF_ASSIGNED_NAME,    /* a name up to the next $, then a decimal number */
    AF_ASSIGNED_HASH,    /* a name up to the next $, then anything up to a dot */
} af_assigned_form;

typedef enum {
    AF_ASSIGNED_CLASS,   /* a part of a class, after a $ or alone */
    AF_ASSIGNED_METHOD,  /* the start of a method */
    AF_ASSIGNED_ADDRESS, /* the end of a name of native code, or of a slice */
} af_assigned_part;

typedef struct {
    const char *word; /* "$$Lambda$" */
    af_assigned_form form;
    af_assigned_part part;
    const char *example; /* "Main$$ExternalSyntheticLambda3.run" */
    const char *becomes; /* "Main$$ExternalSyntheticLambda#.run" */
    const char *about;   /* what assigns the number */
} af_assigned_word;

/* In the order in which comparisons apply them; NULL past the end. */
const af_assigned_word *af_assigned_word_at(unsigned index);

/* The length of the number in `rest`, which follows a word, and its offset; 0 = there is none. */
size_t af_assigned_number_find(af_assigned_form form, const char *rest, size_t *offset);

/* The length of a hexadecimal number, without a prefix. */
size_t af_assigned_count_hex(const char *text);

/* The length of the word that a part of a class begins with, without the signs around the word, if
 * only a number follows in part[0 .. length); otherwise 0. */
size_t af_assigned_class_word(const char *part, size_t length);

/* The word that a method begins with, and the offset of the number that ends it; NULL = another
 * name. */
const af_assigned_word *af_assigned_method_word(const char *name, size_t *number);

/* The offset of the address that ends a name of native code, with the signs before it; the length
 * of any other name. */
size_t af_assigned_address(const char *name);
