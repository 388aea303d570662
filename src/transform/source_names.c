#include "transform/source_names.h"

#include <string.h>

/* Rewrites "CLASS\nMETHOD". */
typedef struct {
    const char *pattern, *replacement;
    af_made_kind kind; /* of a name that needs no further rule; else AF_MADE_BY_PEOPLE */
} rule;

/* Longer names are not rewritten: the backtracking of a regular expression needs memory and stack. */
enum { LONGEST_NAME = 2000 };

#define LAMBDA "[$][$](?:Lambda|(?:Ex|In)ternalSyntheticLambda)"

/* Groups with ?+ and ?> keep hostile names from taking quadratic time. */
static const rule rules[] = {
    {"\n[$]r8[$]lambda[$]", "\\0", AF_MADE_LAMBDA_FORWARDER},

    /* access$000, access$getFoo$p, -$$Nest$fgetfoo */
    {"\n(?:-[$][$]Nest[$]|access[$].)", "\\0", AF_MADE_FORWARDER},

    /* Foo$$InternalSyntheticOutline$1, Foo$$ExternalSyntheticOutline0, outline.a, X.outline12: code
     * that several methods share */
    {"^(?:(?:.*[.])?+(?>[^.\n]*?[$][$](?:Ex|In)ternalSyntheticOutline)[^.\n]*\n.*"
     "|(?:.*[.])?outline\n.*|.*\noutline[0-9]+)$",
     "\\0 {outline}", AF_MADE_OTHERWISE},

    /* -$$Lambda$Foo$hash belongs to Foo, -$$LambdaGroup$ks$hash to no class; Foo$$Lambda$1,
     * Foo$$Lambda/0x7f1, Foo$$ExternalSyntheticLambda0; java.lang.invoke.LambdaForm$DMH/0x7f1, which
     * a virtual machine generates while it creates a lambda */
    {"^((?:.*[.])?+)-[$][$]Lambda[$]([^.\n]+)[$][^.$\n]*\n", "\\1\\2\n\n", 0},
    {"^((?:.*[.])?+(?>[^.\n]*?(?=" LAMBDA ")))[^.\n]*\n(?!\n)", "\\1\n\n", 0},
    {"^(?:(.*)[.])?+(?>[^.\n]*?Lambda)[^.\n]*/0x[^.\n]*\n(?!\n)", "\\1\n\n", 0},
    {"(?:^|[.])-?\n\n", "\n\n", 0},
    {"\n\n(?=<)", "\n<lambda>.", AF_MADE_OTHERWISE},
    {"\n\n.*", "\n<lambda>", AF_MADE_LAMBDA_CLASS},

    /* Foo$bar$1.invokeSuspend, with $1$2... for lambdas in bar and $$inlined$... for code that was
     * inlined into it */
    {"^((?:(?![$][$]inlined[$]).)*[^.$\n])[$]([A-Za-z_][^.$\n]*)"
     "(?:(?:[$][0-9]+)+|(?:[$][0-9]+)*[$][$]inlined[$].*)\ninvokeSuspend$",
     "\\1\n\\2 {suspend}", 0},

    /* Foo$-CC, Foo$$CC, Foo$DefaultImpls, Foo$Companion */
    {"^(.+)[$](?:-CC|[$]CC|DefaultImpls|Companion)\n(?!<)(?:[$](?:default|private)[$])?", "\\1\n",
     0},

    /* top-level functions of Kotlin: the class names the file */
    {"^(?:(.*)[.])?[^.$\n]+Kt\n(?!<)", "\\1\n", 0},

    /* lambda$onCreate$0, lambda$onCreate$0$MainActivity; Kotlin: onCreate$lambda$0,
     * onCreate$lambda-0. A name that starts with a hyphen repeats the class: the compiler omitted the
     * method. */
    {"\nlambda[$]-.*?[$]([0-9]+)(?:[$].*)?$", "\n<lambda#\\1>", AF_MADE_LAMBDA_BODY},
    {"\nlambda[$](.+?)[$]([0-9]+)(?:[$].*)?$", "\n\\1.<lambda#\\2>", AF_MADE_LAMBDA_BODY},
    {"\n-.*[$]lambda[$-]([0-9]+)$", "\n<lambda#\\1>", AF_MADE_LAMBDA_BODY},
    {"\n(?!lambda[$])(.+)[$]lambda[$-]([0-9]+)$", "\n\\1.<lambda#\\2>", AF_MADE_LAMBDA_BODY},

    {"\n(?!<)(.+)[$]default$", "\n\\1", 0},

    /* bar-4WTKRHQ: 42 bits in base64, which is hardly ever only lower-case letters */
    {"\n(?!<)(.+)-(?![a-z]+$)[A-Za-z0-9_-]{7}$", "\n\\1", 0},

    /* bar$app_debug, bar$kotlinx_coroutines_core: words separated by single underscores */
    {"\n(?!<)(.*[^$\n])[$][A-Za-z0-9]+(?:_[A-Za-z0-9]+)+$", "\n\\1", 0},
};

