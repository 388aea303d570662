#include "build/naming.h"

#include <string.h>

#include "build/proxy.h"
#include "build/sink_state.h"
#include "model/labels.h"
#include "model/tree_rewrite.h"

static const af_sink_method_state *method_state(const af_sink *sink, uint32_t method)
{
    static const af_sink_method_state unknown;
    return method < sink->methods.n ? &AF_ARRAY_AT(&sink->methods, af_sink_method_state, method)
                                    : &unknown;
}

/* Marks the methods that any record names. Returns NULL if memory is refused. */
static guint8 *find_used(const af_sink *sink, af_tree *const *trees, uint32_t n_trees)
{
    guint8 *used = g_try_malloc0((size_t)sink->method_ids.n + 1);
    for (uint32_t t = 0; t < n_trees && used != NULL; t++) {
        for (uint32_t n = 1; n < trees[t]->n; n++) {
            used[trees[t]->label[n]] = 1;
        }
    }
    for (uint32_t m = 0; m < sink->method_ids.n && used != NULL; m++) {
        used[m] |= (guint8)af_rebuild_missed(sink->rebuild, m);
    }
    return used;
}

/* Returns NULL for placeholders of unknown source files. */
static const char *know_source(const char *source)
{
    static const char *const unknown[] = {
        "",           "(null)", "Unknown Source", "D8$$SyntheticClass", "R8$$SyntheticClass",
        "SourceFile", NULL};
    return source == NULL || g_strv_contains(unknown, source) ||
                   g_str_has_prefix(source, "r8-map-id-")
               ? NULL
               : source;
}

static void describe(af_sink *sink, const af_method_text *text, af_method *method)
{
    if (af_sink_replaces(text->class_name) || af_sink_replaces(text->name)) {
        af_sink_warn(sink, AF_WARN_CONTROL_CHARACTERS, 1, AF_NO_OFFSET);
    }
    /* Converts a class name with slashes, as Dalvik writes it, to dots. The rest of the name is
     * unchanged. */
    char *clean = (char *)af_sink_clean(sink, text->class_name);
    for (char *c = clean; c != NULL && !text->whole && *c != '\0'; c++) {
        if (*c == '/') {
            *c = '.';
        }
    }
    method->class_name = clean;
    method->name = af_sink_clean(sink, text->name);
    method->signature = text->signature.length == 0 ? NULL : af_sink_clean(sink, text->signature);
    method->source = af_sink_clean(sink, text->source);
    method->library = af_sink_clean(sink, text->library);
    method->nowhere = text->nowhere.length == 0 ? NULL : af_sink_clean(sink, text->nowhere);
    method->group = text->group.length == 0 ? NULL : af_sink_clean(sink, text->group);
    method->line = text->line;
    const char *as_recorded = method->class_name;
    method->annotation = text->annotation;
    if (sink->rename != NULL) {
        sink->rename(sink->rename_user, sink->arena, method);
    }
    method->slashed = text->slashed && method->class_name == as_recorded;
    method->source = know_source(method->source);
}

/* Returns a method by its number, or its substitute: the interface's method or its id. */
static void describe_method(af_sink *sink, uint32_t m, af_method *method)
{
    const af_sink_method_state *state = method_state(sink, m);
    *method = (af_method){.id = sink->method_ids.ids[m], .line = -1, .defined = state->defined};
    if (state->defined) {
        describe(sink, &state->text, method);
        return;
    }
    g_autoptr(GString) name = g_string_new(NULL);
    if (state->has_proxy) {
        af_method of = {.defined = TRUE};
        describe(sink, &state->proxy, &of);
        of.signature = NULL;
        af_method_append_full(name, &of);
        g_string_append(name, " [proxy]");
        method->source = of.source;
        method->ambiguous = of.ambiguous;
        method->synthetic = of.synthetic;
    } else {
        g_string_printf(name, "0x%" G_GINT64_MODIFIER "x [%s]", method->id,
                        sink->undefined != AF_UNDEFINED_UNKNOWN ? "proxy" : "unknown");
    }
    method->proxy = af_arena_copy(sink->arena, name->str, name->len);
}

