#include "transform/source_names.h"

#include <string.h>

static gboolean cut_suffix(GString *text, const char *suffix)
{
    if (!g_str_has_suffix(text->str, suffix) || text->len == strlen(suffix)) {
        return FALSE;
    }
    g_string_truncate(text, text->len - strlen(suffix));
    return TRUE;
}

/* Where the class without its package begins. */
static gsize find_simple(const GString *class_name)
{
    const char *dot = strrchr(class_name->str, '.');
    return dot == NULL ? 0 : (gsize)(dot + 1 - class_name->str);
}

/* Leaves the package, or nothing. */
static void cut_simple(GString *class_name)
{
    const gsize simple = find_simple(class_name);
    g_string_truncate(class_name, simple > 0 ? simple - 1 : 0);
}

static gboolean is_constructor(const GString *method)
{
    return method->str[0] == '<';
}

static gsize count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* ---- lambdas ---- */

/* "-$$Lambda$Foo$hash" is of Foo, "-$$LambdaGroup$ks$hash" of nothing. */
static void cut_old_lambda(GString *class_name, gsize simple)
{
    static const char prefix[] = "-$$Lambda$";
    const char *name = class_name->str + simple;
    const char *hash = strrchr(name, '$');
    if (g_str_has_prefix(name, prefix) && hash > name + strlen(prefix)) {
        g_string_truncate(class_name, (gsize)(hash - class_name->str));
        g_string_erase(class_name, (gssize)simple, (gssize)strlen(prefix));
    } else {
        cut_simple(class_name);
    }
}

/* java.lang.invoke.LambdaForm$DMH/0x7f1: what a virtual machine makes up on the way to a lambda. */
static gboolean is_hidden_lambda(const char *simple)
{
    const char *lambda = strstr(simple, "Lambda");
    return lambda != NULL && strstr(lambda, "/0x") != NULL;
}

/* Foo$$Lambda$1, Foo$$Lambda/0x7f1, Foo$$ExternalSyntheticLambda0, -$$Lambda$Foo$hash. */
static gboolean rename_lambda_class(GString *class_name, GString *method)
{
    static const char *const marks[] = {"$$Lambda", "$$ExternalSyntheticLambda",
                                        "$$InternalSyntheticLambda"};
    const gsize simple = find_simple(class_name);
    const char *mark = NULL;
    for (unsigned i = 0; mark == NULL && i < G_N_ELEMENTS(marks); i++) {
        mark = strstr(class_name->str + simple, marks[i]);
    }
    if (mark == NULL && is_hidden_lambda(class_name->str + simple)) {
        mark = class_name->str + simple;
    }
    if (mark == NULL) {
        return FALSE;
    }
    const gsize at = (gsize)(mark - class_name->str);
    if (at == simple + 1 && class_name->str[simple] == '-') {
        cut_old_lambda(class_name, simple);
    } else if (at == simple) {
        cut_simple(class_name);
    } else {
        g_string_truncate(class_name, at);
    }
    if (is_constructor(method)) {
        g_string_prepend(method, "<lambda>.");
    } else {
        g_string_assign(method, "<lambda>");
    }
    return TRUE;
}

static void name_body(GString *method, const char *name, gsize length, const char *number)
{
    char *of = g_strndup(name, length);
    /* what begins with a hyphen is the class once more, by a compiler that forgot the method */
    g_string_printf(method, "%s%s<lambda#%.*s>", of[0] == '-' ? "" : of, of[0] == '-' ? "" : ".",
                    (int)count_digits(number), number);
    g_free(of);
}

/* lambda$onCreate$0, lambda$onCreate$0$MainActivity; Kotlin: onCreate$lambda$0, onCreate$lambda-0.
 */
static gboolean rename_lambda_body(GString *method)
{
    char *text = g_strdup(method->str);
    gboolean found = FALSE;
    if (g_str_has_prefix(text, "lambda$")) {
        const char *name = text + strlen("lambda$"), *end = strchr(name, '$');
        for (; end != NULL && !found; end = strchr(end + 1, '$')) {
            const gsize digits = count_digits(end + 1);
            if (end > name && digits > 0 && (end[1 + digits] == '\0' || end[1 + digits] == '$')) {
                name_body(method, name, (gsize)(end - name), end + 1);
                found = TRUE;
            }
        }
    } else {
        const char *mark = g_strrstr(text, "$lambda");
        const char *number = mark == NULL ? "" : mark + strlen("$lambda") + 1;
        if (mark != NULL && mark > text && (number[-1] == '$' || number[-1] == '-') &&
            count_digits(number) > 0 && number[count_digits(number)] == '\0') {
            name_body(method, text, (gsize)(mark - text), number);
            found = TRUE;
        }
    }
    g_free(text);
    return found;
}

