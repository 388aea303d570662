#include "serve/facts.h"

#include <stdio.h>
#include <string.h>

#define MOST_LIST 1000u

static void clear_thread(gpointer user)
{
    g_free(((af_fact_thread *)user)->name);
}

static void read_threads(af_upload_facts *facts, GKeyFile *file)
{
    char group[32];
    for (unsigned i = 0; i < MOST_LIST; i++) {
        snprintf(group, sizeof group, "thread %u", i);
        af_fact_thread it = {.name = g_key_file_get_string(file, group, "name", NULL)};
        if (it.name == NULL) {
            break;
        }
        it.id = g_key_file_get_uint64(file, group, "id", NULL);
        it.wall = g_key_file_get_uint64(file, group, "wall", NULL);
        it.cpu = g_key_file_get_uint64(file, group, "cpu", NULL);
        it.calls = g_key_file_get_uint64(file, group, "calls", NULL);
        it.busy = g_key_file_get_uint64(file, group, "busy", NULL);
        it.blocked = g_key_file_get_uint64(file, group, "blocked", NULL);
        it.idle = g_key_file_get_uint64(file, group, "idle", NULL);
        g_array_append_val(facts->threads, it);
    }
}

static void read_trace(af_upload_facts *f, GKeyFile *file)
{
    static const char g[] = "trace";
    f->format = g_key_file_get_string(file, g, "format", NULL);
    f->title = g_key_file_get_string(file, g, "title", NULL);
    f->app = g_key_file_get_string(file, g, "app", NULL);
    f->unit = g_key_file_get_string(file, g, "unit", NULL);
    f->info = g_key_file_get_string(file, g, "info", NULL);
    f->has_wall = g_key_file_get_boolean(file, g, "has-wall", NULL);
    f->has_cpu = g_key_file_get_boolean(file, g, "has-cpu", NULL);
    f->has_calls = g_key_file_get_boolean(file, g, "has-calls", NULL);
    f->chart = g_key_file_get_boolean(file, g, "chart", NULL);
    f->is_count = g_key_file_get_boolean(file, g, "is-count", NULL);
    f->elapsed = g_key_file_get_uint64(file, g, "elapsed", NULL);
    f->calls = g_key_file_get_uint64(file, g, "calls", NULL);
    f->busy = g_key_file_get_uint64(file, g, "busy", NULL);
    f->n_threads = g_key_file_get_uint64(file, g, "threads", NULL);
    f->decimals = g_key_file_get_uint64(file, g, "decimals", NULL);
}

/* Adds the texts of "NAME0", "NAME1" and so on. */
static void read_list(GPtrArray *list, GKeyFile *file, const char *name)
{
    char key[32];
    for (unsigned i = 0; i < MOST_LIST; i++) {
        snprintf(key, sizeof key, "%s%u", name, i);
        char *line = g_key_file_get_string(file, "trace", key, NULL);
        if (line == NULL) {
            break;
        }
        g_ptr_array_add(list, line);
    }
}

af_upload_facts *af_upload_facts_load(af_store *store, const char *id)
{
    g_autofree char *text = af_store_facts(store, id);
    af_upload_facts *facts = g_new0(af_upload_facts, 1);
    g_autoptr(GKeyFile) file = g_key_file_new();
    facts->findings = g_ptr_array_new_with_free_func(g_free);
    facts->warnings = g_ptr_array_new_with_free_func(g_free);
    facts->threads = g_array_new(FALSE, FALSE, sizeof(af_fact_thread));
    g_array_set_clear_func(facts->threads, clear_thread);
    if (g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, NULL)) {
        read_trace(facts, file);
        facts->explained = g_key_file_get_boolean(file, "trace", "explained", NULL);
        read_list(facts->findings, file, "finding");
        read_list(facts->warnings, file, "warning");
        read_threads(facts, file);
    }
    return facts;
}

void af_upload_facts_free(af_upload_facts *f)
{
    if (f != NULL) {
        g_free(f->format);
        g_free(f->title);
        g_free(f->app);
        g_free(f->unit);
        g_free(f->info);
        g_ptr_array_unref(f->findings);
        g_ptr_array_unref(f->warnings);
        g_array_unref(f->threads);
        g_free(f);
    }
}

char *af_upload_facts_amount(char text[AF_NUMBER_SIZE], const af_upload_facts *facts,
                             uint64_t value)
{
    const af_unit unit = {
        .name = facts->unit, .counted = facts->is_count, .digits = facts->decimals == 3 ? 3 : 0};
    return af_number_amount(text, value, &unit);
}
