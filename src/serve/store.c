#include "serve/store.h"

#include <string.h>

/* Further words of a search are ignored. */
#define MOST_WORDS 8

const char *af_store_public_message(const GError *error)
{
    return g_error_matches(error, AF_STORE_ERROR, AF_STORE_AWAY)
               ? "the database of this server is unavailable"
               : error->message;
}

static char *copy_text(af_store_text text, void *row, int column)
{
    const char *value = text(row, column);
    return g_strdup(value != NULL ? value : "");
}

static int64_t read_number(af_store_text text, void *row, int column)
{
    const char *value = text(row, column);
    return value != NULL ? g_ascii_strtoll(value, NULL, 10) : 0;
}

af_trace *af_store_read_row(af_store_text text, void *row)
{
    af_trace *t = g_new0(af_trace, 1);
    int c = 0;
    t->id = copy_text(text, row, c++);
    t->content = copy_text(text, row, c++);
    t->old_id = copy_text(text, row, c++);
    t->state = (af_trace_state)read_number(text, row, c++);
    t->created_s = read_number(text, row, c++);
    t->used_s = read_number(text, row, c++);
    t->size = (uint64_t)read_number(text, row, c++);
    t->has_upload = read_number(text, row, c++) != 0;
    t->has_mapping = read_number(text, row, c++) != 0;
    t->file_name = copy_text(text, row, c++);
    t->app = copy_text(text, row, c++);
    t->name = copy_text(text, row, c++);
    t->note = copy_text(text, row, c++);
    t->tags = copy_text(text, row, c++);
    t->problem = copy_text(text, row, c++);
    t->delete_hash = copy_text(text, row, c);
    return t;
}

/* "%word%" with the wildcards of LIKE escaped. */
static char *make_pattern(const char *word)
{
    GString *pattern = g_string_new("%");
    for (; *word != '\0'; word++) {
        if (strchr("%_\\", *word) != NULL) {
            g_string_append_c(pattern, '\\');
        }
        g_string_append_c(pattern, *word);
    }
    g_string_append_c(pattern, '%');
    return g_string_free(pattern, FALSE);
}

char **af_store_parameters(const af_store_query *query)
{
    char **split = g_strsplit_set(query->words != NULL ? query->words : "", " \t\r\n", -1);
    GPtrArray *patterns = g_ptr_array_new();
    for (char **word = split; *word != NULL && patterns->len < MOST_WORDS; word++) {
        if ((*word)[0] != '\0') {
            g_ptr_array_add(patterns, make_pattern(*word));
        }
    }
    if (query->app != NULL) {
        g_ptr_array_add(patterns, g_strdup(query->app));
    }
    g_ptr_array_add(patterns, NULL);
    g_strfreev(split);
    return (char **)g_ptr_array_free(patterns, FALSE);
}

static void free_trace(gpointer trace)
{
    af_trace_free(trace);
}

GPtrArray *af_store_new_list(void)
{
    return g_ptr_array_new_with_free_func(free_trace);
}

af_trace *af_store_absent(GError **error)
{
    g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_ABSENT,
                        "the server has no upload with this link");
    return NULL;
}
