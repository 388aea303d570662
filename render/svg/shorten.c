/* Shortens the script of the SVG while aflame is built.
 *
 *     shorten [PROPERTIES.list] <JOINED.js >SHORT.js
 *
 * Removes comments and spaces, renames variables, and replaces the constants of the tables AF.SIZES
 * and AF.SAY by their values, globals by variables that join.sh declares, and true, false, undefined
 * and Infinity by shorter expressions. Within a file of the script, a name stands for the same new name
 * everywhere, whatever its scope, so that renaming needs no scopes; it is renamed if the file
 * declares it somewhere and no global of the browser has it. Properties keep their names, except
 * those of the list, one a line: names that only the script gives to its own objects, and that no
 * text of it contains.
 *
 * Relies on the style of the script: every statement ends with a semicolon or a block, functions
 * are arrows, methods or declarations, and there is no `switch` and no label. Tests check the
 * syntax of the result and run it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/svg/shorten_tokens.h"

/* ---- tables ---- */

/* "SIZES.ROW" -> the text of its value. */
static GHashTable *values;

static void erase(unsigned from, unsigned end)
{
    for (unsigned i = from; i < end; i++) {
        at(i)->is_erased = TRUE;
    }
}

/* A length is in the table as hundredths, "1150/100". */
static char *evaluate(unsigned from, unsigned end)
{
    if (end == from + 3 && is(from + 1, "/")) {
        const double value =
            g_ascii_strtod(at(from)->text, NULL) / g_ascii_strtod(at(from + 2)->text, NULL);
        return g_strdup_printf("%g", value);
    }
    GString *text = g_string_new(NULL);
    for (unsigned i = from; i < end; i++) {
        g_string_append(text, at(i)->text);
    }
    return g_string_free(text, FALSE);
}

/* Reads {NAME:value,...}, whose brace is at `open`. */
static void read_table(const char *table, unsigned open)
{
    const unsigned end = at(open)->partner;
    for (unsigned i = open + 1; i < end;) {
        unsigned next = i;
        while (next < end && !(is(next, ",") && at(next)->parent == open)) {
            next++;
        }
        g_hash_table_insert(values, g_strconcat(table, ".", at(i)->text, NULL),
                            evaluate(i + 2, next));
        i = next + 1;
    }
}

/* Erases the statement with the token `i`. */
static void erase_statement(unsigned i)
{
    unsigned from = i, end = i;
    while (from > 0 && !is(from, "const") && !is(from - 1, ";")) {
        from--;
    }
    while (end + 1 < tokens->len && !is(end, ";")) {
        end = at(end)->partner != NONE && at(end)->partner > end ? at(end)->partner : end + 1;
    }
    erase(from, end + 1);
}

static void read_tables(void)
{
    for (unsigned i = 0; i + 2 < tokens->len; i++) {
        const gboolean is_table = is(i, "SIZES") || is(i, "SAY");
        if (is_table && is(i + 1, "=") && is(i + 2, "{")) {
            read_table(at(i)->text, i + 2);
            erase_statement(i);
        }
    }
}

/* The table that the token `i` names: AF.SIZES or its alias S, AF.SAY or its alias SAY. */
static const char *find_table(unsigned i)
{
    return is(i, "SIZES") || is(i, "S") ? "SIZES" : is(i, "SAY") ? "SAY" : NULL;
}

/* Replaces S.ROW, AF.SIZES.ROW and the like by values, and erases the declarations of aliases. */
static void use_tables(void)
{
    for (unsigned i = 2; i + 2 < tokens->len; i++) {
        const char *table = at(i)->is_erased ? NULL : find_table(i);
        if (table == NULL) {
            continue;
        }
        const gboolean is_member = is(i - 1, ".") && is(i - 2, "AF");
        char *key = g_strconcat(table, ".", at(i + 2)->text, NULL);
        const char *value = is(i + 1, ".") ? g_hash_table_lookup(values, key) : NULL;
        if (value != NULL) {
            erase(is_member ? i - 2 : i, i + 2);
            at(i + 2)->kind = LITERAL;
            at(i + 2)->role = OTHER;
            at(i + 2)->text = keep_text(value);
        } else if ((is_member && is(i + 1, ";")) ||
                   (at(i)->role == BOTH && is(i + 2, "=") && is(i + 3, "AF"))) {
            erase_statement(is_member ? i : i + 2);
        } else if (!is(i - 1, "const")) {
            fail("a use of the tables that is not TABLE.NAME", key);
        }
        g_free(key);
    }
}

