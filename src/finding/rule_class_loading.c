#include "finding/rule.h"

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

const af_rule af_rule_class_loading = {
    .id = "class-loading",
    .title = "Loading classes",
    .about = "loading and verifying classes takes at least 5 % of the main thread",
    .weight = 140,
    .main_only = TRUE,
    .names = names,
    .wording = {"loading classes", LEAST_PERCENT, TRUE},
};
