#include "cli/module.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include "api/command.h"
#include "cli/option.h"
#include "cli/verbs.h"

static void print_line(const char *name, const char *text)
{
    af_message_print(name, "%s", text);
}

static gboolean allows_query(const char *verb, const char *name, gboolean *flag)
{
    const af_verb *found = af_verb_lookup(verb);
    const af_option *option =
        found == NULL ? NULL : af_option_lookup(found->bit, name, strlen(name));
    if (option == NULL || (option->allowed & AF_IN_QUERY) == 0) {
        return FALSE;
    }
    *flag = option->value == NULL;
    return TRUE;
}

const af_module af_module_serve = {"aflame-serve.so", "the server"};
const af_module af_module_graphviz = {"aflame-graphviz.so", "call graph layout"};

const af_serve_host af_module_host = {
    .program = "/proc/self/exe",
    .print = print_line,
    .allows_query = allows_query,
};

#ifdef AFLAME_STATIC
/* A module would need the C library that this program was linked with. */
static void *find_symbol(const af_module *wanted, const char *symbol, GError **error)
{
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                "%s is not part of the static aflame; build aflame as the README describes",
                wanted->title);
    return NULL;
}
#else
/* Next to the program in the build tree, in the folder for libraries once installed. */
static char *find_file(const char *file)
{
    g_autofree char *program = af_system_find_program();
    if (program == NULL) {
        return NULL;
    }
    g_autofree char *folder = g_path_get_dirname(program);
    g_autofree char *near = g_build_filename(folder, file, NULL);
    g_autofree char *installed = g_build_filename(folder, AFLAME_MODULES_FROM_BIN, file, NULL);
    return g_file_test(near, G_FILE_TEST_EXISTS)        ? g_strdup(near)
           : g_file_test(installed, G_FILE_TEST_EXISTS) ? g_strdup(installed)
                                                        : NULL;
}

static void *load_module(const af_module *wanted, const char *path, const char *symbol,
                         GError **error)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const gboolean refused = module == NULL && errno == ENOMEM;
    void *found = module == NULL ? NULL : dlsym(module, symbol);
    if (found == NULL) {
        g_set_error(error, AF_ERROR, refused ? AF_ERROR_MEMORY : AF_ERROR_USAGE,
                    "cannot load %s: %s", wanted->title, dlerror());
    }
    return found;
}

/* The function or data of the module with that name. NULL, with an error, if the module cannot be
 * loaded: AF_ERROR_MEMORY if the system refuses memory, else AF_ERROR_USAGE. */
static void *find_symbol(const af_module *wanted, const char *symbol, GError **error)
{
    g_autofree char *path = find_file(wanted->file);
    void *found = NULL;
    if (path == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "%s is not available: %s is missing; build it with the packages listed in the "
                    "README and put it next to aflame",
                    wanted->title, wanted->file);
    } else {
        found = load_module(wanted, path, symbol, error);
    }
    return found;
}
#endif

void *af_module_need(const af_module *wanted, const char *symbol, af_exit *status)
{
    GError *error = NULL;
    void *found = find_symbol(wanted, symbol, &error);
    *status = found == NULL ? af_message_fail(NULL, error) : AF_EXIT_DONE;
    return found;
}
