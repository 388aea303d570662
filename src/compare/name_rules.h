/* Numbers in names that a compiler or a run assigns: two builds or two runs of the same code give
 * them to other things. Most rules are the words of model/assigned_number.h; the manual prints them
 * all. Numbers that carry meaning (Fragment2) stay. */
#pragma once

#include <glib.h>

typedef struct {
    const char *example; /* "Main$$ExternalSyntheticLambda3.run" */
    const char *becomes; /* "Main$$ExternalSyntheticLambda#.run" */
    const char *about;   /* what assigns the number */
} af_name_rule;

/* The rules in the order in which they apply; FALSE past the end. */
gboolean af_name_rule_at(unsigned number, af_name_rule *rule);

/* Replaces each such number of a label in `text` by #. Returns whether there was one. */
gboolean af_name_mask(GString *text);

/* Replaces the numbers of anonymous classes ($1) by #. */
gboolean af_name_mask_anonymous(GString *text);

/* Replaces each run of digits of a thread's name by #. */
void af_name_mask_digits(GString *text);
