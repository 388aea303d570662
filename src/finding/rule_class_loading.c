#include "finding/groups.h"

#define LEAST_PERCENT 5

static const af_name names[] = {
    {"java.lang.ClassLoader", "loadClass"},
    {"java.lang.BootClassLoader", "*"},
    {"java.lang.VMClassLoader", "*"},
    {"dalvik.system.BaseDexClassLoader", "*"},
    {"dalvik.system.DexPathList*", "*"},
    {"dalvik.system.DexFile", "*"},
    {"", "VerifyClass*"},
    {"", "OpenDexFilesFromOat*"},
    {"", "Open dex file*"},
    {NULL, NULL},
};

static const af_wording wording = {"spent", "loading classes", LEAST_PERCENT, TRUE};

static void find(const af_case *c, const af_rule *rule)
{
    af_names_find(c, rule, names, &wording);
}

const af_rule af_rule_class_loading = {
    .id = "class-loading",
    .title = "Loading classes",
    .about = "loading and verifying classes takes at least 5 % of the main thread",
    .weight = 140,
    .main_only = TRUE,
    .find = find,
};
