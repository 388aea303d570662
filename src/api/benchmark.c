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

/* The results of a folder. */
typedef struct {
    const char *folder;
    GPtrArray *benchmarks;
} listing;

static void free_benchmark(gpointer user)
{
    g_autofree benchmark *b = user;
    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        g_ptr_array_unref(b->traces[i]);
    }
    g_free(b->name);
}

static void take_text(char **to, const af_pull_value *value)
{
    if (value->kind == AF_PULL_STRING) {
        g_autoptr(GString) buffer = g_string_new(NULL);
        const af_span text = af_pull_text(value, buffer);
        g_free(*to);
        *to = g_strndup(text.bytes, text.length);
    }
}

/* The next object of an array; FALSE at its end. */
static gboolean next_object(af_pull *array, af_pull *object)
{
    af_pull_value value;
    while (af_pull_item(array, &value)) {
        if (value.kind == AF_PULL_OBJECT) {
            *object = af_pull_into(value.text);
            return TRUE;
        }
    }
    return FALSE;
}

/* The files are next to the results, also where the device had them in folders. */
static void take_output(const listing *l, benchmark *b, af_pull json)
{
    g_autofree char *type = NULL, *file = NULL;
    af_pull_value key, value;
    while (af_pull_member(&json, &key, &value)) {
        if (af_span_is(key.text, "type")) {
            take_text(&type, &value);
        } else if (af_span_is(key.text, "filename")) {
            take_text(&file, &value);
        }
    }
    for (unsigned i = 0; file != NULL && file[0] != '\0' && i < G_N_ELEMENTS(types); i++) {
        if (g_strcmp0(type, types[i]) == 0) {
            g_autofree char *base = g_path_get_basename(file);
            g_ptr_array_add(b->traces[i], g_build_filename(l->folder, base, NULL));
        }
    }
}

/* "[mode=COLD,n=2]" */
static void take_parameters(GString *to, af_pull json)
{
    af_pull_value key, value;
    while (af_pull_member(&json, &key, &value)) {
        g_string_append_printf(to, "%s%.*s=%.*s", to->len == 0 ? "[" : ",", (int)key.text.length,
                               key.text.bytes, (int)value.text.length, value.text.bytes);
    }
    g_string_append(to, to->len > 0 ? "]" : "");
}

static void take_benchmark(listing *l, af_pull json)
{
    guint n = 0;
    benchmark *b = g_new0(benchmark, 1);
    g_autofree char *class_name = NULL, *name = g_strdup("");
    g_autoptr(GString) parameters = g_string_new(NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        b->traces[i] = g_ptr_array_new_with_free_func(g_free);
    }
    af_pull_value key, value;
    while (af_pull_member(&json, &key, &value)) {
        af_pull inside = af_pull_into(value.text), output;
        if (af_span_is(key.text, "name")) {
            take_text(&name, &value);
        } else if (af_span_is(key.text, "className")) {
            take_text(&class_name, &value);
        } else if (af_span_is(key.text, "params") && value.kind == AF_PULL_OBJECT) {
            take_parameters(parameters, inside);
        } else if (af_span_is(key.text, "profilerOutputs") && value.kind == AF_PULL_ARRAY) {
            while (next_object(&inside, &output)) {
                take_output(l, b, output);
            }
        }
    }
    const gboolean in_class = class_name != NULL && class_name[0] != '\0';
    b->name = g_strconcat(in_class ? class_name : "", in_class ? "." : "", name,
                          strchr(name, '[') == NULL ? parameters->str : "", NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        n += b->traces[i]->len;
    }
    if (n > 0) {
        g_ptr_array_add(l->benchmarks, b);
    } else {
        free_benchmark(b);
    }
}

static gboolean read_results(listing *l, const char *name, GError **error)
{
    g_autofree char *text = NULL;
    gsize length = 0;
    g_autofree char *path = g_build_filename(l->folder, name, NULL);
    g_autoptr(GError) unread = NULL;
    if (!g_file_get_contents(path, &text, &length, &unread)) {
        g_set_error(error, AF_ERROR, AF_ERROR_MISSING, "%s", unread->message);
        return FALSE;
    }
    af_pull json = af_pull_over((af_span){text, length}), object;
    af_pull_value document, key, value;
    if (af_pull_take(&json, &document) != AF_PULL_OK || document.kind != AF_PULL_OBJECT) {
        g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED, "%s is not valid JSON", name);
        return FALSE;
    }
    for (json = af_pull_into(document.text); af_pull_member(&json, &key, &value);) {
        af_pull inside = af_pull_into(value.text);
        while (af_span_is(key.text, "benchmarks") && value.kind == AF_PULL_ARRAY &&
               next_object(&inside, &object)) {
            take_benchmark(l, object);
        }
    }
    return TRUE;
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
    listing l = {folder, g_ptr_array_new_with_free_func(free_benchmark)};
    gboolean ok = read_folder(&l, error);
    *left_out = 0;
    if (ok && (l.benchmarks->len > 0 || name != NULL)) {
        const benchmark *chosen = choose(&l, name, error);
        ok = chosen != NULL;
        *left_out = ok ? add_traces(chosen, paths) : 0;
    }
    g_ptr_array_unref(l.benchmarks);
    return ok;
}
