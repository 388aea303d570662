#include "model/groups.h"

#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/span.h"
#include "base/textmap.h"
#include "model/app.h"

/* Divisions deeper than DEPTH_MAX are by whole names. */
enum { NONE = 0, DEPTH_MAX = 5, GROUPS_MAX = UINT16_MAX - 1 };

typedef struct {
    af_profile *profile;
    uint64_t *weight;  /* by label */
    uint32_t *group;   /* by label: number of its group + 1, NONE = its category */
    af_textmap titles; /* of groups */
    gboolean failed;   /* memory was refused */
} grouping;

/* A part of the name of a label. */
typedef struct {
    const char *text;
    size_t length; /* 0 = none */
} name_part;

/* Frames that wait, that replace others or that belong to the recording keep their colours. */
static gboolean is_apart(af_category category)
{
    return category == AF_CATEGORY_IDLE || category == AF_CATEGORY_BLOCKED ||
           category == AF_CATEGORY_FOLDED || category == AF_CATEGORY_TRACER;
}

/* ---- groups that the input states ---- */

static gboolean is_unknown_library(const char *base)
{
    static const char *const names[] = {"",       "unknown", "[unknown]", "[Unknown]",
                                        "[anon]", "//anon",  NULL};
    return g_strv_contains(names, base);
}

/* "libc.so.1`__read" of DTrace, "[libc.so.6]" without a symbol, "read (in libc.dylib)". */
static name_part find_module(const char *name)
{
    const size_t length = strlen(name);
    const char *quote = strchr(name, '`');
    if (quote != NULL && quote > name && name[0] != '[') {
        return (name_part){name, (size_t)(quote - name)};
    }
    if (length > 2 && name[0] == '[' && name[length - 1] == ']' && strstr(name, ".so") != NULL) {
        return (name_part){name + 1, length - 2};
    }
    const char *in = length > 0 && name[length - 1] == ')' ? g_strrstr(name, " (in ") : NULL;
    if (in != NULL) {
        return (name_part){in + 5, length - 1 - (size_t)(in + 5 - name)};
    }
    return (name_part){NULL, 0};
}

/* The first of "devtools.timeline,v8"; of "disabled-by-default-v8.gc", "v8.gc". */
static name_part find_first_category(const char *list)
{
    static const char disabled[] = "disabled-by-default-";
    const char *first = g_str_has_prefix(list, disabled) ? list + sizeof disabled - 1 : list;
    const size_t length = strcspn(first, ",");
    return length > 0 ? (name_part){first, length} : (name_part){list, strcspn(list, ",")};
}

static name_part find_stated(const af_profile *profile, const af_label *label)
{
    const af_method *method = &profile->methods[label->method];
    if (label->category != AF_CATEGORY_UNKNOWN || !method->defined) {
        return (name_part){NULL, 0};
    }
    if (method->group != NULL) {
        return find_first_category(method->group);
    }
    if (method->library != NULL && (method->class_name == NULL || method->class_name[0] == '\0')) {
        const char *slash = strrchr(method->library, '/');
        const char *base = slash != NULL ? slash + 1 : method->library;
        return (name_part){base, is_unknown_library(base) ? 0 : strlen(base)};
    }
    return find_module(method->name != NULL ? method->name : "");
}

static void set_group(grouping *g, uint32_t label, name_part title)
{
    const uint32_t number =
        title.length > 0 ? af_textmap_add(&g->titles, title.text, title.length) : AF_TEXTMAP_NONE;
    g->failed |= title.length > 0 && number == AF_TEXTMAP_NONE;
    if (number < GROUPS_MAX) {
        g->group[label] = number + 1;
    }
}

/* The length of the first `depth` names between dots. */
static size_t span_packages(const char *text, size_t length, unsigned depth)
{
    size_t i = 0;
    while (i < length && !(text[i] == '.' && --depth == 0)) {
        i++;
    }
    return i;
}

