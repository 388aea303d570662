/* obfuscate [--all] TRACE NEW-TRACE MAPPING
 *
 * Renames the methods of a trace (text and records in one file) as a shrinker would, and writes the
 * mapping that restores the names: overloads with one name, several ranges per method, inlined
 * frames around it, merged classes, removed arguments, lambdas in their own classes. Platform
 * classes keep their names unless --all is given. The number of a method alone decides how it
 * changes. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *original, *obfuscated;
    GString *lines;    /* its members */
    guint merged_into; /* number of the class + 1; 0 = not merged */
} class;

typedef struct {
    GPtrArray *classes;     /* class */
    GHashTable *numbers;    /* original name -> number + 1 */
    GHashTable *taken;      /* "class name descriptor" in the new trace */
    GHashTable *lines_used; /* "class name" -> line numbers already assigned */
    gboolean all;
} work;

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "obfuscate: %s\n", what);
    exit(1);
}

static gboolean is_platform_name(const work *w, const char *name)
{
    static const char *const platform[] = {"java.", "javax.", "android.", "dalvik.", "libcore."};
    for (unsigned i = 0; !w->all && i < G_N_ELEMENTS(platform); i++) {
        if (g_str_has_prefix(name, platform[i])) {
            return TRUE;
        }
    }
    return strpbrk(name, " \t():,;[]|") != NULL || name[0] == '\0' || strstr(name, "->") != NULL;
}

/* a, b, ... z, aa, ab, ... */
static char *short_name(guint number)
{
    return number < 26
               ? g_strdup_printf("%c", 'a' + (char)number)
               : g_strdup_printf("%c%c", 'a' + (char)(number / 26 % 26), 'a' + (char)(number % 26));
}

/* Returns the number of the class, which it creates on first use. Every fifth class is merged into
 * the previous one. */
static guint find_class(work *w, const char *name)
{
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(w->numbers, name));
    if (number != 0) {
        return number - 1;
    }
    class *made = g_new0(class, 1);
    number = w->classes->len;
    made->original = g_strdup(name);
    made->lines = g_string_new(NULL);
    if (is_platform_name(w, name)) {
        made->obfuscated = g_strdup(name);
    } else if (number % 5 == 4 &&
               !is_platform_name(w, ((class *)w->classes->pdata[number - 1])->original)) {
        const class *before = w->classes->pdata[number - 1];
        made->merged_into = before->merged_into != 0 ? before->merged_into : number;
        made->obfuscated = g_strdup(before->obfuscated);
    } else {
        g_autofree char *last = short_name(number % 600);
        made->obfuscated = g_strdup_printf("%c%u.%s", 'a' + (char)(number % 3), number / 600, last);
    }
    g_ptr_array_add(w->classes, made);
    g_hash_table_insert(w->numbers, made->original, GUINT_TO_POINTER(number + 1));
    return number;
}

static class *class_at(const work *w, guint number)
{
    return w->classes->pdata[number];
}

/* ---- types ---- */

/* Splits off the type at `p`: "[[La/b;" -> "a.b" and two dimensions. Returns NULL if it is
 * malformed. */
static const char *cut_type(const char *p, char **name, size_t *dimensions)
{
    static const struct {
        char letter;
        const char *name;
    } primitives[] = {{'B', "byte"}, {'C', "char"},  {'D', "double"},  {'F', "float"}, {'I', "int"},
                      {'J', "long"}, {'S', "short"}, {'Z', "boolean"}, {'V', "void"}};
    *dimensions = strspn(p, "[");
    p += *dimensions;
    if (*p == 'L') {
        const size_t length = strcspn(p + 1, ";");
        if (p[1 + length] != ';' || length == 0) {
            return NULL;
        }
        *name = g_strdelimit(g_strndup(p + 1, length), "/", '.');
        return p + length + 2;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(primitives); i++) {
        if (primitives[i].letter == *p) {
            *name = g_strdup(primitives[i].name);
            return p + 1;
        }
    }
    return NULL;
}

/* A descriptor in all its notations. */
typedef struct {
    GString *arguments; /* as Java spells them */
    GString *type;
    GString *residual; /* the program's descriptor; without the last argument if `shorter` */
    gboolean derived;  /* whether it follows from the class names */
} signature;

static void add_type(work *w, const char *name, size_t dimensions, const char *raw,
                     const char *raw_end, signature *s, GString *java, gboolean keep)
{
    g_string_append(java, name);
    for (size_t i = 0; i < dimensions; i++) {
        g_string_append(java, "[]");
    }
    if (raw[dimensions] != 'L') {
        g_string_append_len(s->residual, raw, keep ? raw_end - raw : 0);
        return;
    }
    const class *of = class_at(w, find_class(w, name));
    s->derived = s->derived && of->merged_into == 0;
    if (keep) {
        g_autofree char *slashed = g_strdelimit(g_strdup(of->obfuscated), ".", '/');
        g_string_append_len(s->residual, raw, (gssize)dimensions);
        g_string_append_printf(s->residual, "L%s;", slashed);
    }
}

