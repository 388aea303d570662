#include "cli/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
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
const af_module af_module_graphviz = {"aflame-graphviz.so", "the layout of call graphs"};

const af_serve_host af_module_host = {
    .program = "/proc/self/exe",
    .print = print_line,
    .allows_query = allows_query,
};

/* Next to the program in the build tree, in the folder for libraries once installed. */
static void *load_module(const af_module *wanted)
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        return NULL;
    }
    path[length] = '\0';
    char *folder = g_path_get_dirname(path);
    char *near = g_build_filename(folder, wanted->file, NULL);
    char *installed = g_build_filename(folder, AFLAME_MODULES_FROM_BIN, wanted->file, NULL);
    const char *found = g_file_test(near, G_FILE_TEST_EXISTS) ? near : installed;
    void *module = dlopen(found, RTLD_NOW | RTLD_LOCAL);
    if (module == NULL && g_file_test(found, G_FILE_TEST_EXISTS)) {
        af_message_print(NULL, "cannot load %s: %s", wanted->title, dlerror());
    } else if (module == NULL) {
        af_message_print(NULL,
                         "this build lacks %s: %s is missing; it is built if the "
                         "packages of the README are installed",
                         wanted->title, wanted->file);
    }
    g_free(installed);
    g_free(near);
    g_free(folder);
    return module;
}

void *af_module_find(const af_module *wanted, const char *function)
{
    void *module = load_module(wanted);
    void *found = module == NULL ? NULL : dlsym(module, function);
    if (module != NULL && found == NULL) {
        af_message_print(NULL, "cannot load %s: %s", wanted->title, dlerror());
    }
    return found;
}
