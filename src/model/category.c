#include "model/category.h"

#include <string.h>

#include "base/array.h"
#include "base/textmap.h"
#include "model/packages.h"
#include "model/profile.h"

static const struct {
    const char *name;
    af_category category;
} packages[] = {
#define X(name, category) {name, AF_CATEGORY_##category},
    AF_PACKAGES(X)
#undef X
};

/* Methods whose time is waiting. A method or class that ends in '*' stands for all that begin so.
 * From what Firefox Profiler mutes, and the same places in Dalvik's library. */
static const struct {
    const char *class_name, *method;
} idle_methods[] = {
    {"android.os.MessageQueue", "nativePollOnce"},
    {"android.os.BinderProxy", "transactNative"},
    {"java.lang.Object", "wait*"},
    {"java.lang.Thread", "sleep*"},
    {"java.lang.Thread", "parkFor*"},
    {"java.lang.Thread", "parkUntil*"},
    {"java.lang.VMThread", "sleep*"},
    {"sun.misc.Unsafe", "park"},
    {"jdk.internal.misc.Unsafe", "park"},
    {"dalvik.system.VMRuntime", "runHeapTasks"},
    {"java.lang.Daemons$HeapTaskDaemon", "runInternal"},
    {"libcore.io.*", "poll"},
    {"libcore.io.*", "recvfrom*"},
    {"libcore.io.*", "accept"},
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
        [AF_CATEGORY_IDLE] = "idle or blocked",
        [AF_CATEGORY_FOLDED] = "folded frames",
        [AF_CATEGORY_KERNEL] = "kernel",
        [AF_CATEGORY_JIT] = "JIT-compiled",
        [AF_CATEGORY_INLINED] = "inlined",
        [AF_CATEGORY_WAKER] = "waker",
    };
    return titles[category];
}

static gboolean matches(const char *pattern, const char *text)
{
    if (pattern[0] != text[0]) {
        return FALSE; /* nearly always */
    }
    const size_t length = strlen(pattern);
    if (length > 0 && pattern[length - 1] == '*') {
        return strncmp(pattern, text, length - 1) == 0;
    }
    return strcmp(pattern, text) == 0;
}

static gboolean is_idle(const char *class_name, const char *method)
{
    for (size_t i = 0; i < G_N_ELEMENTS(idle_methods); i++) {
        if (matches(idle_methods[i].class_name, class_name) &&
            matches(idle_methods[i].method, method)) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The category of the package `name[0 .. length)` itself, AF_CATEGORY_COUNT = not in the table. */
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

/* Length of the package: up to the last full stop. */
static size_t find_package(const char *class_name)
{
    const char *dot = strrchr(class_name, '.');
    return dot ? (size_t)(dot - class_name) : 0;
}

/* The package around `name[0 .. length)`, 0 = none. */
static size_t find_outer(const char *name, size_t length)
{
    while (length > 0 && name[length - 1] != '.') {
        length--;
    }
    return length > 0 ? length - 1 : 0;
}

/* What was found for a package: the next class is often in the same. */
typedef struct {
    const char *name;
    size_t length; /* 0 = nothing yet */
    af_category category;
} known_package;

static af_category find_category(const char *class_name, size_t length, known_package *known)
{
    if (length == known->length && memcmp(class_name, known->name, length) == 0) {
        return known->category;
    }
    *known = (known_package){class_name, length, AF_CATEGORY_COUNT};
    while (length > 0 && known->category == AF_CATEGORY_COUNT) {
        known->category = lookup_package(class_name, length);
        length = find_outer(class_name, length);
    }
    return known->category;
}

static af_category categorise_name(const char *class_name, const char *method, known_package *known)
{
    if (!class_name || class_name[0] == '\0') {
        /* as V8 calls what it has nothing to do in */
        return method && strcmp(method, "(idle)") == 0 ? AF_CATEGORY_IDLE : AF_CATEGORY_UNKNOWN;
    }
    if (method && is_idle(class_name, method)) {
        return AF_CATEGORY_IDLE;
    }
    const size_t length = find_package(class_name);
    if (length == 0) {
        return g_str_has_prefix(class_name, "$Proxy") ? AF_CATEGORY_JAVA : AF_CATEGORY_COUNT;
    }
    return find_category(class_name, length, known);
}

af_category af_category_of_method(const char *class_name, const char *method)
{
    known_package known = {0};
    return categorise_name(class_name, method, &known);
}

/* "[kernel.kallsyms]_text", "/vendor/wifi.ko", "/boot/vmlinux-6.1", "[i915]" as perf calls modules
 */
gboolean af_category_is_kernel(const char *library)
{
    static const char *const users[] = {"[unknown]", "[vdso]", "[vsyscall]", "[vvar]",
                                        "[uprobes]", "[heap]", "[stack]",    "[inlined]"};
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
    for (size_t i = 0; i < G_N_ELEMENTS(users); i++) {
        if (strcmp(library, users[i]) == 0) {
            return FALSE;
        }
    }
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t length = strlen(library), word = strspn(library + (length > 0), letters);
    return length > 2 && library[0] == '[' && word == length - 2 && library[length - 1] == ']';
}

/* ---- the app ---- */

/* The first `n` components of the package `name[0 .. length)`: where they end, 0 = fewer. */
static size_t find_components(const char *name, size_t length, unsigned n)
{
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '.' && --n == 0) {
            return i;
        }
    }
    return n == 1 ? length : 0;
}

