/* Prints the tables of dmtracedump, with its column widths, sort orders and blanks. */
#include "report/dmtracedump/dmtrace.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define BAR  "======================================================================"
#define RULE "----------------------------------------------------"
#define LINE "---------------------------------------------"

typedef struct {
    af_dmtrace *d;
    af_out *out;
    uint32_t *order; /* all methods, in the order of the current table */
    uint32_t n;
    uint32_t *lists;  /* by method and list: the latest entry, + 1 */
    uint32_t *next;   /* by entry: the one before it in its list, + 1 */
    uint32_t *sorted; /* holds the entries of one list, or all methods */
    uint32_t *aside;  /* the same size, for sorting */
    af_array groups;  /* of group: neighbours in `order` */
    uint32_t *group_order;
} tables;

/* Plain formatting only: the locale must not change a number. */
static void G_GNUC_PRINTF(2, 3) put(const tables *t, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    const int n = g_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    af_out_bytes(t->out, text, MIN((size_t)n, sizeof text - 1));
}

static void put_decimal(const tables *t, unsigned width, const char *format, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE * 2];
    /* 0 / 0 and n / 0, which the tool prints as "nan" and "inf" */
    if (!isfinite(value) && !t->d->options->quirks) {
        value = 0;
    }
    g_ascii_formatd(text, sizeof text, format, value);
    put(t, "%*s", (int)width, text);
}

static void put_name(const tables *t, const af_dmtrace_method *method)
{
    af_out_text(t->out, method->class_name);
    if (method->name != NULL) {
        af_out_texts(t->out, ".", method->name, " ", method->signature);
    }
    af_out_char(t->out, '\n');
}

static const af_dmtrace_method *method_at(const tables *t, uint32_t number)
{
    return af_dmtrace_names_at(t->d->names, number);
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

/* Ids ascend with the numbers; lines with the same id compare equal. */
static int compare_ids(const tables *t, uint32_t a, uint32_t b)
{
    return a >= 2 && b >= 2 && method_at(t, a)->id == method_at(t, b)->id ? 0
                                                                          : compare_numbers(a, b);
}

static int compare_names(const tables *t, uint32_t a, uint32_t b)
{
    const af_dmtrace_method *x = method_at(t, a), *y = method_at(t, b);
    int order = strcmp(x->class_name, y->class_name);
    if (order != 0) {
        return order;
    }
    if (x->name == NULL || y->name == NULL) {
        return compare_ids(t, a, b);
    }
    order = strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->signature, y->signature);
}

static int compare_times(const tables *t, uint64_t time_a, uint64_t time_b, uint32_t a, uint32_t b)
{
    return time_a != time_b ? (time_a < time_b ? 1 : -1) : compare_names(t, a, b);
}

static int compare_exclusive(const tables *t, uint32_t a, uint32_t b)
{
    return compare_times(t, t->d->sums[a].exclusive, t->d->sums[b].exclusive, a, b);
}

static int compare_inclusive(const tables *t, uint32_t a, uint32_t b)
{
    return compare_times(t, t->d->sums[a].inclusive, t->d->sums[b].inclusive, a, b);
}

static const af_dmtrace_edge *edge_at(const tables *t, uint32_t edge)
{
    return &AF_ARRAY_AT(&t->d->edges, af_dmtrace_edge, edge);
}

static uint32_t relative_of(const tables *t, uint32_t edge)
{
    return (uint32_t)t->d->edge_keys.ids[edge] >> 2;
}

static int compare_edges(const tables *t, uint32_t a, uint32_t b)
{
    return compare_times(t, edge_at(t, a)->time, edge_at(t, b)->time, relative_of(t, a),
                         relative_of(t, b));
}

static int compare_by_class(const tables *t, uint32_t a, uint32_t b)
{
    const int order = strcmp(method_at(t, a)->class_name, method_at(t, b)->class_name);
    return order != 0 ? order : compare_ids(t, a, b);
}

static int compare_by_name(const tables *t, uint32_t a, uint32_t b)
{
    if (method_at(t, a)->name == NULL || method_at(t, b)->name == NULL) {
        return compare_by_class(t, a, b);
    }
    const int order = strcmp(method_at(t, a)->name, method_at(t, b)->name);
    return order != 0 ? order : compare_by_class(t, a, b);
}

