#include "cli/option.h"
#include "api/command.h"

#include <string.h>

static const af_option_section *const sections[] = {
    &af_options_output, &af_options_compare, &af_options_table, &af_options_picture,
    &af_options_steps,  &af_options_input,   &af_options_serve, &af_options_run,
};

const af_option_section *af_option_section_at(unsigned number)
{
    return number < G_N_ELEMENTS(sections) ? sections[number] : NULL;
}

const af_option *af_option_at(unsigned number)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(sections); i++) {
        for (const af_option *o = af_option_section_options(sections[i]); o->name != NULL; o++) {
            if (number-- == 0) {
                return o;
            }
        }
    }
    return NULL;
}

const af_option *af_option_lookup(unsigned verbs, const char *name, size_t length)
{
    const af_option *o;
    for (unsigned i = 0; (o = af_option_at(i)) != NULL; i++) {
        if ((o->verbs & verbs) != 0 && strlen(o->name) == length &&
            strncmp(o->name, name, length) == 0) {
            return o;
        }
    }
    return NULL;
}

const af_option *af_option_by_letter(unsigned verbs, char letter)
{
    const af_option *o;
    for (unsigned i = 0; (o = af_option_at(i)) != NULL; i++) {
        if ((o->verbs & verbs) != 0 && o->letter == letter && letter != '\0') {
            return o;
        }
    }
    return NULL;
}

const char *af_option_nearest(unsigned verbs, unsigned allowed, const char *typed)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const af_option *o;
    for (unsigned i = 0; (o = af_option_at(i)) != NULL; i++) {
        if ((o->verbs & verbs) != 0 && (o->allowed & allowed) == allowed) {
            g_ptr_array_add(names, (gpointer)o->name);
        }
    }
    g_ptr_array_add(names, NULL);
    return af_word_nearest(typed, (const char *const *)(void *)names->pdata);
}