static gboolean is_identifier(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

/* "art::gc" of "art::gc::Heap::Run", depth 2; "V8" of "V8.Execute", depth 1. */
static name_part find_scope(const char *name, unsigned depth)
{
    name += strspn(name, "<&*( ");
    size_t at = 0, end = 0;
    for (unsigned i = 0; i < depth; i++) {
        const size_t from = at;
        while (is_identifier(name[at])) {
            at++;
        }
        const size_t separator = name[at] == ':' && name[at + 1] == ':' ? 2 : name[at] == '.';
        if (at == from || separator == 0 || !is_identifier(name[at + separator])) {
            break;
        }
        end = at;
        at += separator;
    }
    return (name_part){name, end};
}

/* Whether a package starts with the top of a domain, which names nobody: "com", "org", "de". */
static gboolean is_top_domain(const char *name, size_t length)
{
    static const char *const tops[] = {"app",  "biz",  "com", "dev", "edu", "gov",
                                       "info", "mobi", "net", "org", NULL};
    return length == 2 || af_span_among((af_span){name, length}, tops);
}

/* The first `depth` parts of the package after the top of its domain, the class if it is in none, or the namespace. */
static name_part find_part(const af_profile *profile, const af_label *label, unsigned depth)
{
    const af_method *method = &profile->methods[label->method];
    const char *class_name = method->defined ? method->class_name : NULL;
    if (class_name == NULL || class_name[0] == '\0') {
        const char *name = method->defined && method->name != NULL ? method->name : "";
        const char *quote = strchr(name, '`');
        return depth > DEPTH_MAX ? (name_part){name, strlen(name)}
                                 : find_scope(quote != NULL ? quote + 1 : name, depth);
    }
    const size_t package = af_app_package(class_name);
    const size_t domain = strcspn(class_name, ".");
    if (package == 0 || (package == domain && is_top_domain(class_name, domain))) {
        return (name_part){class_name, strlen(class_name)};
    }
    depth += is_top_domain(class_name, domain) ? 1 : 0;
    return (name_part){class_name, span_packages(class_name, package, depth)};
}

/* ---- division of what holds nearly all of the time ---- */

/* A category, or a group: AF_CATEGORY_COUNT + its number. */
static uint32_t find_bucket(const grouping *g, uint32_t label)
{
    return g->group[label] != NONE ? AF_CATEGORY_COUNT + g->group[label] - 1
                                   : (uint32_t)g->profile->labels[label].category;
}

/* The weights of all buckets. NULL if memory is refused. */
static uint64_t *sum_buckets(grouping *g, uint64_t *total)
{
    uint64_t *sums = g_try_new0(uint64_t, (size_t)AF_CATEGORY_COUNT + g->titles.n + 1);
    g->failed |= sums == NULL;
    *total = 0;
    for (uint32_t i = 0; sums != NULL && i < g->profile->n_labels; i++) {
        if (!is_apart(g->profile->labels[i].category)) {
            sums[find_bucket(g, i)] += g->weight[i];
            *total += g->weight[i];
        }
    }
    return sums;
}

static gboolean is_most(uint64_t part, uint64_t whole)
{
    return whole > 0 && part > whole - whole / 5;
}

/* The weight of the heaviest part of a bucket at a depth; all of it if names do not divide it. */
static uint64_t weigh_parts(grouping *g, uint32_t bucket, unsigned depth)
{
    af_textmap parts;
    af_array weights;
    af_textmap_init(&parts);
    af_array_init(&weights, sizeof(uint64_t));
    uint64_t most = 0, nameless = 0;
    for (uint32_t i = 0; i < g->profile->n_labels && !g->failed; i++) {
        if (g->weight[i] == 0 || find_bucket(g, i) != bucket) {
            continue;
        }
        const name_part part = find_part(g->profile, &g->profile->labels[i], depth);
        if (part.length == 0) {
            nameless += g->weight[i];
            continue;
        }
        const uint32_t number = af_textmap_add(&parts, part.text, part.length);
        g->failed = number == AF_TEXTMAP_NONE || !af_array_reach(&weights, (size_t)number + 1);
        if (!g->failed) {
            AF_ARRAY_AT(&weights, uint64_t, number) += g->weight[i];
            most = MAX(most, AF_ARRAY_AT(&weights, uint64_t, number));
        }
    }
    af_textmap_clear(&parts);
    af_array_clear(&weights);
    return MAX(most, nameless);
}

/* Returns whether there was something to divide. */
static gboolean divide(grouping *g)
{
    uint64_t total;
    uint64_t *sums = sum_buckets(g, &total);
    uint32_t bucket = UINT32_MAX;
    for (uint32_t i = 0; sums != NULL && i < AF_CATEGORY_COUNT + g->titles.n; i++) {
        /* the app keeps its hue in every picture */
        bucket = is_most(sums[i], total) && i != AF_CATEGORY_APP ? i : bucket;
    }
    const uint64_t whole = bucket != UINT32_MAX ? sums[bucket] : 0;
    g_free(sums);
    const unsigned deepest = bucket == AF_CATEGORY_UNKNOWN ? DEPTH_MAX + 1 : DEPTH_MAX;
    for (unsigned depth = 1; whole > 0 && depth <= deepest && !g->failed; depth++) {
        const uint64_t heaviest = weigh_parts(g, bucket, depth);
        /* whole names are useless as groups if none has much time: "frame 1", "frame 2" ... */
        if (is_most(heaviest, whole) || (depth > DEPTH_MAX && heaviest < whole / 20)) {
            continue;
        }
        for (uint32_t i = 0; i < g->profile->n_labels; i++) {
            if (find_bucket(g, i) == bucket) {
                set_group(g, i, find_part(g->profile, &g->profile->labels[i], depth));
            }
        }
        return TRUE;
    }
    return FALSE;
}

/* Hues for groups: those of categories that the input lacks. Orange always means the app and the
 * kernel's hue the kernel. Hues of annotations never occur with those of Android's categories. */
static const uint8_t android_hues[] = {AF_CATEGORY_JAVA, AF_CATEGORY_ANDROID, AF_CATEGORY_LIBRARY,
                                       AF_CATEGORY_KOTLIN, AF_CATEGORY_ANDROIDX};
static const uint8_t annotated_hues[] = {AF_CATEGORY_JAVA, AF_CATEGORY_LIBRARY, AF_CATEGORY_KOTLIN,
                                         AF_CATEGORY_JIT,  AF_CATEGORY_INLINED, AF_CATEGORY_WAKER};

typedef struct {
    uint32_t bucket;
    uint64_t weight;
    const char *title;
    size_t length;
} candidate;

/* Your app first, then by weight, then by name. */
static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    const gboolean x_app = x->bucket == AF_CATEGORY_APP, y_app = y->bucket == AF_CATEGORY_APP;
    if (x_app != y_app) {
        return x_app ? -1 : 1;
    }
    if (x->weight != y->weight) {
        return x->weight > y->weight ? -1 : 1;
    }
    const int order = memcmp(x->title, y->title, MIN(x->length, y->length));
    return order != 0 ? order : x->length < y->length ? -1 : x->length > y->length;
}

