/* The verbs of the command: one table, one file for each. Help is made from the table and from
 * the verbs' option tables. */
#ifndef AF_CLI_VERBS_H
#define AF_CLI_VERBS_H

#include "cli/message.h"

typedef struct {
    const char *name;     /* "render" */
    const char *operands; /* "TRACE..." */
    const char *title;    /* one line for the list of verbs */
    const char *about;    /* what stands above the options in its help */
    const char *examples; /* what stands below them */
    /* argv[0] is the verb. */
    af_exit (*run)(int argc, char **argv);
} af_verb;

extern const af_verb af_verb_render;
extern const af_verb af_verb_info;
extern const af_verb af_verb_convert;
extern const af_verb af_verb_report;
extern const af_verb af_verb_calls;

/* NULL past the end, NULL if no verb has the name. */
const af_verb *af_verb_at(unsigned number);
const af_verb *af_verb_lookup(const char *name);

/* The nearest verb to a mistyped one, or NULL. */
const char *af_verb_nearest(const char *typed);

/* `aflame TRACE`: render, which says what it did. */
af_exit af_render_implied(int argc, char **argv);

#endif
