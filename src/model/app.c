#include "model/app.h"

#include <string.h>

#include "base/array.h"
#include "base/span.h"
#include "base/textmap.h"

size_t af_app_package(const char *class_name)
{
    const char *dot = strrchr(class_name, '.');
    return dot ? (size_t)(dot - class_name) : 0;
}

size_t af_app_slice(const char *text)
{
    const size_t length = strcspn(text, "#");
    size_t package = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.') {
            package = i;
        } else if (!g_ascii_isalnum(text[i]) && text[i] != '_' && text[i] != '$') {
            return 0;
        }
    }
    const gboolean is_class = package > 0 && g_ascii_isupper(text[package + 1]);
    return text[length] == '#' && is_class && g_ascii_islower(text[0]) ? length : 0;
}

const char *af_app_class(const af_profile *profile, uint32_t label)
{
    const af_method *method = &profile->methods[profile->labels[label].method];
    const gboolean classless = method->class_name == NULL || method->class_name[0] == '\0';
    if (method->defined && classless && method->name != NULL && af_app_slice(method->name) > 0) {
        return method->name;
    }
    return method->defined ? method->class_name : method->proxy;
}

/* Returns the length of the first `n` components of the package `name[0 .. length)`; 0 if it has
 * fewer. */
static size_t find_components(const char *name, size_t length, unsigned n)
{
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '.' && --n == 0) {
            return i;
        }
    }
    return n == 1 ? length : 0;
}

/* A package renamed by a shrinker does not reveal its owner. */
static gboolean is_obfuscated(const char *name, size_t length)
{
    const size_t first = find_components(name, length, 1);
    return first < 2 || (first == 2 && length - first <= 3 && length > first);
}

/* Prefixes that many owners share: another component is needed to distinguish apps. */
static gboolean is_shared_host(const char *name, size_t length)
{
    static const char *const hosts[] = {
        "cn.com", "co.il",  "co.jp",     "co.kr",       "co.nz",      "co.uk",      "co.za",
        "com.au", "com.br", "com.cn",    "com.example", "com.github", "com.gitlab", "com.google",
        "com.tr", "com.tw", "io.github", "io.gitlab",   "org.apache", "uk.co",      NULL};
    return af_span_among((af_span){name, length}, hosts);
}

/* Whether the name is that of a part of an app, not of an app. */
static gboolean is_part_name(const char *name, size_t length)
{
    static const char *const parts[] = {
        "activities", "activity", "adapter", "app",          "base",   "common",  "core",
        "data",       "domain",   "feature", "http",         "lib",    "main",    "model",
        "net",        "network",  "player",  "presentation", "sdk",    "service", "ui",
        "util",       "utils",    "view",    "views",        "widget", "widgets", NULL};
    return af_span_among((af_span){name, length}, parts);
}

typedef struct {
    const af_profile *profile;
    const uint64_t *weight;      /* of each label */
    const af_category *category; /* of each label, by name alone */
    gboolean failed;             /* memory was refused */
} app_search;

static gboolean is_within(const char *name, size_t length, const char *prefix)
{
    const size_t n = strlen(prefix);
    return length >= n && strncmp(name, prefix, n) == 0 && (length == n || name[n] == '.');
}

/* Weights by package prefix. */
typedef struct {
    af_textmap prefixes;
    af_array weights; /* of uint64_t, by index of the prefix */
} prefix_sums;

/* Sums the weights of the unknown packages inside `within` (NULL = all) by their first `n`
 * components. Returns the total. */
static uint64_t sum_prefixes(app_search *search, const char *within, unsigned n, prefix_sums *sums)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < search->profile->n_labels; i++) {
        const char *name = af_app_class(search->profile, i);
        if (search->category[i] != AF_CATEGORY_COUNT || search->weight[i] == 0) {
            continue;
        }
        const size_t package = af_app_package(name);
        if (is_obfuscated(name, package) || (within && !is_within(name, package, within))) {
            continue;
        }
        const size_t length = find_components(name, package, n);
        const uint32_t number = af_textmap_add(&sums->prefixes, name, length ? length : package);
        uint64_t *sum = af_array_slot(&sums->weights, number);
        if (sum == NULL) {
            search->failed = TRUE;
            break;
        }
        *sum += search->weight[i];
        total += search->weight[i];
    }
    return total;
}