/* By bucket. NULL if memory is refused. */
static candidate *list_candidates(grouping *g, uint32_t *n)
{
    uint64_t total;
    uint64_t *sums = sum_buckets(g, &total);
    const size_t n_buckets = (size_t)AF_CATEGORY_COUNT + g->titles.n;
    candidate *list = g_try_new0(candidate, n_buckets + 1);
    gboolean *present = g_try_new0(gboolean, n_buckets + 1);
    for (uint32_t i = 0; present && i < g->profile->n_labels; i++) {
        present[find_bucket(g, i)] = TRUE;
    }
    *n = 0;
    for (uint32_t i = 0; sums && list && present && i < n_buckets; i++) {
        candidate *next = &list[*n];
        *next = (candidate){.bucket = i, .weight = sums[i]};
        if (!present[i] || is_apart(i) || i == AF_CATEGORY_UNKNOWN) {
            continue;
        }
        if (i < AF_CATEGORY_COUNT) {
            next->title = af_category_title(i);
            next->length = strlen(next->title);
        } else {
            next->title = g->titles.entries[i - AF_CATEGORY_COUNT].bytes;
            next->length = g->titles.entries[i - AF_CATEGORY_COUNT].length;
        }
        ++*n;
    }
    g_free(sums);
    g->failed |= list == NULL || present == NULL;
    g_free(present);
    if (list) {
        qsort(list, *n, sizeof *list, compare_candidates);
    }
    return list;
}