/* ---- globals ---- */

#define GLOBAL "GLOBAL_"

/* After the declaration {x: GLOBAL_x}, replaces the global x by it. */
static void use_globals(void)
{
    for (unsigned i = 1; i + 4 < tokens->len; i++) {
        if (!is(i - 1, ":") || !g_str_has_prefix(at(i)->text, GLOBAL)) {
            continue;
        }
        for (unsigned use = i + 1; use < tokens->len; use++) {
            if (at(use)->role == VARIABLE && is(use, at(i)->text + strlen(GLOBAL))) {
                at(use)->text = at(i)->text;
            }
        }
    }
}

/* ---- names ---- */

/* Globals of the browser whose names a variable of the script may have too. */
static const char *const globals[] = {"document", "event",     "history",     "location",
                                      "name",     "navigator", "performance", "screen",
                                      "status",   "top",       "window",      NULL};

/* Variables of different modules may get one name; those of module 0 are visible in all. */
typedef struct {
    const char *name;
    unsigned module;
    unsigned n; /* number of its tokens */
    gboolean is_declared;
    const char *renamed;
} variable;

static GHashTable *variables; /* a set */

static guint hash_variable(gconstpointer key)
{
    const variable *one = key;
    return g_str_hash(one->name) + one->module;
}

static gboolean is_same_variable(gconstpointer a, gconstpointer b)
{
    const variable *one = a, *other = b;
    return one->module == other->module && strcmp(one->name, other->name) == 0;
}

static variable *find_in_module(const char *name, unsigned module)
{
    const variable wanted = {.name = name, .renamed = name, .module = module};
    variable *found = g_hash_table_lookup(variables, &wanted);
    if (found == NULL) {
        found = g_memdup2(&wanted, sizeof wanted);
        g_hash_table_add(variables, found);
    }
    return found;
}

static variable *find_variable(unsigned i)
{
    variable *outer = find_in_module(at(i)->text, 0);
    return outer->is_declared ? outer : find_in_module(at(i)->text, at(i)->module);
}

static gboolean is_variable(unsigned i)
{
    return !at(i)->is_erased && (at(i)->role == VARIABLE || at(i)->role == BOTH);
}

static void count_variables(void)
{
    for (unsigned i = 0; i < tokens->len; i++) {
        if (is_variable(i)) {
            find_variable(i)->n++;
        }
    }
}

/* A block that is a statement of its own is a module. */
static void number_modules(void)
{
    unsigned n = 0;
    for (unsigned i = 0; i < tokens->len; i++) {
        const unsigned parent = at(i)->parent;
        at(i)->module = parent == NONE ? 0 : at(parent)->inner;
        const gboolean begins = i == 0 || is(i - 1, ";") || is(i - 1, "}") || is(i - 1, "{");
        const gboolean is_block = is(i, "{") && at(i)->bracket == BLOCK && begins;
        at(i)->inner = is_block && at(i)->module == 0 ? ++n : at(i)->module;
    }
}

/* Declares the variables from `from` to `end`: one name, or a pattern, without its defaults. */
static void declare(unsigned from, unsigned end)
{
    for (unsigned i = from; i < end; i++) {
        if (is(i, "=")) {
            const unsigned parent = at(i)->parent;
            while (i + 1 < end && i + 1 < at(parent)->partner &&
                   !(is(i + 1, ",") && at(i + 1)->parent == parent)) {
                i++;
            }
        } else if (is_variable(i)) {
            find_in_module(at(i)->text, at(i)->module)->is_declared = TRUE;
        }
    }
}

/* Parameters of arrows, methods, functions and `catch`. */
static gboolean are_parameters(unsigned open)
{
    static const char *const others[] = {"if", "for", "while", "of", NULL};
    const unsigned after = at(open)->partner + 1;
    return is(after, "=>") ||
           (is(after, "{") && at(after)->bracket == BLOCK && open > 0 &&
            at(open - 1)->kind == WORD && !is_one_of(at(open - 1)->text, others));
}

