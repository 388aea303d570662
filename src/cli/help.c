#include "cli/help.h"

#include <string.h>
#include "cli/outputs.h"

#define INDENT 28 /* columns before the text of an option */

char *af_help_option(const af_option *option)
{
    const char letter[] = {'-', option->letter, ',', ' ', '\0'};
    return g_strdup_printf("%s--%s%s%s", option->letter != '\0' ? letter : "    ", option->name,
                           option->value != NULL ? "=" : "",
                           option->value != NULL ? option->value : "");
}

static char *list_formats(const af_verb *verb)
{
    char *lists = verb->formats != NULL ? af_formats_list(verb->formats) : g_strdup("");
    if (verb->pictures != NULL && verb->pictures != verb->formats) {
        char *pictures = af_formats_list(verb->pictures);
        char *both = g_strdup_printf("%s; %s", lists, pictures);
        g_free(pictures);
        g_free(lists);
        return both;
    }
    return lists;
}

static void add_option(GString *help, const af_option *option, const char *formats)
{
    char *usage = af_help_option(option);
    GString *text = g_string_new(option->help);
    g_string_replace(text, "%FORMATS%", formats, 0);
    g_string_append_printf(help, "  %-*s%s%s\n", INDENT - 2, usage,
                           strlen(usage) < INDENT - 2 ? "" : " ", text->str);
    g_string_free(text, TRUE);
    g_free(usage);
}

static void add_section(GString *help, const af_option_section *section, const af_verb *verb,
                        const char *formats)
{
    gboolean begun = FALSE;
    for (const af_option *o = section->options; o->name != NULL; o++) {
        if ((o->verbs & verb->bit) != 0) {
            g_string_append_printf(help, "%s%s%s", begun ? "" : "\n", begun ? "" : section->heading,
                                   begun ? "" : ":\n");
            add_option(help, o, formats);
            begun = TRUE;
        }
    }
}

af_exit af_help_print(const af_verb *verb)
{
    GString *help = g_string_new(NULL);
    char *formats = list_formats(verb);
    g_string_append_printf(help, "Usage:\n  aflame %s [OPTION...] %s\n\n%s\n", verb->name,
                           verb->operands, verb->about);
    const af_option_section *section;
    for (unsigned i = 0; (section = af_option_section_at(i)) != NULL; i++) {
        add_section(help, section, verb, formats);
    }
    g_string_append_printf(help, "\n%s\n", verb->examples);
    const af_exit status = af_output_print(help->str);
    g_free(formats);
    g_string_free(help, TRUE);
    return status;
}

af_exit af_help_print_verbs(void)
{
    GString *help =
        g_string_new("aflame draws traces of Android methods, and traces of other tools, as flame\n"
                     "graphs.\n"
                     "\n"
                     "Usage:\n"
                     "  aflame TRACE                 draw TRACE as an SVG in this directory\n"
                     "  aflame VERB [OPTION...] ...  see below\n"
                     "\n"
                     "Verbs:\n");
    const af_verb *verb;
    for (unsigned i = 0; (verb = af_verb_at(i)) != NULL; i++) {
        g_string_append_printf(help, "  %-28s %s\n", verb->name, verb->title);
    }
    g_string_append(help,
                    "  help VERB                    print the manual page of a verb\n"
                    "  help TOPIC                   the same of formats, config or libaflame\n"
                    "\n"
                    "Options:\n"
                    "  -h, --help                   print this help; after a verb: its options\n"
                    "  -V, --version                print the version; with -v the libraries' too\n"
                    "\n"
                    "Examples:\n"
                    "  aflame app.trace\n"
                    "  aflame render app.trace -o graph.svg -o graph.png -o graph.pdf\n"
                    "  aflame info app.trace\n"
                    "  aflame convert app.trace -o app.folded\n"
                    "\n"
                    "Exit codes:\n");
    const af_exit_text *code;
    for (unsigned i = 0; (code = af_exit_text_at(i)) != NULL; i++) {
        g_string_append_printf(help, "  %d  %s\n", (int)code->code, code->text);
    }
    const af_exit status = af_output_print(help->str);
    g_string_free(help, TRUE);
    return status;
}
