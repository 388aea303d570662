#include "api/command.h"

#include <string.h>
#include "base/order.h"
#include "base/pull.h"

/* Where profilers of one benchmark overlap, the one whose traces say most comes first. */
static const char *const types[] = {"MethodTrace", "StackSamplingTrace", "PerfettoTrace"};

typedef struct {
    char *name;                             /* com.example.Startup.cold[mode=WARM] */
    GPtrArray *traces[G_N_ELEMENTS(types)]; /* paths */
} benchmark;

/* The results of a folder. The strings hold the current benchmark and its current trace. */
typedef struct {
    const char *folder;
    GPtrArray *benchmarks;
    benchmark *current;
    GString *class_name, *name, *params, *type, *file;
} listing;

typedef void (*take_func)(listing *l, af_span key, const af_pull_value *value);

static void free_benchmark(gpointer user)
{
    g_autofree benchmark *b = user;
    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        g_ptr_array_unref(b->traces[i]);
    }
    g_free(b->name);
}

static benchmark *new_benchmark(void)
{
    benchmark *b = g_new0(benchmark, 1);
    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        b->traces[i] = g_ptr_array_new_with_free_func(g_free);
    }
    return b;
}

static void take_text(GString *to, const af_pull_value *value)
{
    if (value->kind == AF_PULL_STRING) {
        g_autoptr(GString) buffer = g_string_new(NULL);
        const af_span text = af_pull_text(value, buffer);
        g_string_truncate(to, 0);
        g_string_append_len(to, text.bytes, (gssize)text.length);
    }
}

static void take_members(listing *l, af_span object, take_func take)
{
    af_pull json = af_pull_into(object);
    af_pull_value key, value;
    while (af_pull_member(&json, &key, &value)) {
        take(l, key.text, &value);
    }
}

static void take_objects(listing *l, const af_pull_value *array,
                         void (*take)(listing *l, af_span object))
{
    af_pull json = af_pull_into(array->text);
    af_pull_value value;
    if (array->kind != AF_PULL_ARRAY) {
        return;
    }
    while (af_pull_item(&json, &value)) {
        if (value.kind == AF_PULL_OBJECT) {
            take(l, value.text);
        }
    }
}

static void take_output_member(listing *l, af_span key, const af_pull_value *value)
{
    if (af_span_is(key, "type")) {
        take_text(l->type, value);
    } else if (af_span_is(key, "filename")) {
        take_text(l->file, value);
    }
}

/* The files are next to the results, also where the device had them in folders. */
static void take_output(listing *l, af_span object)
{
    g_string_truncate(l->type, 0);
    g_string_truncate(l->file, 0);
    take_members(l, object, take_output_member);
    for (unsigned i = 0; l->file->len > 0 && i < G_N_ELEMENTS(types); i++) {
        if (strcmp(l->type->str, types[i]) == 0) {
            g_autofree char *base = g_path_get_basename(l->file->str);
            g_ptr_array_add(l->current->traces[i], g_build_filename(l->folder, base, NULL));
        }
    }
}

static void take_parameter(listing *l, af_span key, const af_pull_value *value)
{
    g_string_append_c(l->params, l->params->len == 0 ? '[' : ',');
    g_string_append_len(l->params, key.bytes, (gssize)key.length);
    g_string_append_c(l->params, '=');
    g_string_append_len(l->params, value->text.bytes, (gssize)value->text.length);
}

static void take_benchmark_member(listing *l, af_span key, const af_pull_value *value)
{
    if (af_span_is(key, "name")) {
        take_text(l->name, value);
    } else if (af_span_is(key, "className")) {
        take_text(l->class_name, value);
    } else if (af_span_is(key, "params") && value->kind == AF_PULL_OBJECT) {
        take_members(l, value->text, take_parameter);
    } else if (af_span_is(key, "profilerOutputs")) {
        take_objects(l, value, take_output);
    }
}

static void take_benchmark(listing *l, af_span object)
{
    guint n = 0;
    l->current = new_benchmark();
    g_string_truncate(l->class_name, 0);
    g_string_truncate(l->name, 0);
    g_string_truncate(l->params, 0);
    take_members(l, object, take_benchmark_member);
    g_string_append(l->params, l->params->len > 0 ? "]" : "");
    l->current->name =
        g_strconcat(l->class_name->str, l->class_name->len > 0 ? "." : "", l->name->str,
                    strchr(l->name->str, '[') == NULL ? l->params->str : "", NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        n += l->current->traces[i]->len;
    }
    if (n > 0) {
        g_ptr_array_add(l->benchmarks, l->current);
    } else {
        free_benchmark(l->current);
    }
}

