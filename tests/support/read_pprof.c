/* Profiles of pprof, by the rules of pprof's own check: refuses everything it complains about. */
#include <string.h>
#include "export_rows.h"
#include "wire.h"

typedef struct {
    GPtrArray *strings;
    GArray *types;         /* gint64: the index of each name, followed by that of its unit */
    GHashTable *functions; /* id -> index of the name */
    GHashTable *locations; /* id -> id of the function */
    GHashTable *mappings;  /* id -> 1 if its symbols are complete */
    GHashTable *mapped;    /* ids that locations refer to */
    GHashTable *required;  /* indices of strings that must exist */
    GPtrArray *samples;    /* wire */
    gint64 shown;
} profile;

static const char *get_string(const profile *p, guint64 index)
{
    if (index >= p->strings->len) {
        refuse("missing string %" G_GUINT64_FORMAT, index);
    }
    return p->strings->pdata[index];
}

static gpointer make_key(guint64 number)
{
    return GSIZE_TO_POINTER((gsize)number);
}

static void add_by_id(GHashTable *table, guint64 id, guint64 value)
{
    if (id == 0 || !g_hash_table_insert(table, make_key(id), make_key(value))) {
        refuse("id %" G_GUINT64_FORMAT " is 0 or occurs twice", id);
    }
}

static guint64 get_by_id(GHashTable *table, guint64 id)
{
    gpointer value;
    if (!g_hash_table_lookup_extended(table, make_key(id), NULL, &value)) {
        refuse("id %" G_GUINT64_FORMAT " is missing", id);
    }
    return GPOINTER_TO_SIZE(value);
}

static void read_location(profile *p, wire message)
{
    wire_field field;
    guint64 id = 0, function = 0, mapping = 0;
    while (wire_next(&message, &field)) {
        id = field.number == 1 ? field.value : id;
        mapping = field.number == 2 ? field.value : mapping;
        function = field.number == 4 ? wire_number(field.bytes, 1) : function;
    }
    add_by_id(p->locations, id, function);
    g_hash_table_add(p->mapped, make_key(mapping));
}

/* Records the fields of a message that are indices of strings. */
static void record_strings(profile *p, wire message, guint first, guint last)
{
    for (guint number = first; number <= last; number++) {
        g_hash_table_add(p->required, make_key(wire_number(message, number)));
    }
}

static void read_mapping(profile *p, wire message)
{
    record_strings(p, message, 5, 6);
    add_by_id(p->mappings, wire_number(message, 1), wire_number(message, 7));
}

static void read_function(profile *p, wire message)
{
    record_strings(p, message, 2, 4);
    add_by_id(p->functions, wire_number(message, 1), wire_number(message, 2));
}

static void read_type(profile *p, wire message)
{
    for (guint number = 1; number <= 2; number++) {
        const gint64 index = (gint64)wire_number(message, number);
        g_array_append_val(p->types, index);
    }
}

static void read_top(profile *p, wire message)
{
    wire_field field;
    while (wire_next(&message, &field)) {
        if (field.number == 1) {
            read_type(p, field.bytes);
        } else if (field.number == 3) {
            read_mapping(p, field.bytes);
        } else if (field.number == 2) {
            g_ptr_array_add(p->samples, g_memdup2(&field.bytes, sizeof field.bytes));
        } else if (field.number == 4) {
            read_location(p, field.bytes);
        } else if (field.number == 5) {
            read_function(p, field.bytes);
        } else if (field.number == 6) {
            g_ptr_array_add(p->strings, wire_text(field.bytes));
        } else if (field.number == 14) {
            p->shown = (gint64)field.value;
        } else if (field.number == 11) {
            record_strings(p, field.bytes, 1, 2);
        } else if (field.number > 14) {
            refuse("Perfetto does not know field %u", field.number);
        }
    }
}

/* The label `key` of a sample, as text or as a number. */
static char *get_label(const profile *p, wire sample, const char *key)
{
    wire_field field;
    while (wire_next(&sample, &field)) {
        if (field.number == 3 && strcmp(get_string(p, wire_number(field.bytes, 1)), key) == 0) {
            const guint64 text = wire_number(field.bytes, 2);
            if (text == 0 && wire_number(field.bytes, 3) == 0) {
                refuse("pprof ignores a label of 0: %s", key);
            }
            return text > 0 ? g_strdup(get_string(p, text))
                            : g_strdup_printf("%" G_GUINT64_FORMAT, wire_number(field.bytes, 3));
        }
    }
    refuse("a sample lacks its %s", key);
}

static const char *get_type(const profile *p, guint number)
{
    return get_string(p, (guint64)g_array_index(p->types, gint64, 2 * number));
}