/* The hues that groups may have, as bits: those of no category of the input. */
static unsigned list_hues(const grouping *g)
{
    gboolean annotated = FALSE;
    unsigned hues = 0, present = 0;
    for (uint32_t i = 0; i < g->profile->n_labels; i++) {
        const af_category category = g->profile->labels[i].category;
        annotated |= category == AF_CATEGORY_JIT || category == AF_CATEGORY_INLINED ||
                     category == AF_CATEGORY_WAKER;
        present |= 1u << category;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(android_hues) && !annotated; i++) {
        hues |= 1u << android_hues[i];
    }
    for (size_t i = 0; i < G_N_ELEMENTS(annotated_hues) && annotated; i++) {
        hues |= 1u << annotated_hues[i];
    }
    return hues & ~present;
}

/* Takes a free hue; a title gets the same hue in every picture where that is free. */
static unsigned take_hue(unsigned *hues, const char *title, size_t length)
{
    const uint32_t hash = af_hash_fixed(title, length);
    for (unsigned i = 0; i < AF_CATEGORY_COUNT; i++) {
        const unsigned hue = (hash + i) % AF_CATEGORY_COUNT;
        if (*hues >> hue & 1u) {
            *hues &= ~(1u << hue);
            return hue;
        }
    }
    return AF_CATEGORY_UNKNOWN;
}

/* The category of the first label of a group. */
static af_category find_category_of(const grouping *g, uint32_t bucket)
{
    uint32_t i = 0;
    while (i + 1 < g->profile->n_labels && find_bucket(g, i) != bucket) {
        i++;
    }
    return g->profile->labels[i].category;
}

/* The category that a group of the input means by its title; AF_CATEGORY_UNKNOWN if none. */
static af_category find_meaning(const candidate *it)
{
    static const struct {
        const char *title;
        af_category category;
    } meanings[] = {{"kernel", AF_CATEGORY_KERNEL},
                    {"android", AF_CATEGORY_ANDROID},
                    {"java", AF_CATEGORY_JAVA},
                    {"kotlin", AF_CATEGORY_KOTLIN}};
    for (size_t i = 0; it->bucket >= AF_CATEGORY_COUNT && i < G_N_ELEMENTS(meanings); i++) {
        if (strlen(meanings[i].title) == it->length &&
            g_ascii_strncasecmp(meanings[i].title, it->title, it->length) == 0) {
            return meanings[i].category;
        }
    }
    return AF_CATEGORY_UNKNOWN;
}

/* Gives the heaviest groups a hue; categories have their own, which the heaviest group of a divided
 * category keeps. Sets the hue of each bucket. */
static void choose_hues(const grouping *g, const candidate *list, uint32_t n, uint8_t *hue)
{
    unsigned free_hues = list_hues(g), own = 0;
    for (uint32_t i = 0; i < n; i++) {
        own |= list[i].bucket < AF_CATEGORY_COUNT ? 1u << list[i].bucket : 0;
        free_hues &= ~(1u << find_meaning(&list[i]));
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t bucket = list[i].bucket;
        const uint32_t category = bucket < AF_CATEGORY_COUNT ? bucket
                                  : find_meaning(&list[i]) != AF_CATEGORY_UNKNOWN
                                      ? (uint32_t)find_meaning(&list[i])
                                      : (uint32_t)find_category_of(g, bucket);
        if (bucket < AF_CATEGORY_COUNT) {
            hue[bucket] = (uint8_t)bucket;
        } else if (category != AF_CATEGORY_UNKNOWN && (own >> category & 1u) == 0) {
            hue[bucket] = (uint8_t)category;
            own |= 1u << category;
        } else {
            hue[bucket] = (uint8_t)take_hue(&free_hues, list[i].title, list[i].length);
        }
    }
}

/* A copy of at most TITLE_MAX bytes, cut between characters. */
static const char *copy_title(const af_profile *profile, const af_textmap_entry *entry)
{
    enum { TITLE_MAX = 60 };
    size_t length = entry->length;
    if (length <= TITLE_MAX) {
        return af_arena_copy(profile->arena, entry->bytes, length);
    }
    length = TITLE_MAX;
    while (length > 0 && ((unsigned char)entry->bytes[length] & 0xC0) == 0x80) {
        length--;
    }
    return af_arena_printf(profile->arena, "%.*s\u2026", (int)length, entry->bytes);
}