/* Merges the sorted halves of `numbers`; equal ones keep their order. */
static void merge(const tables *t, uint32_t *numbers, uint32_t middle, uint32_t n,
                  int (*compare)(const tables *t, uint32_t a, uint32_t b))
{
    memcpy(t->aside, numbers, middle * sizeof *numbers);
    uint32_t left = 0, right = middle;
    for (uint32_t to = 0; left < middle; to++) {
        if (right < n && compare(t, t->aside[left], numbers[right]) > 0) {
            numbers[to] = numbers[right++];
        } else {
            numbers[to] = t->aside[left++];
        }
    }
}

/* Each table sorts the order that the table before it left, and the sort is stable, which decides
 * the order of equal methods. Comparison is not consistent for lines that are one name, so the
 * algorithm decides their order too: like the C library of the tool, it splits in halves, the
 * smaller one first. Recursion is as deep as `n` has bits. */
static void sort(const tables *t, uint32_t *numbers, uint32_t n,
                 int (*compare)(const tables *t, uint32_t a, uint32_t b))
{
    if (n > 1) {
        sort(t, numbers, n / 2, compare);
        sort(t, numbers + n / 2, n - n / 2, compare);
        merge(t, numbers, n / 2, n, compare);
    }
}

static void write_exclusive(tables *t)
{
    const double total = (double)t->d->total;
    double sum = 0;
    sort(t, t->order, t->n, compare_inclusive);
    for (uint32_t i = 0; i < t->n; i++) {
        t->d->sums[t->order[i]].rank = i;
    }
    sort(t, t->order, t->n, compare_exclusive);
    put(t, "\n" BAR "\nTotal cycles: %" G_GUINT64_FORMAT "\n\n", t->d->total);
    af_out_text(t->out, "Exclusive elapsed times for each method, not including time spent in\n"
                        "children, sorted by exclusive time.\n\n"
                        "    Usecs  self %  sum %  Method\n");
    for (uint32_t i = 0; i < t->n && t->d->sums[t->order[i]].exclusive > 0; i++) {
        const af_dmtrace_sums *sums = &t->d->sums[t->order[i]];
        sum += (double)sums->exclusive;
        put(t, "%9" G_GUINT64_FORMAT "  ", sums->exclusive);
        put_decimal(t, 6, "%.2f", 100.0 * (double)sums->exclusive / total);
        put(t, " ");
        put_decimal(t, 6, "%.2f", 100.0 * sum / total);
        put(t, "  [%u] ", sums->rank);
        put_name(t, method_at(t, t->order[i]));
    }
}

/* ---- methods with their callers and callees ---- */

/* Sorts the entries of a list into t->sorted and returns how many there are. */
static uint32_t sort_list(tables *t, uint32_t method, unsigned list)
{
    uint32_t n = 0;
    for (uint32_t at = t->lists[(size_t)method * AF_DMTRACE_LISTS + list]; at != 0;
         at = t->next[at - 1]) {
        t->sorted[n++] = at - 1;
    }
    sort(t, t->sorted, n, compare_edges);
    return n;
}

static void write_list(tables *t, uint32_t method, unsigned list)
{
    const af_dmtrace_sums *sums = t->d->sums;
    const gboolean again = list == AF_DMTRACE_PARENTS_AGAIN || list == AF_DMTRACE_CHILDREN_AGAIN;
    const gboolean parents = list == AF_DMTRACE_PARENTS || list == AF_DMTRACE_PARENTS_AGAIN;
    const uint32_t n = sort_list(t, method, list);
    if (again && n > 0) {
        af_out_text(t->out, "               +++++++++++++++++++++++++\n");
    }
    for (uint32_t i = 0; i < n; i++) {
        const af_dmtrace_edge *edge = edge_at(t, t->sorted[i]);
        const uint32_t relative = relative_of(t, t->sorted[i]);
        const uint32_t called = parents ? method : relative;
        char rank[24];
        g_snprintf(rank, sizeof rank, "[%u]", sums[relative].rank);
        put(t, "%15s", "");
        if (again) {
            put(t, "%6s", "");
        } else {
            put_decimal(t, 5, "%.1f", 100.0 * (double)edge->time / (double)sums[method].inclusive);
            put(t, "%%");
        }
        put(t, " %6s %6" G_GUINT64_FORMAT "/%-6" G_GUINT64_FORMAT " %9" G_GUINT64_FORMAT " ", rank,
            edge->calls, sums[called].calls[0] + sums[called].calls[1], edge->time);
        put_name(t, method_at(t, relative));
    }
}