/* ---- forwarders ---- */

/* access$000, access$getFoo$p, -$$Nest$fgetfoo. */
static gboolean is_forwarder(const GString *method)
{
    return g_str_has_prefix(method->str, "-$$Nest$") ||
           (g_str_has_prefix(method->str, "access$") && method->len > strlen("access$"));
}

/* ---- coroutines ---- */

/* What the names of classes begin with. What apps call themselves (launch, withContext, delay,
 * Flow) is not among them. */
static const char *const machinery[] = {
    "kotlin.coroutines.",
    "kotlinx.coroutines.AbstractCoroutine",
    "kotlinx.coroutines.CancellableContinuation",
    "kotlinx.coroutines.CancelHandler",
    "kotlinx.coroutines.ChildContinuation",
    "kotlinx.coroutines.ChildHandle",
    "kotlinx.coroutines.CompletedContinuation",
    "kotlinx.coroutines.CompletionState",
    "kotlinx.coroutines.CoroutineContextKt",
    "kotlinx.coroutines.CoroutineStart",
    "kotlinx.coroutines.Dispatched",
    "kotlinx.coroutines.EventLoop",
    "kotlinx.coroutines.JobCancellingNode",
    "kotlinx.coroutines.JobNode",
    "kotlinx.coroutines.JobSupport",
    "kotlinx.coroutines.ResumeMode",
    "kotlinx.coroutines.StandaloneCoroutine",
    "kotlinx.coroutines.ThreadLocalEventLoop",
    "kotlinx.coroutines.UndispatchedCoroutine",
    "kotlinx.coroutines.android.HandlerContext",
    "kotlinx.coroutines.internal.",
    "kotlinx.coroutines.intrinsics.",
    "kotlinx.coroutines.scheduling.",
};

/* Foo$bar$1: what kotlinc makes of a lambda in bar. */
static gboolean is_numbered(const char *class_name)
{
    const char *dollar = strrchr(class_name, '$');
    return dollar != NULL && dollar > class_name && count_digits(dollar + 1) > 0 &&
           dollar[1 + count_digits(dollar + 1)] == '\0';
}

gboolean af_source_is_machinery(const char *class_name, const char *method, const char *signature)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(machinery); i++) {
        if (g_str_has_prefix(class_name, machinery[i])) {
            return TRUE;
        }
    }
    /* the object of a suspend lambda; others have methods of that name too */
    const gboolean fits = signature == NULL || signature[0] == '\0' ||
                          g_str_has_suffix(signature, ")Lkotlin/coroutines/Continuation;");
    return fits && strcmp(method, "create") == 0 && is_numbered(class_name);
}

/* "bar" of Foo$bar$1.invokeSuspend, with $1$2... for lambdas in it and $$inlined$... for what was
 * written into it. */
static gboolean rename_coroutine(GString *class_name, GString *method)
{
    if (strcmp(method->str, "invokeSuspend") != 0) {
        return FALSE;
    }
    char *text = g_strdup(class_name->str);
    char *inlined = strstr(text, "$$inlined$");
    gboolean numbered = inlined != NULL;
    if (inlined != NULL) {
        *inlined = '\0';
    }
    char *dollar = strrchr(text, '$');
    while (dollar != NULL && dollar[1] != '\0' && dollar[1 + count_digits(dollar + 1)] == '\0') {
        *dollar = '\0';
        dollar = strrchr(text, '$');
        numbered = TRUE;
    }
    const gboolean fits = numbered && dollar != NULL && dollar > text + find_simple(class_name) &&
                          dollar[-1] != '$' && (g_ascii_isalpha(dollar[1]) || dollar[1] == '_');
    if (fits) {
        g_string_printf(method, "%s {suspend}", dollar + 1);
        g_string_truncate(class_name, (gsize)(dollar - text));
    }
    g_free(text);
    return fits;
}

/* ---- other names ---- */

/* Foo$-CC, Foo$$CC, Foo$DefaultImpls, Foo$Companion. */
static gboolean rename_holder(GString *class_name, GString *method)
{
    static const char *const suffixes[] = {"$-CC", "$$CC", "$DefaultImpls", "$Companion"};
    gboolean found = FALSE;
    for (unsigned i = 0; !found && !is_constructor(method) && i < G_N_ELEMENTS(suffixes); i++) {
        found = cut_suffix(class_name, suffixes[i]);
    }
    if (found && g_str_has_prefix(method->str, "$default$")) {
        g_string_erase(method, 0, (gssize)strlen("$default$"));
    } else if (found && g_str_has_prefix(method->str, "$private$")) {
        g_string_erase(method, 0, (gssize)strlen("$private$"));
    }
    return found;
}

