/* make_trace DESCRIPTION.fix... DIRECTORY: writes each trace to DIRECTORY/<name of the
 * description>.trace, with a pair or a side file next to it if the description contains one. */
#include "recording.h"

#include <stdio.h>
#include <string.h>

static char *make_name(const char *description, const char *directory, const char *suffix)
{
    g_autofree char *base = g_path_get_basename(description);
    char *dot = strrchr(base, '.');
    if (dot != NULL) {
        *dot = '\0';
    }
    g_autofree char *file = g_strconcat(base, suffix, NULL);
    return g_build_filename(directory, file, NULL);
}

static gboolean write_outputs(const recording *r, const char *directory)
{
    for (guint i = 0; i < r->outputs->len; i++) {
        const output *o = &g_array_index(r->outputs, output, i);
        g_autofree char *name = make_name(r->path, directory, o->suffix);
        g_autoptr(GError) error = NULL;
        if (!g_file_set_contents(name, (const char *)o->bytes->data, o->bytes->len, &error)) {
            fprintf(stderr, "make_trace: %s\n", error->message);
            return FALSE;
        }
    }
    return TRUE;
}

static void free_recording(recording *r)
{
    for (guint i = 0; i < r->outputs->len; i++) {
        output *o = &g_array_index(r->outputs, output, i);
        g_byte_array_unref(o->bytes);
        g_free(o->suffix);
    }
    g_array_unref(r->outputs);
    g_byte_array_unref(r->block.bytes);
    g_hash_table_unref(r->methods);
    g_hash_table_unref(r->names);
    g_hash_table_unref(r->clocks);
    g_free(r->suffix);
}

static void free_string(gpointer string)
{
    g_string_free(string, TRUE);
}

static gboolean make(const char *description, const char *directory)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(description, &text, NULL, &error)) {
        fprintf(stderr, "make_trace: %s\n", error->message);
        return FALSE;
    }
    recording r = {.path = description, .bytes = g_byte_array_new()};
    r.block.bytes = g_byte_array_new();
    r.outputs = g_array_new(FALSE, FALSE, sizeof(output));
    r.methods = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    r.names = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_string);
    r.clocks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    recording_run(&r, script_parse(description, text));
    const gboolean written = write_outputs(&r, directory);
    free_recording(&r);
    return written;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: make_trace DESCRIPTION.fix... DIRECTORY\n", stderr);
        return 2;
    }
    for (int i = 1; i < argc - 1; i++) {
        if (!make(argv[i], argv[argc - 1])) {
            return 1;
        }
    }
    return 0;
}
