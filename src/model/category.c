#include "model/category.h"

#include <string.h>

#include "base/hash.h"
#include "model/app.h"
#include "model/groups.h"
#include "model/named.h"
#include "model/packages.h"
#include "model/profile.h"
#include "model/waits.h"

static const struct {
    const char *name;
    af_category category;
} packages[] = {
#define X(name, category) {name, AF_CATEGORY_##category},
    AF_PACKAGES(X)
#undef X
};

/* Methods that start, stop or control a recording: the app does not cause their time. */
static const af_name tracer_methods[] = {
    {"android.os.Debug", "startMethodTracing*"},
    {"android.os.Debug", "stopMethodTracing*"},
    {"android.os.Debug", "getMethodTracingMode*"},
    {"dalvik.system.VMDebug", "startMethodTracing*"},
    {"dalvik.system.VMDebug", "stopMethodTracing*"},
    {"dalvik.system.VMDebug", "getMethodTracingMode*"},
    {"dalvik.system.VMDebug", "isMethodTracingActive*"},
    {"android.app.ActivityThread", "handleProfilerControl*"},
    {"android.app.ActivityThread$Profiler", "st*"},
    {"android.app.ActivityThread$ApplicationThread", "profilerControl*"},
};

const char *af_category_title(af_category category)
{
    static const char *const titles[AF_CATEGORY_COUNT] = {
        [AF_CATEGORY_APP] = "your app",
        [AF_CATEGORY_ANDROID] = "Android framework",
        [AF_CATEGORY_ANDROIDX] = "AndroidX",
        [AF_CATEGORY_KOTLIN] = "Kotlin",
        [AF_CATEGORY_JAVA] = "Java runtime",
        [AF_CATEGORY_LIBRARY] = "third-party library",
        [AF_CATEGORY_UNKNOWN] = "native or unknown",
        [AF_CATEGORY_IDLE] = "idle",
        [AF_CATEGORY_FOLDED] = "folded frames",
        [AF_CATEGORY_KERNEL] = "kernel",
        [AF_CATEGORY_JIT] = "JIT-compiled",
        [AF_CATEGORY_INLINED] = "inlined",
        [AF_CATEGORY_WAKER] = "waker",
        [AF_CATEGORY_TRACER] = "tracer",
        [AF_CATEGORY_BLOCKED] = "blocked",
    };
    return titles[category];
}