static void find_declarations(void)
{
    static const char *const words[] = {"const", "let", "class", "function", NULL};
    for (unsigned i = 0; i + 1 < tokens->len; i++) {
        const unsigned end = at(i)->partner;
        if (at(i)->kind == WORD && at(i)->role == OTHER && is_one_of(at(i)->text, words)) {
            declare(i + 1, at(i + 1)->partner != NONE ? at(i + 1)->partner : i + 2);
        } else if (is(i + 1, "=>")) {
            declare(i, i + 1);
        }
        if (is(i, "(") && end != NONE && are_parameters(i)) {
            declare(i + 1, end);
        }
    }
}

static int compare_variables(gconstpointer a, gconstpointer b)
{
    const variable *one = *(variable *const *)a, *other = *(variable *const *)b;
    if (one->module != other->module) {
        return one->module < other->module ? -1 : 1;
    }
    return one->n != other->n ? (one->n < other->n ? 1 : -1) : strcmp(one->name, other->name);
}

/* The name of a number: a letter, then letters and digits. */
static char *make_name(unsigned number)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    enum { FIRST = 52, NEXT = 62 };
    GString *name = g_string_new(NULL);
    for (; number >= FIRST; number = (number - FIRST) / NEXT) {
        g_string_prepend_c(name, letters[(number - FIRST) % NEXT]);
    }
    g_string_prepend_c(name, letters[number]);
    return g_string_free(name, FALSE);
}

/* Names that no variable may get: those of globals and of variables outside of modules. */
static GHashTable *taken;

/* `sorted` has the variables of one module, the most frequent first. */
static void rename_module(variable **sorted, unsigned n)
{
    for (unsigned i = 0, number = 0; i < n; number++) {
        char *name = make_name(number);
        if (!g_hash_table_contains(taken, name) && !is_keyword(name)) {
            sorted[i++]->renamed = keep_text(name);
        }
        g_free(name);
    }
    for (unsigned i = 0; i < n && sorted[0]->module == 0; i++) {
        g_hash_table_add(taken, (char *)sorted[i]->renamed);
    }
}

static void rename_variables(void)
{
    GPtrArray *sorted = g_ptr_array_new();
    GHashTableIter each;
    gpointer key;
    taken = g_hash_table_new(g_str_hash, g_str_equal);
    g_hash_table_iter_init(&each, variables);
    while (g_hash_table_iter_next(&each, &key, NULL)) {
        variable *one = key;
        if (one->is_declared && !is_one_of(one->name, globals)) {
            g_ptr_array_add(sorted, one);
        } else if (one->n > 0) {
            g_hash_table_add(taken, (char *)one->name);
        }
    }
    g_ptr_array_sort(sorted, compare_variables);
    variable **all = (variable **)sorted->pdata;
    for (unsigned i = 0, first = 0; i < sorted->len; i++) {
        if (i + 1 == sorted->len || all[i + 1]->module != all[i]->module) {
            rename_module(all + first, i + 1 - first);
            first = i + 1;
        }
    }
    g_ptr_array_unref(sorted);
    g_hash_table_unref(taken);
}

/* ---- properties ---- */

/* Of the list: name -> n tokens, then name -> new name. */
static GHashTable *properties;

static gboolean is_key(unsigned i)
{
    return !at(i)->is_erased && (at(i)->role == KEY || at(i)->role == BOTH);
}

static void read_properties(const char *path)
{
    char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        fail("the list of properties cannot be read", path);
    }
    char **lines = g_strsplit(text, "\n", -1);
    for (unsigned i = 0; lines[i] != NULL; i++) {
        if (lines[i][0] != '\0') {
            g_hash_table_insert(properties, (char *)keep_text(lines[i]), GUINT_TO_POINTER(0));
        }
    }
    g_strfreev(lines);
    g_free(text);
}