static void list_proxies(const af_sink *sink, const guint8 *used, af_proxy_method *methods)
{
    for (uint32_t m = 0; m < sink->method_ids.n; m++) {
        const af_sink_method_state *state = method_state(sink, m);
        const af_span name = state->text.whole ? state->text.class_name : state->text.name;
        methods[m] = (af_proxy_method){.id = sink->method_ids.ids[m],
                                       .name = !state->defined      ? NULL
                                               : name.bytes == NULL ? ""
                                                                    : name.bytes,
                                       .name_length = name.length,
                                       .used = used[m] != 0};
    }
}

/* Text and data files: pairs undefined methods in records with definitions that no record uses. */
static gboolean guess_proxies(af_sink *sink, const guint8 *used, af_tree *const *trees,
                              uint32_t n_trees)
{
    const uint32_t n = sink->method_ids.n;
    g_autofree uint32_t *named = g_try_new(uint32_t, (size_t)n + 1);
    g_autofree af_proxy_method *methods = g_try_new(af_proxy_method, (size_t)n + 1);
    g_autofree uint64_t *adopted = g_try_new(uint64_t, (size_t)n_trees + 1);
    gboolean ok = named != NULL && methods != NULL && adopted != NULL;
    if (ok) {
        list_proxies(sink, used, methods);
        for (uint32_t t = 0; t < n_trees; t++) {
            adopted[t] = af_rebuild_thread(sink->rebuild, t)->exits_on_empty;
        }
        ok = af_proxy_recover(methods, n, trees, adopted, n_trees, named);
    }
    for (uint32_t m = 0; m < n && ok; m++) {
        if (named[m] != AF_NO_LABEL) {
            const af_method_text text = method_state(sink, named[m])->text;
            af_sink_set_proxy(sink, m, &text);
        }
    }
    return ok;
}

/* Adds the methods that any record names to the profile. `method_of` maps their numbers in the sink
 * to those in the profile. */
static gboolean list_methods(af_sink *sink, af_profile *profile, const guint8 *used,
                             uint32_t *method_of)
{
    const uint32_t n = sink->method_ids.n;
    uint64_t unknown = 0;
    for (uint32_t m = 0; m < n; m++) {
        const gboolean defined = method_state(sink, m)->defined;
        profile->facts.counts.methods += defined && method_state(sink, m)->text.nowhere.length == 0;
        unknown += used[m] && !defined;
        method_of[m] = profile->n_methods;
        profile->n_methods += used[m];
    }
    profile->facts.counts.unknown_method_ids = unknown;
    if (unknown > 0) {
        af_sink_warn(sink,
                     sink->undefined != AF_UNDEFINED_UNKNOWN ? AF_WARN_PROXY_METHOD
                                                             : AF_WARN_UNKNOWN_METHOD,
                     unknown, AF_NO_OFFSET);
    }
    profile->methods =
        af_arena_alloc(sink->arena, sizeof(af_method) * ((size_t)profile->n_methods + 1));
    for (uint32_t m = 0; m < n && profile->methods != NULL; m++) {
        if (used[m]) {
            describe_method(sink, m, &profile->methods[method_of[m]]);
        }
    }
    return !af_arena_failed(sink->arena);
}

/* What the labels of trees, which are numbers of methods, become. */
typedef struct {
    const uint32_t *label_of;
    const uint32_t *method_of; /* NULL = the numbers are those of the profile */
    guint8 *shared;            /* by label: it has several methods; NULL = none has */
    gboolean keeps_methods;
} relabelling;

static inline uint32_t find_method(const relabelling *r, uint32_t number)
{
    return r->method_of != NULL ? r->method_of[number] : number;
}

/* The tree as it is stays next to the merged one, which takes its place. */
static gboolean merge_tree(const relabelling *r, af_tree **tree)
{
    af_tree *apart = *tree, *merged = af_tree_relabel(apart, r->label_of);
    if (merged == NULL) {
        return FALSE;
    }
    *tree = merged;
    if (!r->keeps_methods) {
        af_tree_free(apart);
        return TRUE;
    }
    merged->apart = apart;
    for (uint32_t i = 1; i < apart->n; i++) {
        apart->label[i] = find_method(r, apart->label[i]);
    }
    return TRUE;
}

/* Replaces method numbers by label numbers in the tree. Merging is needed only if siblings are
 * methods that share a label. */