/* A package that a shrinker made says nothing about whose it is. */
static gboolean is_obfuscated(const char *name, size_t length)
{
    const size_t first = find_components(name, length, 1);
    return first < 2 || (first == 2 && length - first <= 3 && length > first);
}

/* What belongs to nobody in particular: one owner more is needed to tell apps apart. */
static gboolean is_shared_host(const char *name, size_t length)
{
    static const char *const hosts[] = {
        "cn.com", "co.il",  "co.jp",     "co.kr",       "co.nz",      "co.uk",      "co.za",
        "com.au", "com.br", "com.cn",    "com.example", "com.github", "com.gitlab", "com.google",
        "com.tr", "com.tw", "io.github", "io.gitlab",   "org.apache", "uk.co"};
    for (size_t i = 0; i < G_N_ELEMENTS(hosts); i++) {
        if (strlen(hosts[i]) == length && strncmp(hosts[i], name, length) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

/* A part of an app rather than a name of one. */
static gboolean is_part_name(const char *name, size_t length)
{
    static const char *const parts[] = {
        "activities", "activity", "adapter", "app",          "base",   "common",  "core",
        "data",       "domain",   "feature", "http",         "lib",    "main",    "model",
        "net",        "network",  "player",  "presentation", "sdk",    "service", "ui",
        "util",       "utils",    "view",    "views",        "widget", "widgets"};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (strlen(parts[i]) == length && strncmp(parts[i], name, length) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

typedef struct {
    af_profile *profile;
    const uint64_t *weight;      /* of each label */
    const af_category *category; /* of each label, by name alone */
    gboolean failed;             /* the machine refused memory */
} app_search;

/* The class of a label; of a proxy's method a text that begins with the interface. NULL = none. */
static const char *find_class(const af_profile *profile, uint32_t label)
{
    const af_method *method = &profile->methods[profile->labels[label].method];
    return method->defined ? method->class_name : method->proxy;
}

static gboolean is_within(const char *name, size_t length, const char *prefix)
{
    const size_t n = strlen(prefix);
    return length >= n && strncmp(name, prefix, n) == 0 && (length == n || name[n] == '.');
}

/* Weights by the beginnings of packages. */
typedef struct {
    af_textmap prefixes;
    af_array weights; /* of uint64_t, by number of the prefix */
} prefix_sums;

/* Adds up the weights of the unknown packages inside `within` (NULL = all) by their first `n`
 * components. Returns their sum. */
static uint64_t sum_prefixes(app_search *search, const char *within, unsigned n, prefix_sums *sums)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < search->profile->n_labels; i++) {
        const char *name = find_class(search->profile, i);
        if (search->category[i] != AF_CATEGORY_COUNT || search->weight[i] == 0) {
            continue;
        }
        const size_t package = find_package(name);
        if (is_obfuscated(name, package) || (within && !is_within(name, package, within))) {
            continue;
        }
        const size_t length = find_components(name, package, n);
        const uint32_t number = af_textmap_add(&sums->prefixes, name, length ? length : package);
        if (number == AF_TEXTMAP_NONE || !af_array_reach(&sums->weights, (size_t)number + 1)) {
            search->failed = TRUE;
            break;
        }
        AF_ARRAY_AT(&sums->weights, uint64_t, number) += search->weight[i];
        total += search->weight[i];
    }
    return total;
}

/* Whether the entry comes before the other in the order of names. */
static gboolean comes_before(const af_textmap_entry *one, const af_textmap_entry *other)
{
    const int order = memcmp(one->bytes, other->bytes, MIN(one->length, other->length));
    return order != 0 ? order < 0 : one->length < other->length;
}

/* The heaviest prefix of (at most) `n` components among the unknown packages inside `within`, and
 * whether it holds four fifths of them. NULL if there is none. */
static char *find_heaviest(app_search *search, const char *within, unsigned n, gboolean *dominates)
{
    prefix_sums sums;
    af_textmap_init(&sums.prefixes);
    af_array_init(&sums.weights, sizeof(uint64_t));
    const uint64_t total = sum_prefixes(search, within, n, &sums);
    const af_textmap_entry *best = NULL;
    uint64_t weight = 0;
    for (size_t i = 0; i < sums.weights.n; i++) {
        const af_textmap_entry *entry = &sums.prefixes.entries[i];
        const uint64_t sum = AF_ARRAY_AT(&sums.weights, uint64_t, i);
        /* equal weights: the order of the names decides, not that of the labels */
        if (!best || sum > weight || (sum == weight && comes_before(entry, best))) {
            weight = sum;
            best = entry;
        }
    }
    char *found = best ? g_strndup(best->bytes, best->length) : NULL;
    *dominates = weight >= total - total / 5;
    af_textmap_clear(&sums.prefixes);
    af_array_clear(&sums.weights);
    return found;
}

/* Two components, or three where the third is a name and holds nearly all. */
static char *find_app(app_search *search)
{
    gboolean dominates;
    char *app = find_heaviest(search, NULL, 2, &dominates);
    if (!app || !strchr(app, '.')) {
        return app;
    }
    const size_t length = strlen(app);
    char *longer = find_heaviest(search, app, 3, &dominates);
    if (longer && strlen(longer) > length) {
        const char *last = longer + length + 1;
        const gboolean is_name = strlen(last) > 1 && !is_part_name(last, strlen(last));
        if (is_shared_host(app, length) || (dominates && is_name)) {
            g_free(app);
            return longer;
        }
    }
    g_free(longer);
    return app;
}

/* The part of the app's package that its other modules share: com.foo of com.foo.shop. */
static char *find_family(const char *app)
{
    const size_t length = find_components(app, strlen(app), 2);
    return length == 0 || is_shared_host(app, length) ? g_strdup(app) : g_strndup(app, length);
}

/* Self time of every label over all threads; calls if there is no time. CPU time where there is
 * any: wall time would be won by the library whose thread sleeps most. */
static gboolean weigh_labels(const af_profile *profile, const af_category *category,
                             uint64_t *weight)
{
    const af_clock clock = af_profile_busy_clock(profile);
    for (unsigned by_calls = 0; by_calls < 2; by_calls++) {
        for (uint32_t t = 0; t < profile->n_threads; t++) {
            const af_tree *tree = profile->threads[t].tree;
            const uint64_t *column = by_calls ? tree->calls : tree->self[clock];
            for (uint32_t i = 1; column && i < tree->n; i++) {
                weight[tree->label[i]] += column[i];
            }
        }
        for (uint32_t i = 0; i < profile->n_labels; i++) {
            if (category[i] == AF_CATEGORY_COUNT && weight[i] > 0) {
                return TRUE;
            }
        }
        memset(weight, 0, sizeof *weight * profile->n_labels);
    }
    return FALSE;
}

/* What Android itself calls in an app. Libraries have such methods too, but apps have more. */
static gboolean is_entry(const char *method)
{
    static const char *const entries[] = {
        "attachBaseContext", "onClick", "onCreate",      "onCreateView", "onPause",  "onResume",
        "onStart",           "onStop",  "onViewCreated", "onNewIntent",  "onDestroy"};
    for (size_t i = 0; i < G_N_ELEMENTS(entries); i++) {
        if (method && strcmp(method, entries[i]) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

/* An app whose code only calls others has little time of its own: each entry point counts as much
 * as a tenth of all the unknown packages' time. */
static void weigh_entries(const app_search *search, uint64_t *weight)
{
    const af_profile *profile = search->profile;
    uint64_t unknown = 0;
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        unknown += search->category[i] == AF_CATEGORY_COUNT ? weight[i] : 0;
    }
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        if (search->category[i] == AF_CATEGORY_COUNT &&
            is_entry(profile->methods[profile->labels[i].method].name)) {
            weight[i] += unknown / 10;
        }
    }
}

/* FNV-1a, 32 bits. */
static uint32_t hash_text(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    }
    return hash;
}

/* Names by their classes, and the interface in "pkg.Iface.method [proxy]". */
static af_category guess_label(const af_profile *profile, uint32_t label, known_package *known)
{
    const af_method *method = &profile->methods[profile->labels[label].method];
    if (method->defined) {
        const af_category category = categorise_name(method->class_name, method->name, known);
        const gboolean nameless = category == AF_CATEGORY_UNKNOWN;
        return nameless && af_category_is_kernel(method->library) ? AF_CATEGORY_KERNEL : category;
    }
    const char *end = strstr(method->proxy, " [proxy]");
    const char *dot = end ? g_strrstr_len(method->proxy, end - method->proxy, ".") : NULL;
    if (!dot) {
        return AF_CATEGORY_UNKNOWN;
    }
    char *class_name = g_strndup(method->proxy, (size_t)(dot - method->proxy));
    const af_category category = af_category_of_method(class_name, NULL);
    g_free(class_name);
    return category;
}

/* `family` is NULL if no package looks like an app's: what is unknown is then the app as a shrinker
 * left it. */
static gboolean is_of_app(const char *class_name, const char *family)
{
    if (!family) {
        return TRUE;
    }
    const size_t package = find_package(class_name);
    if (package == 0) {
        /* a small program without packages; what a shrinker puts there has short names */
        return g_ascii_isupper(class_name[0]) && strlen(class_name) > 3;
    }
    return is_within(class_name, package, family);
}

/* What the input says of a frame outdoes what its name tells, but that it waited. */
static af_category categorise(const af_method *method, af_category guessed)
{
    static const af_category categories[] = {[AF_NOTE_KERNEL] = AF_CATEGORY_KERNEL,
                                             [AF_NOTE_JIT] = AF_CATEGORY_JIT,
                                             [AF_NOTE_INLINED] = AF_CATEGORY_INLINED,
                                             [AF_NOTE_WAKER] = AF_CATEGORY_WAKER};
    return method->note == AF_NOTE_NONE || guessed == AF_CATEGORY_IDLE ? guessed
                                                                       : categories[method->note];
}

/* Label by label, when the app's family is known (NULL = there is none). */
static void assign_all(const app_search *search, const char *family)
{
    af_profile *profile = search->profile;
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        af_label *label = &profile->labels[i];
        const char *class_name = find_class(profile, i);
        label->category = search->category[i];
        if (label->category == AF_CATEGORY_COUNT) {
            label->category = is_of_app(class_name, family) ? AF_CATEGORY_APP : AF_CATEGORY_LIBRARY;
        }
        label->category = categorise(&profile->methods[label->method], label->category);
        const uint32_t hash = class_name ? hash_text(class_name, strlen(class_name))
                                         : hash_text(label->text, label->length);
        label->shade = (uint8_t)(hash % AF_CATEGORY_SHADES);
    }
}

/* Whether code of the package ran. An app's id need not be the package of its classes. */
static gboolean has_code_of(const app_search *search, const char *app)
{
    for (uint32_t i = 0; app && i < search->profile->n_labels; i++) {
        const char *class_name = find_class(search->profile, i);
        if (class_name && is_within(class_name, strlen(class_name), app)) {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean af_categories_assign(af_profile *profile)
{
    af_category *category = g_try_new(af_category, (size_t)profile->n_labels + 1);
    uint64_t *weight = g_try_new0(uint64_t, (size_t)profile->n_labels + 1);
    app_search search = {profile, weight, category, category == NULL || weight == NULL};
    known_package known = {0};
    for (uint32_t i = 0; i < profile->n_labels && !search.failed; i++) {
        category[i] = guess_label(profile, i, &known);
    }
    const char *told = profile->facts.app;
    char *app = !search.failed && has_code_of(&search, told) ? g_strdup(told) : NULL;
    if (!search.failed && !app && weigh_labels(profile, category, weight)) {
        weigh_entries(&search, weight);
        app = find_app(&search);
    }
    if (!search.failed) {
        char *family = app ? find_family(app) : NULL;
        const char *shown = told ? told : app;
        profile->app = shown ? af_arena_copy(profile->arena, shown, strlen(shown)) : NULL;
        assign_all(&search, family);
        g_free(family);
    }
    g_free(app);
    g_free(category);
    g_free(weight);
    return !search.failed && !af_arena_failed(profile->arena);
}