/* Makes the groups of the profile from the titles, and one for each category without its hue. */
static gboolean make_groups(grouping *g, const uint8_t *hue)
{
    af_profile *profile = g->profile;
    const uint32_t n = g->titles.n;
    uint16_t of_category[AF_CATEGORY_COUNT] = {0};
    af_group *groups =
        af_arena_alloc(profile->arena, sizeof *groups * ((size_t)n + AF_CATEGORY_COUNT));
    profile->n_groups = 0;
    for (uint32_t i = 0; groups && i < MIN(n, GROUPS_MAX - AF_CATEGORY_COUNT); i++) {
        groups[profile->n_groups++] = (af_group){
            .title = copy_title(profile, &g->titles.entries[i]), .hue = hue[AF_CATEGORY_COUNT + i]};
    }
    const uint32_t named = profile->n_groups;
    for (uint32_t c = 0; groups && c < AF_CATEGORY_COUNT; c++) {
        if (hue[c] != c && !is_apart(c) && c != AF_CATEGORY_UNKNOWN) {
            groups[profile->n_groups++] = (af_group){.title = af_category_title(c), .hue = hue[c]};
            of_category[c] = (uint16_t)profile->n_groups;
        }
    }
    for (uint32_t i = 0; groups && i < profile->n_labels; i++) {
        af_label *label = &profile->labels[i];
        label->group = g->group[i] == NONE    ? of_category[label->category]
                       : g->group[i] <= named ? (uint16_t)g->group[i]
                                              : 0;
    }
    profile->groups = groups;
    return groups != NULL && !af_arena_failed(profile->arena);
}

static gboolean colour(grouping *g)
{
    uint32_t n;
    g_autofree candidate *list = list_candidates(g, &n);
    g_autofree uint8_t *hue = g_try_malloc0((size_t)AF_CATEGORY_COUNT + g->titles.n + 1);
    gboolean ok = list != NULL && hue != NULL && !g->failed;
    for (uint32_t c = 0; ok && c < AF_CATEGORY_COUNT; c++) {
        hue[c] = (uint8_t)c;
    }
    if (ok) {
        choose_hues(g, list, n, hue);
        ok = make_groups(g, hue);
    }
    return ok;
}

/* ---- ---- */

gboolean af_groups_assign(af_profile *profile)
{
    const size_t n = (size_t)profile->n_labels + 1;
    grouping g = {
        .profile = profile, .weight = g_try_new0(uint64_t, n), .group = g_try_new0(uint32_t, n)};
    af_textmap_init(&g.titles);
    g.failed = !g.weight || !g.group;
    profile->groups = NULL;
    profile->n_groups = 0;
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        profile->labels[i].group = 0;
    }
    for (uint32_t i = 0; !g.failed && i < profile->n_labels; i++) {
        set_group(&g, i, find_stated(profile, &profile->labels[i]));
    }
    if (!g.failed) {
        if (!af_app_weigh_labels(profile, FALSE, g.weight)) {
            af_app_weigh_labels(profile, TRUE, g.weight);
        }
        if (divide(&g) || g.titles.n > 0) {
            g.failed = !colour(&g) || g.failed;
        }
    }
    af_textmap_clear(&g.titles);
    g_free(g.weight);
    g_free(g.group);
    return !g.failed;
}

const char *af_label_origin(const af_profile *profile, const af_label *label)
{
    const char *title = label->group > 0 ? profile->groups[label->group - 1].title : NULL;
    /* Whether the group consists of this label. */
    return title != NULL && !(profile->methods[label->method].group == NULL &&
                              strcmp(title, label->text) == 0)
               ? title
               : af_category_title(label->category);
}

const char *af_groups_hue_title(const af_profile *profile, unsigned hue)
{
    for (uint32_t i = 0; i < profile->n_groups; i++) {
        if (profile->groups[i].hue == hue) {
            return hue == AF_CATEGORY_UNKNOWN ? "other" : profile->groups[i].title;
        }
    }
    return af_category_title((af_category)hue);
}