static gboolean relabel_tree(const relabelling *r, af_tree **tree)
{
    if (r->shared != NULL && af_tree_has_twins(*tree, r->label_of, r->shared)) {
        return merge_tree(r, tree);
    }
    uint32_t *label = (*tree)->label, *method = NULL;
    if (r->shared != NULL && r->keeps_methods) {
        method = (*tree)->method = g_try_new0(uint32_t, (*tree)->n);
        if (method == NULL) {
            return FALSE;
        }
    }
    for (uint32_t i = 1; method != NULL && i < (*tree)->n; i++) {
        method[i] = find_method(r, label[i]);
    }
    for (uint32_t i = 1; i < (*tree)->n; i++) {
        label[i] = r->label_of[label[i]];
    }
    return TRUE;
}

gboolean af_naming_relabel(const af_profile *profile, const uint32_t *label_of,
                           const uint32_t *method_of, af_tree **trees, uint32_t n_trees)
{
    relabelling r = {label_of, method_of, NULL, profile->keeps_methods};
    gboolean ok = TRUE;
    if (profile->n_labels < profile->n_methods) {
        r.shared = g_try_malloc0((size_t)profile->n_labels + 1);
        ok = r.shared != NULL;
        for (uint32_t l = 0; ok && l < profile->n_labels; l++) {
            r.shared[l] = profile->labels[l].methods > 1;
        }
    }
    for (uint32_t t = 0; ok && t < n_trees; t++) {
        ok = relabel_tree(&r, &trees[t]);
    }
    g_free(r.shared);
    return ok;
}

/* Stores what a second reading must know, except the threads' indexes in the profile, which are not
 * known yet. */
static gboolean make_walk_plan(af_sink *sink, af_profile *profile, const guint8 *used,
                               const uint32_t *labels, const guint8 *forwards)
{
    const uint32_t n = sink->method_ids.n;
    af_walk_plan *plan =
        af_walk_plan_new(sink->arena, sink->rebuild, &sink->ticks, sink->thread_ids.n);
    uint64_t *ids = af_arena_alloc(sink->arena, ((size_t)n + 1) * sizeof *ids);
    uint32_t *label_of = af_arena_alloc(sink->arena, ((size_t)n + 1) * sizeof *label_of);
    if (plan == NULL || ids == NULL || label_of == NULL) {
        return FALSE;
    }
    for (uint32_t m = 0; m < n; m++) {
        ids[m] = sink->method_ids.ids[m];
        label_of[m] = used[m] ? labels[m] : AF_NO_LABEL;
    }
    for (uint32_t t = 0; t < sink->thread_ids.n; t++) {
        plan->threads[t].id = sink->thread_ids.ids[t];
        plan->threads[t].exited = af_sink_thread_state_of(sink, t)->exited;
    }
    plan->n_methods = n;
    plan->method_ids = ids;
    plan->label_of = label_of;
    plan->forwards = forwards;
    profile->walk_plan = plan;
    return TRUE;
}

gboolean af_naming_take(af_sink *sink, af_profile *profile, const af_open_options *options,
                        af_tree **trees, uint32_t n_trees)
{
    const uint32_t n = sink->method_ids.n;
    g_autofree guint8 *used = find_used(sink, trees, n_trees);
    g_autofree uint32_t *method_of = g_try_new0(uint32_t, (size_t)n + 1);
    g_autofree uint32_t *label_of = g_try_new0(uint32_t, (size_t)n + 1);
    gboolean ok = used != NULL && method_of != NULL && label_of != NULL &&
                  (sink->undefined != AF_UNDEFINED_PROXY_GUESSED ||
                   guess_proxies(sink, used, trees, n_trees)) &&
                  list_methods(sink, profile, used, method_of);
    g_autofree uint32_t *label_of_method =
        ok ? g_try_new0(uint32_t, (size_t)profile->n_methods + 1) : NULL;
    guint8 *forwards = af_arena_alloc(sink->arena, (size_t)n + 1);
    ok = label_of_method != NULL && forwards != NULL && af_labels_make(profile, label_of_method);
    for (uint32_t m = 0; m < n && ok; m++) {
        forwards[m] = used[m] && profile->methods[method_of[m]].forwards;
        label_of[m] = label_of_method[method_of[m]];
    }
    ok = ok && (!options->keep_input || make_walk_plan(sink, profile, used, label_of, forwards));
    return ok && af_naming_relabel(profile, label_of, method_of, trees, n_trees);
}