static void write_inclusive_method(tables *t, uint32_t position)
{
    const uint32_t method = t->order[position];
    const af_dmtrace_sums *sums = &t->d->sums[method];
    char rank[24];
    g_snprintf(rank, sizeof rank, "[%u]", position);
    af_out_text(t->out, RULE "\n");
    write_list(t, method, AF_DMTRACE_PARENTS);
    write_list(t, method, AF_DMTRACE_PARENTS_AGAIN);
    put(t, "%-6s ", rank);
    put_decimal(t, 5, "%.1f", 100.0 * (double)sums->inclusive / (double)t->d->total);
    put(t, "%%%15s %6" G_GUINT64_FORMAT "+%-6" G_GUINT64_FORMAT " %9" G_GUINT64_FORMAT " ", "",
        sums->calls[0], sums->calls[1], sums->inclusive);
    put_name(t, method_at(t, method));
    put(t, "%15s", "");
    put_decimal(t, 5, "%.1f", 100.0 * (double)sums->top_exclusive / (double)sums->inclusive);
    put(t, "%% %6s %13s %9" G_GUINT64_FORMAT "\n", "excl", "", sums->top_exclusive);
    write_list(t, method, AF_DMTRACE_CHILDREN);
    write_list(t, method, AF_DMTRACE_CHILDREN_AGAIN);
}

static void write_inclusive(tables *t)
{
    sort(t, t->order, t->n, compare_inclusive);
    af_out_text(t->out, "\n" BAR "\n\n"
                        "Inclusive elapsed times for each method and its parents and children,\n"
                        "sorted by inclusive time.\n\n"
                        "index  %/total %/self  index     calls         usecs name\n");
    for (uint32_t i = 0; i < t->n && t->d->sums[t->order[i]].inclusive > 0; i++) {
        write_inclusive_method(t, i);
    }
}

/* ---- classes, and methods of the same name ---- */

typedef struct {
    uint32_t *members;
    uint32_t n;
    uint64_t exclusive, calls[2];
} group;

static const group *group_at(const tables *t, uint32_t number)
{
    return &AF_ARRAY_AT(&t->groups, group, number);
}

static int compare_groups(const tables *t, uint32_t a, uint32_t b)
{
    const group *x = group_at(t, a), *y = group_at(t, b);
    if (x->exclusive != y->exclusive) {
        return x->exclusive < y->exclusive ? 1 : -1;
    }
    const int order =
        strcmp(method_at(t, x->members[0])->class_name, method_at(t, y->members[0])->class_name);
    return order != 0 ? order : compare_ids(t, x->members[0], y->members[0]);
}

static const char *title_of(const tables *t, uint32_t method, gboolean classes)
{
    return classes ? method_at(t, method)->class_name : method_at(t, method)->name;
}

/* Groups the methods, without the lines that are one name, and sorts the members of each group.
 * Leaves their order in t->order. FALSE if out of memory. */
static gboolean make_groups(tables *t, gboolean classes)
{
    const char *title = NULL;
    group *g = NULL;
    uint32_t n = 0;
    sort(t, t->order, t->n, classes ? compare_by_class : compare_by_name);
    t->groups.n = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        const uint32_t method = t->order[i];
        if (method_at(t, method)->name == NULL) {
            continue;
        }
        if (title == NULL || strcmp(title_of(t, method, classes), title) != 0) {
            title = title_of(t, method, classes);
            g = af_array_add(&t->groups, 1);
            if (g == NULL) {
                return FALSE;
            }
        }
        uint32_t *member = &t->sorted[n++];
        const af_dmtrace_sums *sums = &t->d->sums[method];
        g->members = g->n == 0 ? member : g->members;
        *member = method;
        g->n++;
        g->exclusive += sums->exclusive;
        g->calls[0] += sums->calls[0];
        g->calls[1] += sums->calls[1];
    }
    for (uint32_t i = 0; i < t->groups.n; i++) {
        sort(t, group_at(t, i)->members, group_at(t, i)->n, compare_exclusive);
        t->group_order[i] = i;
    }
    sort(t, t->group_order, (uint32_t)t->groups.n, compare_groups);
    return TRUE;
}