/* "CLASS\nMETHOD" without any of these matches no rule: most names, in a fifth of the time. */
static const char suspects[] = "[$][$]|/0x|(?:Kt|-CC|[$]DefaultImpls|[$]Companion|outline)\n"
                               "|\n(?:.*[-$]|outline|invokeSuspend)";

/* "CLASS\nMETHOD\nSIGNATURE". Names that apps use for their own code (launch, withContext, delay,
 * Flow) are not included. Foo$bar$1.create makes the object of a suspend lambda; other classes have
 * methods of that name, too. */
static const char machinery[] =
    "^kotlin[.]coroutines[.]"
    "|^kotlinx[.]coroutines[.](?:AbstractCoroutine|CancellableContinuation|CancelHandler"
    "|ChildContinuation|ChildHandle|CompletedContinuation|CompletionState|CoroutineContextKt"
    "|CoroutineStart|Dispatched|EventLoop|JobCancellingNode|JobNode|JobSupport|ResumeMode"
    "|StandaloneCoroutine|ThreadLocalEventLoop|UndispatchedCoroutine|android[.]HandlerContext"
    "|internal[.]|intrinsics[.]|scheduling[.])"
    "|^.+[$][0-9]+\ncreate\n(?:.*[)]Lkotlin/coroutines/Continuation;)?$";

/* Foo-IA in "(int, Foo-IA)", with its comma. */
static const char marker_arguments[] = ", [^( ]*-IA(?=[,)])|(?<=[(])(?:[^( ]*-IA(?:, |(?=[)])))++";

/* Compiles a pattern at its first use. Names are bytes; the default newlines include 0x85, which is
 * part of many characters. */
static GRegex *compile(GRegex **regex, const char *pattern)
{
    const GRegexCompileFlags flags =
        G_REGEX_RAW | G_REGEX_NEWLINE_LF | G_REGEX_OPTIMIZE | G_REGEX_DOLLAR_ENDONLY;
    if (g_once_init_enter(regex)) {
        g_once_init_leave(regex, g_regex_new(pattern, flags, 0, NULL));
    }
    return *regex;
}

static gboolean rewrite(const GRegex *regex, GString *text, const char *replacement)
{
    g_autofree char *rewritten =
        g_regex_match(regex, text->str, 0, NULL)
            ? g_regex_replace(regex, text->str, (gssize)text->len, 0, replacement, 0, NULL)
            : NULL;
    if (rewritten != NULL) {
        g_string_assign(text, rewritten);
    }
    return rewritten != NULL;
}

af_made_kind af_source_name(GString *class_name, GString *method)
{
    static GRegex *suspect, *compiled[G_N_ELEMENTS(rules)];
    if (class_name->len + method->len > LONGEST_NAME) {
        return AF_MADE_BY_PEOPLE;
    }
    g_autoptr(GString) text = g_string_new(class_name->str);
    g_string_append_c(text, '\n');
    g_string_append(text, method->str);
    af_made_kind kind = AF_MADE_BY_PEOPLE;
    const gboolean is_suspect = g_regex_match(compile(&suspect, suspects), text->str, 0, NULL);
    for (unsigned i = 0; is_suspect && i < G_N_ELEMENTS(rules); i++) {
        if (rewrite(compile(&compiled[i], rules[i].pattern), text, rules[i].replacement)) {
            kind = AF_MADE_OTHERWISE;
            if (rules[i].kind != AF_MADE_BY_PEOPLE) {
                kind = rules[i].kind;
                break;
            }
        }
    }
    if (kind != AF_MADE_BY_PEOPLE) {
        const char *end = strchr(text->str, '\n');
        g_string_assign(method, end + 1);
        g_string_truncate(text, (gsize)(end - text->str));
        g_string_assign(class_name, text->str);
    }
    return kind;
}

gboolean af_source_is_machinery(const char *class_name, const char *method, const char *signature)
{
    static GRegex *regex;
    g_autofree char *text =
        g_strjoin("\n", class_name, method, signature == NULL ? "" : signature, NULL);
    return g_regex_match(compile(&regex, machinery), text, 0, NULL);
}

void af_source_arguments(GString *arguments)
{
    static GRegex *regex;
    if (strstr(arguments->str, "-IA") != NULL) {
        rewrite(compile(&regex, marker_arguments), arguments, "");
    }
}