/* The units that pprof and speedscope can scale, spelled exactly this way. */
static void check_units(const profile *p)
{
    gboolean shown = FALSE;
    for (guint i = 0; i < p->types->len / 2; i++) {
        const char *type = get_type(p, i);
        const char *unit = get_string(p, (guint64)g_array_index(p->types, gint64, 2 * i + 1));
        const gboolean timed = strcmp(type, "wall") == 0 || strcmp(type, "cpu") == 0 ||
                               strcmp(type, "wait") == 0 || strcmp(type, "time") == 0;
        if (timed ? strcmp(unit, "nanoseconds") != 0
                  : strcmp(unit, "count") != 0 && strcmp(unit, "bytes") != 0 &&
                        strcmp(unit, "thousandths") != 0) {
            refuse("%s is measured in %s", type, unit);
        }
        shown = shown || g_array_index(p->types, gint64, 2 * i) == p->shown;
    }
    if (!shown) {
        refuse("the default sample type is missing");
    }
}

/* Checks unreferenced entries too; some readers truncate ids to 32 bits. */
static void check_tables(const profile *p)
{
    GHashTableIter at;
    gpointer id, value;
    g_hash_table_iter_init(&at, p->locations);
    while (g_hash_table_iter_next(&at, &id, &value)) {
        get_by_id(p->functions, GPOINTER_TO_SIZE(value));
        if (GPOINTER_TO_SIZE(id) > g_hash_table_size(p->locations)) {
            refuse("ids are not dense");
        }
    }
    g_hash_table_iter_init(&at, p->mapped);
    while (g_hash_table_iter_next(&at, &id, NULL)) {
        if (get_by_id(p->mappings, GPOINTER_TO_SIZE(id)) != 1) {
            refuse("pprof would look up symbols of a mapping");
        }
    }
    g_hash_table_iter_init(&at, p->required);
    while (g_hash_table_iter_next(&at, &id, NULL)) {
        get_string(p, GPOINTER_TO_SIZE(id));
    }
}

static int find_column(const profile *p, guint number)
{
    const char *type = get_type(p, number);
    /* a trace with CPU times only has them as its first clock */
    const gboolean second = number > 0 && strcmp(get_type(p, number - 1), "wall") == 0;
    return strcmp(type, "calls") == 0 ? CALLS : second && strcmp(type, "cpu") == 0 ? CPU : WALL;
}

static void read_sample(const profile *p, export_rows *rows, wire sample)
{
    g_autofree char *thread = get_label(p, sample, "thread");
    g_free(get_label(p, sample, "tid"));
    guint64 stack = stack_of_thread(thread);
    const char *name = "";
    g_autoptr(GArray) path = wire_numbers(sample, 1), values = wire_numbers(sample, 2);
    for (guint i = path->len; i > 0; i--) {
        const guint64 function = get_by_id(p->locations, g_array_index(path, guint64, i - 1));
        name = get_string(p, get_by_id(p->functions, function));
        stack = stack_with(stack, name);
    }
    if (2 * values->len != p->types->len) {
        refuse("a sample has %u values", values->len);
    }
    for (guint i = 0; i < values->len; i++) {
        const int column = find_column(p, i);
        const gint64 value = (gint64)g_array_index(values, guint64, i);
        if (value < 0) {
            refuse("a sample has a negative value");
        }
        rows_add(rows, stack, name, column, value);
    }
}

void read_pprof(export_rows *rows, const char *bytes, gsize length)
{
    profile p = {g_ptr_array_new_with_free_func(g_free),
                 g_array_new(FALSE, FALSE, sizeof(gint64)),
                 g_hash_table_new(NULL, NULL),
                 g_hash_table_new(NULL, NULL),
                 g_hash_table_new(NULL, NULL),
                 g_hash_table_new(NULL, NULL),
                 g_hash_table_new(NULL, NULL),
                 g_ptr_array_new_with_free_func(g_free),
                 0};
    read_top(&p, (wire){(const guint8 *)bytes, length});
    if (p.strings->len == 0 || *get_string(&p, 0) != '\0' || p.types->len == 0 ||
        *get_string(&p, (guint64)p.shown) == '\0') {
        refuse("the first string is not empty, or there are no types");
    }
    check_units(&p);
    check_tables(&p);
    for (guint i = 0; i < p.samples->len; i++) {
        read_sample(&p, rows, *(const wire *)p.samples->pdata[i]);
    }
    g_ptr_array_unref(p.strings);
    g_array_unref(p.types);
    g_hash_table_unref(p.functions);
    g_hash_table_unref(p.locations);
    g_hash_table_unref(p.mappings);
    g_hash_table_unref(p.mapped);
    g_hash_table_unref(p.required);
    g_ptr_array_unref(p.samples);
}