static void write_shares(const tables *t, uint64_t part, double sum, double whole,
                         const uint64_t calls[2])
{
    put(t, " ");
    put_decimal(t, 7, "%.1f", 100.0 * (double)part / whole);
    put(t, " ");
    put_decimal(t, 7, "%.1f", 100.0 * sum / whole);
    put(t, " %6" G_GUINT64_FORMAT "+%-6" G_GUINT64_FORMAT " ", calls[0], calls[1]);
}

static void write_members(const tables *t, const group *g, gboolean classes)
{
    double sum = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const af_dmtrace_sums *sums = &t->d->sums[g->members[i]];
        const af_dmtrace_method *method = method_at(t, g->members[i]);
        sum += (double)sums->exclusive;
        put(t, "%9" G_GUINT64_FORMAT " %9" G_GUINT64_FORMAT, sums->exclusive, sums->inclusive);
        write_shares(t, sums->exclusive, sum, (double)g->exclusive, sums->calls);
        put(t, "[%u] ", sums->rank);
        if (classes) {
            af_out_texts(t->out, method->name, " ", method->signature, "\n");
        } else {
            put_name(t, method);
        }
    }
}

static void write_groups(const tables *t, gboolean classes)
{
    double sum = 0;
    for (uint32_t i = 0; i < t->groups.n; i++) {
        const group *g = group_at(t, t->group_order[i]);
        if (g->exclusive == 0) {
            return;
        }
        sum += (double)g->exclusive;
        put(t, LINE "\n%9" G_GUINT64_FORMAT, g->exclusive);
        write_shares(t, g->exclusive, sum, (double)t->d->total, g->calls);
        af_out_texts(t->out, title_of(t, g->members[0], classes), "\n");
        write_members(t, g, classes);
    }
}

static gboolean write_classes(tables *t)
{
    if (!make_groups(t, TRUE)) {
        return FALSE;
    }
    af_out_text(t->out, "\n" BAR "\n");
    if (t->groups.n == 0) {
        af_out_text(t->out, "\nNo classes.\n");
        return TRUE;
    }
    af_out_text(t->out, "\nExclusive elapsed time for each class, summed over all the methods\n"
                        "in the class.\n\n"
                        "   Cycles %/total Cumul.%  Calls+Recur  Class\n");
    write_groups(t, TRUE);
    return TRUE;
}

static gboolean write_same_names(tables *t)
{
    if (!make_groups(t, FALSE)) {
        return FALSE;
    }
    if (t->groups.n > 0) {
        af_out_text(t->out, "\n" BAR "\n\n"
                            "Exclusive elapsed time for each method, summed over all the classes\n"
                            "that contain a method with the same name.\n\n"
                            "   Cycles %/total Cumul.%  Calls+Recur  Method\n");
        write_groups(t, FALSE);
    }
    return TRUE;
}

gboolean af_dmtrace_write(af_dmtrace *d, af_out *out)
{
    const uint32_t n = (uint32_t)d->names->methods.n, n_edges = d->edge_keys.n;
    const size_t most = MAX(n, n_edges);
    tables t = {.d = d,
                .out = out,
                .order = g_try_new(uint32_t, n),
                .n = n,
                .lists = g_try_new0(uint32_t, (size_t)n * AF_DMTRACE_LISTS),
                .next = g_try_new(uint32_t, (size_t)n_edges + 1),
                .sorted = g_try_new(uint32_t, most),
                .aside = g_try_new(uint32_t, most),
                .group_order = g_try_new(uint32_t, n)};
    af_array_init(&t.groups, sizeof(group));
    gboolean ok = t.order != NULL && t.lists != NULL && t.next != NULL && t.sorted != NULL &&
                  t.aside != NULL && t.group_order != NULL;
    if (ok) {
        for (uint32_t i = 0; i < n; i++) {
            t.order[i] = i;
        }
        /* The lists as chains, the latest entry first. */
        for (uint32_t i = 0; i < t.d->edge_keys.n; i++) {
            const uint64_t key = t.d->edge_keys.ids[i];
            uint32_t *list = &t.lists[(key >> 32) * AF_DMTRACE_LISTS + (key & 3)];
            t.next[i] = *list;
            *list = i + 1;
        }
        write_exclusive(&t);
        write_inclusive(&t);
        ok = write_classes(&t) && write_same_names(&t);
    }
    g_free(t.order);
    g_free(t.lists);
    g_free(t.next);
    g_free(t.sorted);
    g_free(t.aside);
    g_free(t.group_order);
    af_array_clear(&t.groups);
    return ok;
}