static int compare_properties(gconstpointer a, gconstpointer b)
{
    const char *one = a, *other = b;
    const unsigned n = GPOINTER_TO_UINT(g_hash_table_lookup(properties, one));
    const unsigned m = GPOINTER_TO_UINT(g_hash_table_lookup(properties, other));
    return n != m ? (n < m ? 1 : -1) : strcmp(one, other);
}

/* The name of a number: a letter, then capital letters, which no property of arrays has. */
static char *make_property(unsigned number)
{
    enum { LETTERS = 26 };
    GString *name = g_string_new(NULL);
    for (; number >= LETTERS; number = number / LETTERS - 1) {
        g_string_prepend_c(name, (char)('A' + number % LETTERS));
    }
    g_string_prepend_c(name, (char)('a' + number));
    return g_string_free(name, FALSE);
}

/* Checks the texts of the script, counts the properties of the list, and returns all others. */
static GHashTable *count_properties(void)
{
    GHashTable *others = g_hash_table_new(g_str_hash, g_str_equal);
    for (unsigned i = 0; i < tokens->len; i++) {
        gpointer n;
        const char *text = at(i)->text;
        if (at(i)->kind == LITERAL && strchr("'\"", text[0]) != NULL) {
            char *inner = g_strndup(text + 1, strlen(text) - 2);
            if (g_hash_table_contains(properties, inner)) {
                fail("a property of the list is also a text", text);
            }
            g_free(inner);
        } else if (is_key(i) && g_hash_table_lookup_extended(properties, text, NULL, &n)) {
            g_hash_table_insert(properties, (char *)text,
                                GUINT_TO_POINTER(GPOINTER_TO_UINT(n) + 1));
        } else if (is_key(i)) {
            g_hash_table_add(others, (char *)text);
        }
    }
    return others;
}

/* Gives the most frequent properties the shortest names. */
static void rename_properties(void)
{
    GHashTable *others = count_properties();
    GList *sorted = g_list_sort(g_hash_table_get_keys(properties), compare_properties);
    const GList *next = sorted;
    for (unsigned number = 0; next != NULL; number++) {
        char *name = make_property(number);
        if (!g_hash_table_contains(others, name)) {
            g_hash_table_insert(properties, next->data, (char *)keep_text(name));
            next = next->next;
        }
        g_free(name);
    }
    g_list_free(sorted);
    g_hash_table_unref(others);
}

/* The name that the property of the token `i` gets. */
static const char *find_property(unsigned i)
{
    const char *renamed = is_key(i) ? g_hash_table_lookup(properties, at(i)->text) : NULL;
    return renamed != NULL ? renamed : at(i)->text;
}

/* ---- shorter statements ---- */

/* Whether `i` is the parenthesis of `(name) =>`. */
static gboolean wraps_parameter(unsigned i)
{
    return is(i, "(") && at(i)->partner == i + 2 && is(i + 3, "=>") && at(i + 1)->role == VARIABLE;
}

/* Whether the block that begins at `open` is one simple statement after if, else, for or while. */
static gboolean is_one_statement(unsigned open)
{
    static const char *const heads[] = {"if", "for", "while", NULL};
    static const char *const others[] = {"const", "let",   "class", "function", "if",
                                         "for",   "while", "try",   "do",       NULL};
    const unsigned before = open > 0 ? open - 1 : 0, end = at(open)->partner;
    const gboolean is_body =
        is(before, "else") || (is(before, ")") && at(before)->partner > 0 &&
                               is_one_of(at(at(before)->partner - 1)->text, heads));
    if (!is_body || end < open + 3 || !is(end - 1, ";") || is_one_of(at(open + 1)->text, others)) {
        return FALSE;
    }
    for (unsigned i = open + 1; i < end - 1; i++) {
        if (at(i)->parent == open && is(i, ";")) {
            return FALSE;
        }
    }
    return TRUE;
}

static void drop_braces(void)
{
    for (unsigned i = 0; i < tokens->len; i++) {
        if (is(i, "{") && at(i)->bracket == BLOCK && !at(i)->is_erased && is_one_statement(i)) {
            at(i)->is_erased = at(at(i)->partner)->is_erased = TRUE;
        }
    }
}