static void free_signature(signature *s)
{
    g_string_free(s->arguments, TRUE);
    g_string_free(s->type, TRUE);
    g_string_free(s->residual, TRUE);
}

static gboolean read_signature(work *w, const char *descriptor, gboolean shorter, signature *s)
{
    *s = (signature){g_string_new(NULL), g_string_new(NULL), g_string_new("("), TRUE};
    const char *p = descriptor[0] == '(' ? descriptor + 1 : NULL;
    gboolean returns = FALSE;
    while (p != NULL && !returns) {
        returns = *p == ')';
        char *name;
        size_t dimensions;
        const char *raw = p + returns, *next = cut_type(raw, &name, &dimensions);
        if (next == NULL) {
            break;
        }
        if (returns) {
            g_string_append_c(s->residual, ')');
        } else if (s->arguments->len > 0) {
            g_string_append_c(s->arguments, ',');
        }
        const gboolean keep = returns || !shorter || *next != ')';
        s->derived = s->derived && keep;
        add_type(w, name, dimensions, raw, next, s, returns ? s->type : s->arguments, keep);
        g_free(name);
        p = next;
    }
    if (returns && p != NULL && *p == '\0') {
        return TRUE;
    }
    free_signature(s);
    return FALSE;
}

/* ---- methods ---- */

/* The first short name without a method of that descriptor in the class. */
static char *choose_name(work *w, const char *class_name, const char *residual)
{
    for (guint i = 0;; i++) {
        char *name = short_name(i);
        char *key = g_strdup_printf("%s %s %s", class_name, name, residual);
        if (g_hash_table_add(w->taken, key)) {
            return name;
        }
        g_free(name);
    }
}

static guint assign_lines(work *w, const char *class_name, const char *name)
{
    char *key = g_strdup_printf("%s %s", class_name, name);
    const guint line = GPOINTER_TO_UINT(g_hash_table_lookup(w->lines_used, key)) + 1;
    g_hash_table_replace(w->lines_used, key, GUINT_TO_POINTER(line));
    return line;
}

static void add_residual(GString *lines, const signature *s)
{
    if (!s->derived) {
        g_string_append_printf(lines,
                               "      # {\"id\":\"com.android.tools.r8.residualsignature\","
                               "\"signature\":\"%s\"}\n",
                               s->residual->str);
    }
}

/* Writes the lines of one method, in one of several variants. */
static void write_method(work *w, GString *lines, const char *in, const char *what,
                         const char *name, const signature *s, guint number)
{
    const guint way = number % 6, line = way == 0 ? 0 : assign_lines(w, in, name);
    switch (way) {
    case 0:
        g_string_append_printf(lines, "    %s -> %s\n", what, name);
        add_residual(lines, s);
        break;
    case 1:
    case 2:
        g_string_append_printf(lines, "    %u:%u:%s:%u:%u -> %s\n", line, line, what, number,
                               number + 3, name);
        add_residual(lines, s);
        if (way == 2) {
            const guint next = assign_lines(w, in, name);
            g_string_append_printf(lines, "    %u:%u:%s:%u:%u -> %s\n", next, next, what,
                                   number + 5, number + 9, name);
        }
        break;
    default:
        g_string_append_printf(lines, "    %u:%u:int %s(int):9:9 -> %s\n", line, line,
                               way == 3   ? "com.inlined.Helper.twice"
                               : way == 4 ? "R8$$REMOVED$$CLASS$$7.gone"
                                          : "own",
                               name);
        add_residual(lines, s);
        g_string_append_printf(lines, "    %u:%u:%s:%u -> %s\n", line, line, what, number, name);
        break;
    }
}

/* A lambda: its body is inlined into the method of a class that the compiler generated. */
static class *write_lambda(work *w, const class *of, const char *what, const signature *s,
                           guint number)
{
    g_autofree char *name = g_strdup_printf("%s$$ExternalSyntheticLambda%u", of->original, number);
    class *lambda = class_at(w, find_class(w, name));
    lambda->merged_into = 0;
    g_free(lambda->obfuscated);
    lambda->obfuscated = g_strdup_printf("l.a%u", number);
    g_hash_table_add(w->taken, g_strdup_printf("%s a %s", lambda->obfuscated, s->residual->str));
    assign_lines(w, lambda->obfuscated, "a");
    g_string_append_printf(lambda->lines,
                           "# {\"id\":\"com.android.tools.r8.synthesized\"}\n"
                           "    1:1:%s:5:5 -> a\n"
                           "    1:1:void run(%s):0 -> a\n"
                           "      # {\"id\":\"com.android.tools.r8.synthesized\"}\n"
                           "      # {\"id\":\"com.android.tools.r8.residualsignature\","
                           "\"signature\":\"%s\"}\n",
                           what, s->arguments->str, s->residual->str);
    return lambda;
}

