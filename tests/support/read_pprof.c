/* Profiles of pprof, by the rules of pprof's own check: what it would complain about is refused. */
#include <string.h>
#include "export_rows.h"
#include "wire.h"

typedef struct {
    GPtrArray *strings;
    GArray *types;         /* of gint64: places of their names */
    GHashTable *functions; /* id -> name's place */
    GHashTable *locations; /* id -> function's id */
    GHashTable *mappings;
    GPtrArray *samples; /* of wire */
    gint64 shown;
} profile;

static const char *get_string(const profile *p, guint64 place)
{
    if (place >= p->strings->len) {
        refuse("there is no string %" G_GUINT64_FORMAT, place);
    }
    return p->strings->pdata[place];
}

static gpointer make_key(guint64 number)
{
    return GSIZE_TO_POINTER((gsize)number);
}

static void add_by_id(GHashTable *table, guint64 id, guint64 value)
{
    if (id == 0 || !g_hash_table_insert(table, make_key(id), make_key(value))) {
        refuse("id %" G_GUINT64_FORMAT " is 0 or there twice", id);
    }
}

static guint64 get_by_id(GHashTable *table, guint64 id)
{
    gpointer value;
    if (!g_hash_table_lookup_extended(table, make_key(id), NULL, &value)) {
        refuse("id %" G_GUINT64_FORMAT " is not there", id);
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
    g_hash_table_add(p->mappings, make_key(mapping));
}

static void read_top(profile *p, wire message)
{
    wire_field field;
    while (wire_next(&message, &field)) {
        if (field.number == 1) {
            const gint64 type = (gint64)wire_number(field.bytes, 1);
            g_array_append_val(p->types, type);
        } else if (field.number == 2) {
            g_ptr_array_add(p->samples, g_memdup2(&field.bytes, sizeof field.bytes));
        } else if (field.number == 4) {
            read_location(p, field.bytes);
        } else if (field.number == 5) {
            add_by_id(p->functions, wire_number(field.bytes, 1), wire_number(field.bytes, 2));
        } else if (field.number == 6) {
            g_ptr_array_add(p->strings, wire_text(field.bytes));
        } else if (field.number == 14) {
            p->shown = (gint64)field.value;
        } else if (field.number > 14) {
            refuse("field %u is not known to Perfetto", field.number);
        }
    }
}

/* What `key` says of a sample, as text or as a number. */
static char *get_label(const profile *p, wire sample, const char *key)
{
    wire_field field;
    while (wire_next(&sample, &field)) {
        if (field.number == 3 && strcmp(get_string(p, wire_number(field.bytes, 1)), key) == 0) {
            const guint64 text = wire_number(field.bytes, 2);
            return text > 0 ? g_strdup(get_string(p, text))
                            : g_strdup_printf("%" G_GUINT64_FORMAT, wire_number(field.bytes, 3));
        }
    }
    refuse("a sample does not say its %s", key);
}

static const char *get_type(const profile *p, guint number)
{
    return get_string(p, (guint64)g_array_index(p->types, gint64, number));
}

static int find_column(const profile *p, guint number)
{
    const char *type = get_type(p, number);
    /* of a trace of CPU times alone these are its first clock */
    const gboolean second = number > 0 && strcmp(get_type(p, number - 1), "wall") == 0;
    return strcmp(type, "calls") == 0 ? CALLS : second && strcmp(type, "cpu") == 0 ? CPU : WALL;
}

static void read_sample(const profile *p, export_rows *rows, wire sample)
{
    char *thread = get_label(p, sample, "thread");
    g_free(get_label(p, sample, "tid"));
    guint64 stack = stack_of_thread(thread);
    const char *name = "";
    GArray *path = wire_numbers(sample, 1), *values = wire_numbers(sample, 2);
    for (guint i = path->len; i > 0; i--) {
        const guint64 function = get_by_id(p->locations, g_array_index(path, guint64, i - 1));
        name = get_string(p, get_by_id(p->functions, function));
        stack = stack_with(stack, name);
    }
    if (values->len != p->types->len) {
        refuse("a sample has %u values", values->len);
    }
    for (guint i = 0; i < values->len; i++) {
        const int column = find_column(p, i);
        rows_add(rows, stack, name, column, (gint64)g_array_index(values, guint64, i));
    }
    g_array_unref(path);
    g_array_unref(values);
    g_free(thread);
}

void read_pprof(export_rows *rows, const char *bytes, gsize length)
{
    profile p = {g_ptr_array_new_with_free_func(g_free),
                 g_array_new(FALSE, FALSE, sizeof(gint64)),
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
    for (guint i = 0; i < p.samples->len; i++) {
        read_sample(&p, rows, *(const wire *)p.samples->pdata[i]);
    }
    g_ptr_array_unref(p.strings);
    g_array_unref(p.types);
    g_hash_table_unref(p.functions);
    g_hash_table_unref(p.locations);
    g_hash_table_unref(p.mappings);
    g_ptr_array_unref(p.samples);
}