static void take_document_member(listing *l, af_span key, const af_pull_value *value)
{
    if (af_span_is(key, "benchmarks")) {
        take_objects(l, value, take_benchmark);
    }
}

static gboolean read_results(listing *l, const char *name, GError **error)
{
    g_autofree char *text = NULL;
    gsize length = 0;
    g_autofree char *path = g_build_filename(l->folder, name, NULL);
    GError *unread = NULL;
    gboolean ok = g_file_get_contents(path, &text, &length, &unread);
    if (!ok) {
        g_set_error(error, AF_ERROR, AF_ERROR_MISSING, "%s", unread->message);
        g_error_free(unread);
    } else {
        af_pull json = af_pull_over((af_span){text, length});
        af_pull_value document;
        ok = af_pull_take(&json, &document) == AF_PULL_OK && document.kind == AF_PULL_OBJECT;
        if (ok) {
            take_members(l, document.text, take_document_member);
        } else {
            g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED, "%s is not valid JSON", name);
        }
    }
    return ok;
}

/* Reads the results of all modules, in the order of their names. */
static gboolean read_folder(listing *l, GError **error)
{
    gboolean ok = TRUE;
    g_autoptr(GDir) open = g_dir_open(l->folder, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const char *name; open != NULL && (name = g_dir_read_name(open)) != NULL;) {
        if (g_str_has_suffix(name, "benchmarkData.json")) {
            g_ptr_array_add(names, g_strdup(name));
        }
    }
    g_ptr_array_sort(names, af_order_texts);
    for (guint i = 0; ok && i < names->len; i++) {
        ok = read_results(l, names->pdata[i], error);
    }
    return ok;
}

/* Whether `asked` is the whole name, or its end from a point on. */
static gboolean has_name(const benchmark *b, const char *asked)
{
    const size_t length = strlen(b->name), end = strlen(asked);
    return end <= length && strcmp(b->name + length - end, asked) == 0 &&
           (end == length || b->name[length - end - 1] == '.');
}

/* The benchmark with a name; without a name, the only one. NULL with an error that lists all. */
static const benchmark *choose(const listing *l, const char *asked, GError **error)
{
    const benchmark *found = NULL;
    unsigned n = 0;
    g_autoptr(GString) all = g_string_new(NULL);
    for (guint i = 0; i < l->benchmarks->len; i++) {
        const benchmark *b = l->benchmarks->pdata[i];
        if (asked == NULL || has_name(b, asked)) {
            found = b;
            n++;
        }
        g_string_append_printf(all, "%s%s", i > 0 ? ", " : "", b->name);
    }
    if (n == 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "has no traces of the benchmark %s%s%s", asked,
                    all->len > 0 ? ", only of " : "", all->str);
    } else if (n > 1) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "has several benchmarks; choose one with --benchmark: %s", all->str);
    }
    return n == 1 ? found : NULL;
}

static unsigned add_traces(const benchmark *b, GPtrArray *paths)
{
    unsigned type = 0, left_out = 0;
    while (b->traces[type]->len == 0) {
        type++;
    }
    for (guint i = 0; i < b->traces[type]->len; i++) {
        g_ptr_array_add(paths, g_strdup(b->traces[type]->pdata[i]));
    }
    while (++type < G_N_ELEMENTS(types)) {
        left_out += b->traces[type]->len;
    }
    return left_out;
}

gboolean af_benchmark_list(const char *folder, const char *name, GPtrArray *paths,
                           unsigned *left_out, GError **error)
{
    listing l = {
        .folder = folder,
        .benchmarks = g_ptr_array_new_with_free_func(free_benchmark),
        .class_name = g_string_new(NULL),
        .name = g_string_new(NULL),
        .params = g_string_new(NULL),
        .type = g_string_new(NULL),
        .file = g_string_new(NULL),
    };
    gboolean ok = read_folder(&l, error);
    *left_out = 0;
    if (ok && (l.benchmarks->len > 0 || name != NULL)) {
        const benchmark *chosen = choose(&l, name, error);
        ok = chosen != NULL;
        *left_out = ok ? add_traces(chosen, paths) : 0;
    }
    g_string_free(l.class_name, TRUE);
    g_string_free(l.name, TRUE);
    g_string_free(l.params, TRUE);
    g_string_free(l.type, TRUE);
    g_string_free(l.file, TRUE);
    g_ptr_array_unref(l.benchmarks);
    return ok;
}