/* Whether the entry precedes the other in name order. */
static gboolean comes_before(const af_textmap_entry *one, const af_textmap_entry *other)
{
    const int order = memcmp(one->bytes, other->bytes, MIN(one->length, other->length));
    return order != 0 ? order < 0 : one->length < other->length;
}

/* Returns the heaviest prefix of (at most) `n` components among the unknown packages inside
 * `within`, or NULL. `dominates`: it has at least four fifths of the weight. */
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
        /* equal weights: the order of names decides, not that of labels */
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

/* Returns two components, or three if the third is a name and has nearly all of the weight. */
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

char *af_app_family(const char *app)
{
    const size_t length = find_components(app, strlen(app), 2);
    return length == 0 || is_shared_host(app, length) ? g_strdup(app) : g_strndup(app, length);
}

gboolean af_app_weigh_labels(const af_profile *profile, gboolean by_calls, uint64_t *weight)
{
    const af_clock clock = af_profile_busy_clock(profile);
    uint64_t any = 0;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree;
        const uint64_t *column = by_calls ? tree->calls : tree->self[clock];
        for (uint32_t i = 1; column && i < tree->n; i++) {
            weight[tree->label[i]] += column[i];
            any |= column[i];
        }
    }
    return any != 0;
}

/* Weighs labels by their self time; by their calls if no unknown package has time. FALSE if none has
 * calls either. */
static gboolean weigh_unknown(const app_search *search, uint64_t *weight)
{
    for (unsigned by_calls = 0; by_calls < 2; by_calls++) {
        af_app_weigh_labels(search->profile, by_calls != 0, weight);
        for (uint32_t i = 0; i < search->profile->n_labels; i++) {
            if (search->category[i] == AF_CATEGORY_COUNT && weight[i] > 0) {
                return TRUE;
            }
        }
        memset(weight, 0, sizeof *weight * search->profile->n_labels);
    }
    return FALSE;
}

/* Methods that Android calls in an app. Libraries have such methods too, but apps have more. */
static gboolean is_entry(const char *method)
{
    static const char *const entries[] = {
        "attachBaseContext", "onClick", "onCreate",      "onCreateView", "onPause",   "onResume",
        "onStart",           "onStop",  "onViewCreated", "onNewIntent",  "onDestroy", NULL};
    return method && g_strv_contains(entries, method);
}

/* An app that mostly calls other code has little time itself: each entry point weighs as much as a
 * tenth of the time of all unknown packages. */
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

/* Whether code of the package ran. The application id of an app may differ from its packages. */
static gboolean has_code_of(const app_search *search, const char *app)
{
    for (uint32_t i = 0; app && i < search->profile->n_labels; i++) {
        const char *class_name = af_app_class(search->profile, i);
        if (class_name && is_within(class_name, strlen(class_name), app)) {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean af_app_has(const char *family, const char *class_name)
{
    if (!family) {
        return TRUE;
    }
    const size_t package = af_app_package(class_name);
    if (package == 0) {
        /* a small program without packages; shrinkers give classes without a package short names */
        return g_ascii_isupper(class_name[0]) && strlen(class_name) > 3;
    }
    return is_within(class_name, package, family);
}

gboolean af_app_find(const af_profile *profile, const af_category *category, char **app)
{
    uint64_t *weight = g_try_new0(uint64_t, (size_t)profile->n_labels + 1);
    app_search search = {profile, weight, category, weight == NULL};
    const char *stated = profile->facts.app;
    *app = NULL;
    if (has_code_of(&search, stated)) {
        *app = g_strdup(stated);
    } else if (!search.failed && weigh_unknown(&search, weight)) {
        weigh_entries(&search, weight);
        *app = find_app(&search);
    }
    g_free(weight);
    if (search.failed) {
        g_clear_pointer(app, g_free);
    }
    return !search.failed;
}
