#include "cli/options.h"
#include "api/command.h"

#include <string.h>

static const char *const orders[] = {"first", "time", "name", NULL};

/* What the options of steps have in common, by the kind of their value. */
static const struct {
    const char *value;
    char letter;
    unsigned verbs, needs;
    af_option_repeat repeat;
    const char *const *words;
    uint32_t least, most;
} by_value[] = {
    [AF_STEP_NO_VALUE] = {NULL, 0, AF_STEPPING | AF_EXPLAIN, AF_NEEDS_TABLES | AF_NEEDS_GRAPH,
                          AF_CUMULATED, NULL, 0, 0},
    [AF_STEP_SELECTOR] = {"WHICH", 't', (AF_STEPPING | AF_EXPLAIN) & ~AF_CHECK, 0, AF_REPEATED,
                          NULL, 0, 0},
    [AF_STEP_PATTERN] = {"PATTERN", 0, AF_STEPPING | AF_EXPLAIN, AF_NEEDS_TABLES | AF_NEEDS_GRAPH,
                         AF_CUMULATED, NULL, 0, 0},
    [AF_STEP_DEPTH] = {"N", 0, AF_STEPPING | AF_EXPLAIN, AF_NEEDS_TABLES | AF_NEEDS_GRAPH,
                       AF_REPEATED, NULL, 1, UINT32_MAX},
    [AF_STEP_TIME] = {"TIME", 0, AF_STEPPING | AF_EXPLAIN, AF_NEEDS_TABLES | AF_NEEDS_GRAPH,
                      AF_REPEATED, NULL, 0, 0},
    [AF_STEP_ORDER] = {"ORDER", 0, AF_RENDER | AF_CONVERT, AF_NEEDS_GRAPH | AF_NEEDS_SIBLINGS,
                       AF_LAST, orders, 0, 0},
};

/* The verbs that have an option of that name in a table of their own. */
static unsigned find_verbs(const char *name)
{
    unsigned verbs = 0;
    for (const af_option *o = af_options_table.options; o->name != NULL; o++) {
        verbs |= strcmp(o->name, name) == 0 ? o->verbs : 0;
    }
    return verbs;
}

enum { MOST = 64 };

static const af_option *list_steps(void)
{
    static af_option options[MOST];
    static gboolean listed;
    af_step_kind_view step;
    for (unsigned i = 0; !listed && i + 1 < MOST && af_step_kind_describe(i, &step); i++) {
        options[i] = (af_option){
            .name = step.name,
            .letter = by_value[step.value].letter,
            .value = by_value[step.value].value,
            .help = step.help,
            .manual = step.about,
            .verbs = by_value[step.value].verbs & ~find_verbs(step.name),
            .allowed = AF_IN_FILE | AF_IN_QUERY,
            .needs = by_value[step.value].needs,
            .repeat = by_value[step.value].repeat,
            AF_READ(af_read_step, steps.steps),
            .step = (int)i,
            .words = by_value[step.value].words,
            AF_RANGE(by_value[step.value].least, by_value[step.value].most),
        };
    }
    listed = TRUE;
    return options;
}

const af_option_section af_options_steps = {
    .title = "Selecting and reshaping",
    .hint = "  Applied in the order typed. A PATTERN is text, /regex/, /regex/i, =exact\n"
            "  or a glob such as com.me.**; a leading ! negates it.\n",
    .list = list_steps,
};