static char *write_artifact(const class *of, gboolean qualified, const char *name,
                            const signature *s)
{
    return g_strdup_printf("%s %s%s%s(%s)", s->type->str, qualified ? of->original : "",
                           qualified ? "." : "", name, s->arguments->str);
}

/* Columns: id, class, method, signature, source and possibly line. */
static void rename_method(work *w, char **columns, guint number, GString *to)
{
    g_autofree char *dotted = g_strdelimit(g_strdup(columns[1]), "/", '.');
    signature s;
    if (is_platform_name(w, dotted) || is_platform_name(w, columns[2]) ||
        !read_signature(w, columns[3], number % 7 == 3, &s)) {
        g_string_append_printf(to, "%s\t%s\t%s\t%s\tSourceFile", columns[0], columns[1], columns[2],
                               columns[3]);
        return;
    }
    const guint at = find_class(w, dotted);
    const class *of = class_at(w, at);
    const class *in = of->merged_into != 0 ? class_at(w, of->merged_into - 1) : of;
    if (number % 11 == 5) {
        g_autofree char *what = write_artifact(of, TRUE, columns[2], &s);
        in = write_lambda(w, of, what, &s, number);
        g_string_append_printf(to, "%s\t%s\ta\t%s\tSourceFile", columns[0], in->obfuscated,
                               s.residual->str);
    } else {
        g_autofree char *what = write_artifact(of, in != of, columns[2], &s);
        g_autofree char *name = choose_name(w, in->obfuscated, s.residual->str);
        write_method(w, in->lines, in->obfuscated, what, name, &s, number);
        g_string_append_printf(to, "%s\t%s\t%s\t%s\tSourceFile", columns[0], in->obfuscated, name,
                               s.residual->str);
    }
    free_signature(&s);
}

static void rename_line(work *w, const char *line, guint number, GString *to)
{
    g_auto(GStrv) columns = g_strsplit(line, "\t", -1);
    if (g_strv_length(columns) >= 4 && columns[3][0] == '(') {
        rename_method(w, columns, number, to);
    } else {
        g_string_append(to, line);
    }
    g_string_append_c(to, '\n');
}

/* ---- files ---- */

static GString *rename_all(work *w, const char *trace, gsize length)
{
    static const char begin[] = "\n*methods\n", end[] = "\n*end\n";
    const char *methods = g_strstr_len(trace, (gssize)length, begin);
    const char *rest =
        methods == NULL ? NULL : g_strstr_len(methods, (gssize)length - (methods - trace), end);
    if (rest == NULL) {
        fail("no method table");
    }
    methods += strlen(begin);
    GString *to = g_string_new_len(trace, methods - trace);
    g_autofree char *table = g_strndup(methods, (gsize)(rest + 1 - methods));
    g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
    for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++) {
        rename_line(w, lines[i], i, to);
    }
    g_string_append_len(to, rest + 1, (gssize)length - (rest + 1 - trace));
    return to;
}

static GString *write_mapping(const work *w)
{
    GString *to = g_string_new(
        "# compiler: R8\n# compiler_version: 8.2.33\n# min_api: 21\n# pg_map_id: 0123abc\n"
        "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n");
    for (guint i = 0; i < w->classes->len; i++) {
        const class *of = class_at(w, i);
        if (of->merged_into == 0 && strcmp(of->original, of->obfuscated) != 0) {
            g_string_append_printf(to, "%s -> %s:\n%s", of->original, of->obfuscated,
                                   of->lines->str);
        }
    }
    return to;
}

static void save(const char *path, const GString *bytes)
{
    GError *error = NULL;
    if (!g_file_set_contents(path, bytes->str, (gssize)bytes->len, &error)) {
        fail(error->message);
    }
}

int main(int argc, char **argv)
{
    work w = {.classes = g_ptr_array_new(),
              .numbers = g_hash_table_new(g_str_hash, g_str_equal),
              .taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
              .lines_used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
              .all = argc > 1 && strcmp(argv[1], "--all") == 0};
    char **paths = argv + 1 + w.all;
    if (argc - w.all != 4) {
        fail("usage: obfuscate [--all] TRACE NEW-TRACE MAPPING");
    }
    g_autofree char *trace = NULL;
    gsize length;
    GError *error = NULL;
    if (!g_file_get_contents(paths[0], &trace, &length, &error)) {
        fail(error->message);
    }
    g_autoptr(GString) renamed = rename_all(&w, trace, length), mapping = write_mapping(&w);
    save(paths[1], renamed);
    save(paths[2], mapping);
    for (guint i = 0; i < w.classes->len; i++) {
        g_autofree class *of = class_at(&w, i);
        g_string_free(of->lines, TRUE);
        g_free(of->original);
        g_free(of->obfuscated);
    }
    g_ptr_array_unref(w.classes);
    g_hash_table_unref(w.numbers);
    g_hash_table_unref(w.taken);
    g_hash_table_unref(w.lines_used);
    return 0;
}
