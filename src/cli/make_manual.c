/* Makes a page of the manual while aflame is built, and writes it to standard output:
 *
 *     make_manual VERSION PAGE.in
 *
 * Lines such as `@OPTIONS render@` are replaced by lists made from the command's tables. `.Os` gets
 * the version, so that the page does not depend on the system that formats it. */
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include "cli/help.h"
#include "api/command.h"

/* Prints a sentence as a line of text: escapes macros and adds a full stop. */
static void print_sentence(const char *text)
{
    const gboolean macro = text[0] == '.' || text[0] == '\'';
    printf("%s%s%s\n", macro ? "\\&" : "", text, g_str_has_suffix(text, ".") ? "" : ".");
}

static void print_option(const af_option *option, const af_verb *verb)
{
    g_autofree char *text =
        af_help_text(option->manual != NULL ? option->manual : option->help, verb);
    printf(".It ");
    if (option->letter != '\0') {
        printf("Fl %c , ", option->letter);
    }
    printf("Fl -%s", option->name);
    if (option->value != NULL) {
        printf(" Ns = Ns Ar %s", option->value);
    }
    printf("\n");
    if (option->manual != NULL) {
        printf("%s\n", text);
    } else {
        print_sentence(text);
    }
}

/* Prints the options of a section that the verb has, if any; in a page of all sections without the
 * common ones. */
static gboolean print_section(const af_option_section *section, const af_verb *verb,
                              gboolean headed)
{
    const gboolean reads = (verb->bit & AF_READING) != 0;
    gboolean begun = FALSE;
    for (const af_option *o = af_option_section_options(section); o->name != NULL; o++) {
        if ((o->verbs & verb->bit) != 0 && !(headed && reads && af_help_is_common(o))) {
            if (!begun && headed) {
                printf(".Ss %s\n", section->title);
            }
            printf("%s", begun ? "" : ".Bl -tag -width Ds\n");
            print_option(o, verb);
            begun = TRUE;
        }
    }
    printf("%s", begun ? ".El\n" : "");
    return begun;
}

/* "render": all sections; "render Picture": one section. */
static gboolean print_options(const char *words)
{
    g_autofree char *name = g_strndup(words, strcspn(words, " "));
    const char *title = words[strlen(name)] == ' ' ? words + strlen(name) + 1 : NULL;
    const af_verb *verb = af_verb_lookup(name);
    gboolean any = FALSE;
    const af_option_section *section;
    if (verb != NULL && title == NULL && (verb->bit & AF_READING) != 0) {
        /* The common options of a verb that reads, before its sections. */
        const af_option *o;
        printf(".Ss Common options\n.Bl -tag -width Ds\n");
        for (unsigned i = 0; (o = af_option_at(i)) != NULL; i++) {
            if ((o->verbs & verb->bit) != 0 && af_help_is_common(o)) {
                print_option(o, verb);
            }
        }
        printf(".El\n");
    }
    for (unsigned i = 0; verb != NULL && (section = af_option_section_at(i)) != NULL; i++) {
        if (title == NULL || strcmp(title, section->title) == 0) {
            any = print_section(section, verb, title == NULL) || any;
        }
    }
    return any;
}

static void print_verbs(void)
{
    const af_verb *verb;
    printf(".Bl -tag -width convert\n");
    for (unsigned i = 0; (verb = af_verb_at(i)) != NULL; i++) {
        printf(".It Cm %s\n", verb->name);
        print_sentence(verb->title);
        printf("See\n.Xr aflame-%s 1 .\n", verb->name);
    }
    printf(".El\n");
}

static void print_exit_codes(void)
{
    const af_exit_text *code;
    printf(".Bl -tag -width Ds\n");
    for (unsigned i = 0; (code = af_exit_text_at(i)) != NULL; i++) {
        printf(".It %d\n", (int)code->code);
        print_sentence(code->text);
    }
    printf(".El\n");
}

static void print_inputs(void)
{
    printf(".Bl -tag -width report-sample -compact\n");
    for (unsigned i = 0; af_input_format(i) != NULL; i++) {
        printf(".It Cm %s\n%s\n", af_input_format(i), af_input_format_title(i));
    }
    printf(".El\n");
}

static void print_outputs(void)
{
    printf(".Bl -tag -width speedscope -compact\n");
    for (unsigned i = 0; af_convert_format(i) != NULL; i++) {
        const char *extensions = af_convert_format_extensions(i);
        printf(".It Cm %s\n%s\n.Pq Pa *.%.*s\n", af_convert_format(i), af_convert_format_title(i),
               (int)strcspn(extensions, " "), extensions);
    }
    printf(".El\n");
}

static void print_losses(void)
{
    printf(".Bl -tag -width speedscope -compact\n");
    for (unsigned i = 0; af_convert_format(i) != NULL; i++) {
        g_autofree char *losses = af_convert_format_losses(i);
        printf(".It Cm %s\n%s\n", af_convert_format(i), losses != NULL ? losses : "none of these");
    }
    printf(".El\n");
}

/* The text of a macro, not a macro itself. */
static void print_plain(const char *text)
{
    printf("\\&");
    for (; *text != '\0'; text++) {
        if (*text == '-') {
            printf("\\-");
        } else {
            putchar(*text);
        }
    }
}

static void print_name_rules(void)
{
    const char *example, *becomes, *about;
    printf(".Bl -tag -width Ds\n");
    for (unsigned i = 0; af_diff_name_rule(i, &example, &becomes, &about); i++) {
        printf(".It ");
        print_plain(example);
        printf(" becomes ");
        print_plain(becomes);
        printf("\n%s.\n", about);
    }
    printf(".El\n");
}

static gboolean print_placeholder(const char *what)
{
    if (g_str_has_prefix(what, "OPTIONS ")) {
        return print_options(what + strlen("OPTIONS "));
    }
    static const struct {
        const char *what;
        void (*print)(void);
    } lists[] = {
        {"VERBS", print_verbs},     {"EXIT_CODES", print_exit_codes},
        {"INPUTS", print_inputs},   {"NAME_RULES", print_name_rules},
        {"OUTPUTS", print_outputs}, {"LOSSES", print_losses},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
        if (strcmp(what, lists[i].what) == 0) {
            lists[i].print();
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean print_line(const char *line, const char *version)
{
    const size_t length = strlen(line);
    if (strcmp(line, ".Os") == 0) {
        printf(".Os aflame %s\n", version);
    } else if (length > 2 && line[0] == '@' && line[length - 1] == '@') {
        g_autofree char *what = g_strndup(line + 1, length - 2);
        return print_placeholder(what);
    } else {
        g_auto(GStrv) parts = g_strsplit(line, "@VERSION@", -1);
        g_autofree char *with_version = g_strjoinv(version, parts);
        printf("%s\n", with_version);
    }
    return TRUE;
}

static gboolean make_page(const char *version, const char *path)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(path, &text, NULL, &error)) {
        fprintf(stderr, "make_manual: %s\n", error->message);
        return FALSE;
    }
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    gboolean ok = TRUE;
    for (char **line = lines; ok && *line != NULL; line++) {
        ok = print_line(*line, version);
        if (!ok) {
            fprintf(stderr, "make_manual: %s:%d: unknown list %s\n", path, (int)(line - lines) + 1,
                    *line);
        }
    }
    return ok;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    if (argc != 3) {
        fputs("usage: make_manual VERSION PAGE.in\n", stderr);
        return 1;
    }
    return make_page(argv[1], argv[2]) && fflush(stdout) == 0 ? 0 : 1;
}
