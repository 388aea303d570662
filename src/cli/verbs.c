#include "cli/verbs.h"

#include "api/command.h"
#include "cli/options.h"

static const af_verb *const verbs[] = {
    &af_verb_render, &af_verb_info,    &af_verb_convert, &af_verb_report,
    &af_verb_calls,  &af_verb_explain, &af_verb_diff,    &af_verb_check,
    &af_verb_merge,  &af_verb_serve,   &af_verb_send,
};

AF_NAMED_TABLE(af_verb, verbs, af_verb_at, af_verb_lookup)

const char *af_verb_nearest(const char *typed)
{
    const char *names[G_N_ELEMENTS(verbs) + 2];
    for (unsigned i = 0; i < G_N_ELEMENTS(verbs); i++) {
        names[i] = verbs[i]->name;
    }
    names[G_N_ELEMENTS(verbs)] = "help";
    names[G_N_ELEMENTS(verbs) + 1] = NULL;
    return af_word_nearest(typed, names);
}

af_exit af_verb_run(const af_verb *verb, int argc, char **argv, gboolean implied,
                    const char *input_name)
{
    af_exit status;
    af_options options = {.implied = implied, .input_name = input_name};
    if (af_options_read(verb, argc, argv, &options, &status)) {
        status = verb->run(&options);
    }
    af_options_free(&options);
    return status;
}
