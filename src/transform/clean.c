/* Cleans up frames of code that compilers generated: renames them as in the source, removes frames
 * that only pass a call on, and dims those that only run coroutines. A caller and its callee merge
 * if only cleaning gave them the same name; real recursion stays. */
#include "transform/step.h"

#include <string.h>

#include "base/memory_error.h"
#include "transform/source_names.h"

/* Arrays by label. */
typedef struct {
    uint32_t *label; /* after cleaning */
    guint8 *kind;    /* af_made_kind */
} cleaning;

/* The longest chain of frames with one name that merges; a longer one is not a bridge. */
enum { CHAIN_MAX = 8 };

/* Whether a node and its caller, which became `caller`, belonged to different methods and now have
 * one name. FALSE if the node's method occurs between them, because it then calls itself. */
static gboolean is_bridged(const af_tree *tree, const af_plan *plan, const cleaning *c, uint32_t n,
                           uint32_t caller)
{
    uint32_t at = tree->parent[n];
    for (unsigned i = 0; i < CHAIN_MAX; i++) {
        if (plan->into[at] != caller || c->label[tree->label[at]] != c->label[tree->label[n]] ||
            tree->label[at] == tree->label[n]) {
            return FALSE;
        }
        if (at == caller) {
            return TRUE;
        }
        at = tree->parent[at];
    }
    return FALSE;
}

static uint64_t plan_clean(const af_tree *tree, af_plan *plan, const void *user)
{
    const cleaning *c = user;
    guint8 *forwards = plan->emptied; /* borrowed until its bytes get their meaning */
    /* Marks frames that only pass a call on. */
    for (uint32_t n = tree->n - 1; n > 0; n--) {
        const uint32_t parent = tree->parent[n];
        const guint8 kind = c->kind[tree->label[n]];
        forwards[n] |= kind == AF_MADE_FORWARDER || kind == AF_MADE_LAMBDA_FORWARDER;
        if (parent != 0 && c->kind[tree->label[parent]] == AF_MADE_LAMBDA_CLASS &&
            (kind == AF_MADE_LAMBDA_BODY || kind == AF_MADE_LAMBDA_FORWARDER)) {
            forwards[parent] = 1;
        }
    }
    uint64_t cleaned = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t label = tree->label[n], caller = plan->into[tree->parent[n]];
        plan->parent[n] = caller;
        plan->label[n] = c->label[label];
        /* without a caller nobody could take the time */
        if (caller != 0 && (forwards[n] != 0 || is_bridged(tree, plan, c, n, caller))) {
            plan->into[n] = caller;
        }
        cleaned += plan->into[n] != n || plan->label[n] != label;
    }
    memset(forwards, 0, tree->n);
    return cleaned;
}

/* "pkg.Class.method(int)" from new parts. */
static uint32_t add_cleaned(af_working_copy *draft, const af_label *old, const GString *class_name,
                            const GString *method, const GString *arguments)
{
    g_autofree char *text = g_strconcat(class_name->str, class_name->len > 0 ? "." : "",
                                        method->str, arguments->str, NULL);
    af_label like = *old;
    like.class_length = (uint32_t)class_name->len;
    like.method_at = class_name->len > 0 ? (uint32_t)class_name->len + 1 : 0;
    return af_working_copy_add_label(draft, &like, text);
}

/* The names in the trace count, not the label, which may be short. */
static void dim_machinery(af_working_copy *draft, uint32_t l)
{
    af_label *label = &AF_ARRAY_AT(&draft->labels, af_label, l);
    const af_method *method = &draft->made->methods[label->method];
    if (label->methods > 0 && method->class_name != NULL && method->name != NULL &&
        af_source_is_machinery(method->class_name, method->name, method->signature)) {
        label->shade = AF_CATEGORY_DIM;
    }
}

static gboolean clean_label(af_working_copy *draft, uint32_t l, cleaning *c)
{
    dim_machinery(draft, l);
    const af_label old = draft->made->labels[l];
    c->label[l] = l;
    c->kind[l] = AF_MADE_BY_PEOPLE;
    if (old.class_length == 0 || old.method_at == 0 || old.method_at >= old.length) {
        return TRUE;
    }
    const char *name = old.text + old.method_at;
    const gsize length = strcspn(name, "(");
    g_autoptr(GString) class_name = g_string_new_len(old.text, old.class_length);
    g_autoptr(GString) method = g_string_new_len(name, (gssize)length);
    g_autoptr(GString) arguments = g_string_new(name + length);
    c->kind[l] = (guint8)af_source_name(class_name, method);
    if (c->kind[l] == AF_MADE_BY_PEOPLE && old.synthetic) {
        c->kind[l] = AF_MADE_FORWARDER;
    } else if (c->kind[l] == AF_MADE_BY_PEOPLE &&
               (g_strcmp0(draft->made->methods[old.method].source, "D8$$SyntheticClass") == 0 ||
                g_strcmp0(draft->made->methods[old.method].source, "R8$$SyntheticClass") == 0)) {
        c->kind[l] = AF_MADE_OTHERWISE;
        g_string_append(method, " {generated}");
    }
    af_source_arguments(arguments);
    if (c->kind[l] != AF_MADE_BY_PEOPLE || arguments->len < strlen(name + length)) {
        c->label[l] = add_cleaned(draft, &old, class_name, method, arguments);
    }
    return c->label[l] != AF_NO_LABEL;
}

static gboolean clean_labels(af_working_copy *draft, const af_step *step, GError **error)
{
    const uint32_t n = draft->made->n_labels; /* the loop adds labels */
    cleaning c = {g_try_new(uint32_t, (gsize)n + 1), g_try_malloc((gsize)n + 1)};
    gboolean ok = c.label != NULL && c.kind != NULL;
    for (uint32_t l = 0; ok && l < n; l++) {
        ok = clean_label(draft, l, &c);
    }
    ok = ok ? af_working_copy_replan(draft, plan_clean, NULL, &c, error)
            : af_memory_error_set(error);
    g_free(c.label);
    g_free(c.kind);
    return ok;
}

const af_step_class af_step_clean = {
    "clean", "Names as in the source, without bridges",
    "Show names as in the source: Foo.<lambda> for\n"
    "Foo$$ExternalSyntheticLambda0.run, trim for StringsKt.trim$default.\n"
    "Remove accessors and bridges, whose time goes to the caller, and dim the\n"
    "machinery of coroutines.\n"
    "{outline}, {generated} and {suspend} mark frames that the compiler generated from\n"
    "other code.",
    AF_STEP_NO_VALUE, .run = clean_labels};