static gboolean is_tracer(const char *class_name, const char *method)
{
    for (size_t i = 0; i < G_N_ELEMENTS(tracer_methods); i++) {
        if (af_name_fits(tracer_methods[i].class_name, class_name) &&
            af_name_fits(tracer_methods[i].method, method)) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Returns the category of the package `name[0 .. length)` itself; AF_CATEGORY_COUNT = not in the
 * table. */
static af_category lookup_package(const char *name, size_t length)
{
    size_t low = 0, high = G_N_ELEMENTS(packages);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        int order = strncmp(packages[middle].name, name, length);
        if (order == 0 && packages[middle].name[length] != '\0') {
            order = 1;
        }
        if (order == 0) {
            return packages[middle].category;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return AF_CATEGORY_COUNT;
}

/* Returns the length of the enclosing package of `name[0 .. length)`; 0 = none. */
static size_t find_outer(const char *name, size_t length)
{
    while (length > 0 && name[length - 1] != '.') {
        length--;
    }
    return length > 0 ? length - 1 : 0;
}

/* A cache of the last package: the next class is often in the same one. */
typedef struct {
    gboolean waits; /* methods that wait have categories of their own */
    const char *name;
    size_t length; /* 0 = empty */
    af_category category;
} known_package;

static af_category find_category(const char *class_name, size_t length, known_package *known)
{
    if (length == known->length && memcmp(class_name, known->name, length) == 0) {
        return known->category;
    }
    *known = (known_package){known->waits, class_name, length, AF_CATEGORY_COUNT};
    while (length > 0 && known->category == AF_CATEGORY_COUNT) {
        known->category = lookup_package(class_name, length);
        length = find_outer(class_name, length);
    }
    return known->category;
}

static af_category categorise_name(const char *class_name, const char *method, known_package *known)
{
    const unsigned reason = af_waits_of_method(class_name, method);
    if (known->waits && (reason & AF_WAITS_BLOCKS) != 0) {
        return af_waits_kind((uint8_t)reason) == AF_WAITS_IDLE ? AF_CATEGORY_IDLE
                                                               : AF_CATEGORY_BLOCKED;
    }
    if (!class_name || class_name[0] == '\0') {
        return method && af_app_slice(method) > 0
                   ? find_category(method, af_app_package(method), known)
                   : AF_CATEGORY_UNKNOWN;
    }
    if (method && is_tracer(class_name, method)) {
        return AF_CATEGORY_TRACER;
    }
    const size_t length = af_app_package(class_name);
    if (length == 0) {
        return g_str_has_prefix(class_name, "$Proxy") ? AF_CATEGORY_JAVA : AF_CATEGORY_COUNT;
    }
    return find_category(class_name, length, known);
}

af_category af_category_of_method(const char *class_name, const char *method)
{
    known_package known = {.waits = TRUE};
    return categorise_name(class_name, method, &known);
}

/* "[kernel.kallsyms]_text", "/vendor/wifi.ko", "/boot/vmlinux-6.1", "[i915]": perf's names of
 * modules. */
gboolean af_category_is_kernel(const char *library)
{
    static const char *const users[] = {"[unknown]", "[vdso]",  "[vsyscall]", "[vvar]", "[uprobes]",
                                        "[heap]",    "[stack]", "[inlined]",  NULL};
    if (library == NULL) {
        return FALSE;
    }
    const char *slash = strrchr(library, '/');
    const char *base = slash != NULL ? slash + 1 : library;
    if (g_str_has_prefix(library, "[kernel") || g_str_has_prefix(library, "[guest.kernel") ||
        strcmp(base, "vmlinux") == 0 || g_str_has_prefix(base, "vmlinux-")) {
        return TRUE;
    }
    const char *ending = strstr(base, ".ko");
    if (ending != NULL && (ending[3] == '\0' || ending[3] == '.')) {
        return TRUE;
    }
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t length = strlen(library), word = strspn(library + (length > 0), letters);
    return length > 2 && library[0] == '[' && word == length - 2 && library[length - 1] == ']' &&
           !g_strv_contains(users, library);
}

/* The name of the package whose folder `at` is: "com.foo" of "com.foo-1x2y==/lib/arm64/libgame.so".
 */
static size_t span_package(const char *at)
{
    const size_t length = strcspn(at, "/-");
    return memchr(at, '.', length) != NULL ? length : 0;
}

/* Whether a library, apk or compiled file belongs to the app: it was installed as an app or is in
 * its data. If the file declares no app, any package that is not part of the platform counts. */
static gboolean is_own_file(const af_profile *profile, const char *path)
{
    static const char *const folders[] = {"/data/app/", "/data/data/", "/data/user/"};
    const char *app = profile->facts.app;
    const size_t app_length = app != NULL ? strcspn(app, ":") : 0;
    const gboolean declared = app_length > 0 && memchr(app, '.', app_length) != NULL;
    const char *at = NULL;
    for (size_t i = 0; path != NULL && i < G_N_ELEMENTS(folders) && at == NULL; i++) {
        at = strstr(path, folders[i]);
        at = at != NULL ? at + strlen(folders[i]) : NULL;
    }
    for (size_t length = 0; at != NULL; at = strchr(at, '/'), at = at != NULL ? at + 1 : NULL) {
        length = span_package(at);
        if (length > 0 && at[length] != '\0' && declared) {
            return length == app_length && strncmp(at, app, length) == 0;
        }
        if (length > 0 && at[length] != '\0') {
            known_package known = {0}; /* WebView and its like are installed as apps */
            return !g_str_has_prefix(at, "com.google.android.") &&
                   find_category(at, length, &known) == AF_CATEGORY_COUNT;
        }
    }
    return FALSE;
}

/* Uses the class; for "pkg.Iface.method [proxy]", the interface. */
static af_category guess_label(const af_profile *profile, uint32_t label, known_package *known)
{
    const af_method *method = &profile->methods[profile->labels[label].method];
    if (method->defined) {
        const af_category category = categorise_name(method->class_name, method->name, known);
        return category != AF_CATEGORY_UNKNOWN          ? category
               : af_category_is_kernel(method->library) ? AF_CATEGORY_KERNEL
               : is_own_file(profile, method->library)  ? AF_CATEGORY_APP
                                                        : AF_CATEGORY_UNKNOWN;
    }
    const char *end = strstr(method->proxy, " [proxy]");
    const char *dot = end ? g_strrstr_len(method->proxy, end - method->proxy, ".") : NULL;
    if (!dot) {
        return AF_CATEGORY_UNKNOWN;
    }
    g_autofree char *class_name = g_strndup(method->proxy, (size_t)(dot - method->proxy));
    return af_category_of_method(class_name, NULL);
}

/* An annotation of the input overrides the category by name, except for waiting. */
static af_category categorise(const af_method *method, af_category guessed)
{
    static const af_category categories[] = {[AF_ANNOTATION_KERNEL] = AF_CATEGORY_KERNEL,
                                             [AF_ANNOTATION_JIT] = AF_CATEGORY_JIT,
                                             [AF_ANNOTATION_INLINED] = AF_CATEGORY_INLINED,
                                             [AF_ANNOTATION_WAKER] = AF_CATEGORY_WAKER};
    return method->annotation == AF_ANNOTATION_NONE || guessed == AF_CATEGORY_IDLE ||
                   guessed == AF_CATEGORY_BLOCKED
               ? guessed
               : categories[method->annotation];
}

/* Whether a class is in the package of the app that the file declares. The package may look like
 * part of the platform: com.android.launcher3. */
static gboolean is_declared_app(const af_profile *profile, const char *class_name)
{
    const char *app = profile->facts.app;
    const size_t length = app ? strcspn(app, ":") : 0;
    return class_name && length > 0 && memchr(app, '.', length) &&
           strncmp(class_name, app, length) == 0 && class_name[length] == '.';
}

/* Requires the family of the app; NULL = no app was found. */
static void assign_all(af_profile *profile, const af_category *category, const char *family)
{
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        af_label *label = &profile->labels[i];
        const char *class_name = af_app_class(profile, i);
        label->category = category[i];
        if (label->category == AF_CATEGORY_COUNT) {
            const gboolean own = af_app_has(family, class_name);
            label->category = own ? AF_CATEGORY_APP : AF_CATEGORY_LIBRARY;
        } else if (label->category == AF_CATEGORY_ANDROID && is_declared_app(profile, class_name)) {
            label->category = AF_CATEGORY_APP;
        }
        label->category = categorise(&profile->methods[label->method], label->category);
        const uint32_t hash = class_name ? af_hash_fixed(class_name, strlen(class_name))
                                         : af_hash_fixed(label->text, label->length);
        label->shade = (uint8_t)(hash % AF_CATEGORY_SHADES);
    }
}

/* Whether a class is in a package as Java writes them: "com.foo.Bar", not "V8" or "RendererMain". */
static gboolean has_java_package(const char *class_name)
{
    return class_name && af_app_package(class_name) > 0 && g_ascii_islower(class_name[0]);
}

/* Tools other than Android's use dots in names that are not Java names. Unless the input has code
 * of a Java platform, nothing in it is the app or one of its libraries. */
static void reject_other_languages(const af_profile *profile, af_category *category)
{
    gboolean java = FALSE;
    if (af_container_is_android(profile->facts.container)) {
        return;
    }
    for (uint32_t i = 0; i < profile->n_labels && !java; i++) {
        const char *class_name = af_app_class(profile, i);
        java = has_java_package(class_name) && category[i] != AF_CATEGORY_UNKNOWN &&
               category[i] != AF_CATEGORY_KERNEL &&
               (category[i] != AF_CATEGORY_COUNT || af_app_slice(class_name) > 0);
    }
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        if (category[i] == AF_CATEGORY_COUNT &&
            !(java && has_java_package(af_app_class(profile, i)))) {
            category[i] = AF_CATEGORY_UNKNOWN;
        }
    }
}

/* A saved profile of an older version says nowhere why nodes wait. */
static gboolean has_reasons(const af_profile *profile)
{
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree;
        for (uint32_t n = 1; n < tree->n; n++) {
            if (tree->reason[n] != AF_WAITS_OTHER) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

gboolean af_categories_assign(af_profile *profile)
{
    if (profile->has_categories) {
        return has_reasons(profile) || af_waits_decide_all(profile);
    }
    g_autofree af_category *category = g_try_new(af_category, (size_t)profile->n_labels + 1);
    known_package known = {.waits = af_waits_counted(profile)};
    for (uint32_t i = 0; i < profile->n_labels && category; i++) {
        category[i] = guess_label(profile, i, &known);
    }
    if (category) {
        reject_other_languages(profile, category);
    }
    g_autofree char *app = NULL;
    /* of several merged apps none is the app: then all code of unknown packages is the apps' */
    const gboolean several = profile->warnings.count[AF_WARN_SEVERAL_APPS] > 0;
    const gboolean found = category && (several || af_app_find(profile, category, &app));
    if (found) {
        g_autofree char *family = app ? af_app_family(app) : NULL;
        const char *shown = profile->facts.app ? profile->facts.app : app;
        profile->app = shown ? af_arena_copy(profile->arena, shown, strlen(shown)) : NULL;
        assign_all(profile, category, family);
    }
    return found && !af_arena_failed(profile->arena) && af_groups_assign(profile) &&
           af_waits_decide_all(profile);
}