/* Top-level functions of Kotlin: the class is the file. */
static gboolean rename_file(GString *class_name, const GString *method)
{
    const char *simple = class_name->str + find_simple(class_name);
    if (is_constructor(method) || strlen(simple) < 3 || !g_str_has_suffix(simple, "Kt") ||
        strchr(simple, '$') != NULL) {
        return FALSE;
    }
    cut_simple(class_name);
    return TRUE;
}

/* Foo$$InternalSyntheticOutline$1, Foo$$ExternalSyntheticOutline0, outline.a, X.outline12: a piece
 * of code that several methods share. */
static gboolean mark_outline(const GString *class_name, GString *method)
{
    const char *simple = class_name->str + find_simple(class_name), *number = method->str;
    gboolean found = strstr(simple, "$$InternalSyntheticOutline") != NULL ||
                     strstr(simple, "$$ExternalSyntheticOutline") != NULL ||
                     strcmp(simple, "outline") == 0;
    if (!found && g_str_has_prefix(number, "outline")) {
        number += strlen("outline");
        found = *number != '\0' && number[count_digits(number)] == '\0';
    }
    if (found) {
        g_string_append(method, " {outline}");
    }
    return found;
}

/* bar-4WTKRHQ: 42 bits in base64, which is all but never lower-case letters only. */
static gboolean cut_mangling(GString *method)
{
    enum { HASH = 7 };
    if (method->len < HASH + 2 || method->str[method->len - HASH - 1] != '-') {
        return FALSE;
    }
    gboolean odd = FALSE;
    for (const char *c = method->str + method->len - HASH; *c != '\0'; c++) {
        if (!g_ascii_isalnum(*c) && *c != '_' && *c != '-') {
            return FALSE;
        }
        odd = odd || !g_ascii_islower(*c);
    }
    if (odd) {
        g_string_truncate(method, method->len - HASH - 1);
    }
    return odd;
}

/* bar$app_debug, bar$kotlinx_coroutines_core: words with one underscore between any two. */
static gboolean cut_module(GString *method)
{
    const char *dollar = strrchr(method->str, '$');
    if (dollar == NULL || dollar == method->str || dollar[-1] == '$') {
        return FALSE;
    }
    unsigned words = 1;
    for (const char *c = dollar + 1; *c != '\0'; c++) {
        const gboolean between = *c == '_' && g_ascii_isalnum(c[-1]) && g_ascii_isalnum(c[1]);
        if (!between && !g_ascii_isalnum(*c)) {
            return FALSE;
        }
        words += between;
    }
    if (words > 1) {
        g_string_truncate(method, (gsize)(dollar - method->str));
    }
    return words > 1;
}

af_made_kind af_source_name(GString *class_name, GString *method)
{
    if (g_str_has_prefix(method->str, "$r8$lambda$")) {
        return AF_MADE_LAMBDA_FORWARDER;
    }
    if (is_forwarder(method)) {
        return AF_MADE_FORWARDER;
    }
    const gboolean constructs = is_constructor(method);
    if (mark_outline(class_name, method)) {
        return AF_MADE_OTHERWISE;
    }
    if (rename_lambda_class(class_name, method)) {
        return constructs ? AF_MADE_OTHERWISE : AF_MADE_LAMBDA_CLASS;
    }
    const gboolean body = rename_lambda_body(method);
    gboolean renamed = rename_coroutine(class_name, method);
    renamed = rename_holder(class_name, method) || renamed;
    renamed = rename_file(class_name, method) || renamed;
    renamed = (!constructs && cut_suffix(method, "$default")) || renamed;
    renamed = (!constructs && !body && cut_mangling(method)) || renamed;
    renamed = (!constructs && !body && cut_module(method)) || renamed;
    return body ? AF_MADE_LAMBDA_BODY : renamed ? AF_MADE_OTHERWISE : AF_MADE_BY_PEOPLE;
}

void af_source_arguments(GString *arguments)
{
    for (char *end = strstr(arguments->str, "-IA"); end != NULL;) {
        const gsize at = (gsize)(end - arguments->str);
        gsize begin = at;
        while (begin > 0 && arguments->str[begin - 1] != '(' && arguments->str[begin - 1] != ' ') {
            begin--;
        }
        const char next = end[3];
        gsize from = begin, to = at + 3;
        if (next == ',' || next == ')') {
            if (begin >= 2 && arguments->str[begin - 1] == ' ') {
                from = begin - 2; /* with the comma before it */
            } else if (next == ',') {
                to += 2;
            }
            g_string_erase(arguments, (gssize)from, (gssize)(to - from));
            end = strstr(arguments->str + from, "-IA");
        } else {
            end = strstr(end + 1, "-IA");
        }
    }
}
