/* The verbs of the command: one table, and a file for each. Help and manual are made from this
 * table and from the table of options. */
#pragma once

#include "cli/message.h"

struct af_options;
typedef struct af_formats af_formats;

typedef struct {
    const char *name;           /* "render" */
    unsigned bit;               /* in the table of options */
    const char *operands;       /* "TRACE..." */
    const char *title;          /* one line for the list of verbs */
    const char *about;          /* precedes the options in its help */
    const char *examples;       /* follow them */
    const af_formats *formats;  /* of its outputs; NULL = none */
    const af_formats *pictures; /* of the pictures that it draws; NULL = none */
    af_exit (*run)(const struct af_options *options);
} af_verb;

extern const af_verb af_verb_render;
extern const af_verb af_verb_info;
extern const af_verb af_verb_convert;
extern const af_verb af_verb_report;
extern const af_verb af_verb_calls;
extern const af_verb af_verb_explain;
extern const af_verb af_verb_diff;
extern const af_verb af_verb_check;
extern const af_verb af_verb_merge;
extern const af_verb af_verb_serve;
extern const af_verb af_verb_send;

/* NULL past the end; NULL if no verb has the name. */
const af_verb *af_verb_at(unsigned number);
const af_verb *af_verb_lookup(const char *name);

/* The verb closest to a mistyped one, or NULL. */
const char *af_verb_nearest(const char *typed);

/* argv[0] is the verb. `implied`: the verb was not typed. Messages and outputs call standard input
 * `input_name`; NULL = "standard input". */
af_exit af_verb_run(const af_verb *verb, int argc, char **argv, gboolean implied,
                    const char *input_name);