/* Joins declarations that follow each other, and omits the semicolon before a brace. */
static void join_statements(void)
{
    gboolean *declares = g_new0(gboolean, tokens->len + 1); /* by parent: its last statement */
    unsigned last = NONE;
    for (unsigned i = 0; i < tokens->len; i++) {
        const unsigned parent = at(i)->parent == NONE ? tokens->len : at(i)->parent;
        if (at(i)->is_erased) {
            continue;
        }
        if (at(i)->kind == WORD && is(i, "const")) {
            at(i)->text = keep_text("let");
        }
        if (!is(i, ";") && !is(i, "}") &&
            (last == NONE || is(last, ";") || is(last, "{") || is(last, "}"))) {
            const gboolean is_let = at(i)->kind == WORD && is(i, "let");
            if (is_let && declares[parent] && is(last, ";")) {
                at(last)->text = keep_text(",");
                at(i)->is_erased = TRUE;
            }
            declares[parent] = is_let;
        }
        if (is(i, "}") && is(last, ";")) {
            at(last)->is_erased = TRUE;
        }
        if (wraps_parameter(i)) {
            at(i)->is_erased = at(i + 2)->is_erased = TRUE;
        }
        last = i;
    }
    g_free(declares);
}

static void shorten_constants(void)
{
    static const struct {
        const char *word, *shorter;
    } constants[] = {{"true", "!0"}, {"false", "!1"}, {"undefined", "void 0"}, {"Infinity", "1/0"}};
    for (unsigned i = 0; i < tokens->len; i++) {
        for (unsigned c = 0; c < G_N_ELEMENTS(constants); c++) {
            if (at(i)->kind == WORD && is(i, constants[c].word) && !is_key(i)) {
                at(i)->text = keep_text(constants[c].shorter);
            }
        }
    }
}

/* ---- output ---- */

/* "]]>" would end the script's section in XML, "<!" begins a comment in HTML. */
static gboolean needs_space(const char *last, const char *next)
{
    const char end = last[strlen(last) - 1];
    return (is_letter(end) && is_letter(next[0])) || (end == next[0] && strchr("+-/", end)) ||
           (end == ']' && next[0] == '>') || (end == '<' && next[0] == '!');
}

static void print_token(const char *text, const char **last)
{
    if (*last != NULL && needs_space(*last, text)) {
        putchar(' ');
    }
    fputs(text, stdout);
    *last = text;
}

static void print_tokens(void)
{
    const char *last = NULL;
    for (unsigned i = 0; i < tokens->len; i++) {
        const token *t = at(i);
        /* the comma after the last of several */
        const gboolean is_idle = is(i, ",") && i + 1 < tokens->len &&
                                 (is(i + 1, "}") || is(i + 1, "]") || is(i + 1, ")"));
        if (t->is_erased || is_idle) {
            continue;
        }
        if (t->role == VARIABLE || t->role == BOTH) {
            const variable *found = find_variable(i);
            if (t->role == BOTH && found->renamed != find_property(i)) {
                print_token(find_property(i), &last);
                print_token(":", &last);
            }
            print_token(found->renamed, &last);
        } else {
            print_token(find_property(i), &last);
        }
        if (t->parent == NONE && is(i, ";")) {
            putchar('\n');
        }
    }
}

int main(int argc, char **argv)
{
    GString *text = g_string_new(NULL);
    char block[65536];
    for (size_t n; (n = fread(block, 1, sizeof block, stdin)) > 0;) {
        g_string_append_len(text, block, (gssize)n);
    }
    values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    variables = g_hash_table_new_full(hash_variable, is_same_variable, g_free, NULL);
    properties = g_hash_table_new(g_str_hash, g_str_equal);
    if (argc > 1) {
        read_properties(argv[1]);
    }
    read_tokens(text->str);
    read_tables();
    use_tables();
    use_globals();
    number_modules();
    find_declarations();
    count_variables();
    rename_variables();
    rename_properties();
    shorten_constants();
    drop_braces();
    join_statements();
    print_tokens();
    g_hash_table_unref(variables);
    g_hash_table_unref(values);
    g_hash_table_unref(properties);
    g_array_unref(tokens);
    free_texts();
    g_string_free(text, TRUE);
    return fflush(stdout) == 0 && !ferror(stdin) ? 0 : 1;
}
