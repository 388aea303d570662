#include "cli/help.h"

#include <string.h>
#include "cli/outputs.h"

#define INDENT 28 /* columns before the text of an option */

/* "-o, --output=FILE", "    --theme=NAME". Free with g_free(). */
static char *write_usage(const af_option *option)
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
        g_autofree char *pictures = af_formats_list(verb->pictures);
        char *both = g_strdup_printf("%s; %s", lists, pictures);
        g_free(lists);
        return both;
    }
    return lists;
}

char *af_help_text(const char *text, const af_verb *verb)
{
    g_autofree char *formats = list_formats(verb);
    g_auto(GStrv) parts = g_strsplit(text, "%FORMATS%", -1);
    return g_strjoinv(formats, parts);
}

static void add_option(GString *help, const af_option *option, const af_verb *verb)
{
    g_autofree char *usage = write_usage(option), *text = af_help_text(option->help, verb);
    g_string_append_printf(help, "  %-*s%s%s\n", INDENT - 2, usage,
                           strlen(usage) < INDENT - 2 ? "" : " ", text);
}

gboolean af_help_is_common(const af_option *option)
{
    static const char *const common[] = {"output", "format", "thread", "clock", "focus",
                                         "hide",   "fold",   "from",   "to",    "mapping",
                                         "names",  "width",  NULL};
    return g_strv_contains(common, option->name);
}

/* The common options of a verb in a section of their own. Returns the number of the others. */
static unsigned add_common(GString *help, const af_verb *verb)
{
    unsigned others = 0;
    const af_option *o;
    g_string_append(help, "\nCommon options:\n");
    for (unsigned i = 0; (o = af_option_at(i)) != NULL; i++) {
        if ((o->verbs & verb->bit) != 0 && af_help_is_common(o)) {
            add_option(help, o, verb);
        } else if ((o->verbs & verb->bit) != 0) {
            others++;
        }
    }
    return others;
}

/* The options of a section that are not common. */
static void add_section(GString *help, const af_option_section *section, const af_verb *verb)
{
    const gboolean reads = (verb->bit & AF_READING) != 0;
    gboolean begun = FALSE;
    for (const af_option *o = af_option_section_options(section); o->name != NULL; o++) {
        if ((o->verbs & verb->bit) == 0 || (reads && af_help_is_common(o))) {
            continue;
        }
        if (!begun) {
            g_string_append_printf(help, "\n%s:\n%s", section->title,
                                   section->hint != NULL ? section->hint : "");
        }
        add_option(help, o, verb);
        begun = TRUE;
    }
}

/* The common options, then the others, or how to list them. The few of a server are all shown. */
static void add_options(GString *help, const af_verb *verb, gboolean all)
{
    const gboolean reads = (verb->bit & AF_READING) != 0;
    const unsigned others = reads ? add_common(help, verb) : 0;
    const af_option_section *section;
    for (unsigned i = 0; (all || !reads) && (section = af_option_section_at(i)) != NULL; i++) {
        add_section(help, section, verb);
    }
    if (reads && !all) {
        g_string_append_printf(help, "\n\"aflame %s --help --all\" lists %u more options.\n",
                               verb->name, others);
    }
}

af_exit af_help_print(const af_verb *verb, gboolean all)
{
    g_autoptr(GString) help = g_string_new(NULL);
    g_string_append_printf(help, "Usage:\n  aflame %s [OPTION...]%s%s\n\n%s\n", verb->name,
                           verb->operands[0] != '\0' ? " " : "", verb->operands, verb->about);
    add_options(help, verb, all);
    g_string_append_printf(help, "\n%s\n", verb->examples);
    return af_output_print(help->str);
}

af_exit af_help_print_verbs(gboolean all)
{
    g_autoptr(GString) help =
        g_string_new("aflame draws Android method traces and other profiles as flame graphs.\n"
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
    g_string_append(
        help, "  help VERB                    print the manual page of a verb\n"
              "  help TOPIC                   pages: agents, config, formats, libaflame\n"
              "\n"
              "Options:\n"
              "  -h, --help                   print this help; after a verb: its options\n"
              "  -V, --version                print the version; with -v the libraries' too\n");
    add_options(help, &af_verb_render, all);
    g_string_append(help, "\n"
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
    return af_output_print(help->str);
}
