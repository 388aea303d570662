#include "cli/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_FILE ((size_t)64 * 1024)

void af_config_free(af_config *config)
{
    if (config != NULL) {
        g_free(config->path);
        g_free(config->folder);
        g_free(config->text);
        g_array_unref(config->lines);
        g_array_unref(config->groups);
        g_ptr_array_unref(config->paths);
        g_free(config);
    }
}

void af_config_report(const af_config *config, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *location = g_strdup_printf("%s:%u", config->path, line);
    af_message_print(location, "%s", text);
}

const char *af_config_path(af_config *config, const char *name)
{
    char *path = g_strconcat(config->folder, name, NULL);
    g_ptr_array_add(config->paths, path);
    return path;
}

/* Parses "[render]" in `line`, which it changes. */
static const char *parse_group(af_config *config, char *line, unsigned number)
{
    const size_t length = strlen(line);
    if (length < 3 || line[length - 1] != ']') {
        af_config_report(config, number, "invalid group; write [NAME]");
        return NULL;
    }
    line[length - 1] = '\0';
    const af_config_group group = {.name = g_strstrip(line + 1), .line = number};
    g_array_append_val(config->groups, group);
    return group.name;
}

static gboolean parse_setting(af_config *config, const char *group, char *line, unsigned number)
{
    char *equals = strchr(line, '=');
    if (equals == NULL || equals == line) {
        af_config_report(config, number,
                         "invalid line; write OPTION = VALUE, [GROUP] or # comment");
        return FALSE;
    }
    *equals = '\0';
    const char *key = g_strstrip(line);
    const af_config_line setting = {.group = group,
                                    .key = g_str_has_prefix(key, "--") ? key + 2 : key,
                                    .value = g_strstrip(equals + 1),
                                    .line = number};
    g_array_append_val(config->lines, setting);
    return TRUE;
}

/* Text without control characters. */
static gboolean is_text(const char *line)
{
    if (!g_utf8_validate(line, -1, NULL)) {
        return FALSE;
    }
    for (; *line != '\0'; line++) {
        if (g_ascii_iscntrl(*line) && *line != '\t') {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean read_file(af_config *config)
{
    FILE *file = fopen(config->path, "re");
    if (file == NULL) {
        af_message_print(config->path, "cannot open: %s", g_strerror(errno));
        return FALSE;
    }
    config->text = g_malloc(LARGEST_FILE + 2);
    const size_t length = fread(config->text, 1, LARGEST_FILE + 1, file);
    const gboolean failed = ferror(file) != 0;
    fclose(file);
    config->text[length] = '\0';
    if (failed || length > LARGEST_FILE || strlen(config->text) != length) {
        af_message_print(config->path, "is not a valid options file: %s",
                         failed                  ? "cannot be read"
                         : length > LARGEST_FILE ? "larger than 64 KB"
                                                 : "contains zero bytes");
        return FALSE;
    }
    const char *group = "";
    unsigned number = 1;
    for (char *line = config->text, *next; line != NULL; line = next, number++) {
        next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        g_strstrip(line);
        if (!is_text(line)) {
            af_config_report(config, number, "this line is not UTF-8 text");
            return FALSE;
        }
        if (line[0] == '[') {
            group = parse_group(config, line, number);
            if (group == NULL) {
                return FALSE;
            }
        } else if (line[0] != '\0' && line[0] != '#' &&
                   !parse_setting(config, group, line, number)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Whether the path is a link to a file elsewhere: the author of this folder must not choose the
 * files that aflame reads. */
static gboolean leads_out(const char *path, const char *folder)
{
    if (!g_file_test(path, G_FILE_TEST_IS_SYMLINK)) {
        return FALSE;
    }
    char *file = realpath(path, NULL), *inside = realpath(folder[0] != '\0' ? folder : ".", NULL);
    const size_t length = inside != NULL ? strlen(inside) : 0;
    const gboolean in = file != NULL && inside != NULL && g_str_has_prefix(file, inside) &&
                        (length == 1 || file[length] == '/'); /* "/" ends with its own slash */
    free(inside);
    free(file);
    return !in;
}

/* Without HOME, GLib would look into the user database, for which a static program loads modules
 * of the system's C library. */
static gboolean is_boundary(const char *folder)
{
    static const char *const marks[] = {".git", ".hg", ".svn"};
    gboolean last = strcmp(folder, "/") == 0 || g_strcmp0(folder, g_getenv("HOME")) == 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(marks) && !last; i++) {
        g_autofree char *mark = g_build_filename(folder, marks[i], NULL);
        last = g_file_test(mark, G_FILE_TEST_EXISTS);
    }
    return last;
}

/* "", "../", "../../", ... up to the folder that contains the file; NULL if none does. */
static char *find_folder(void)
{
    char *folder = g_get_current_dir();
    GString *up = g_string_new(NULL);
    gboolean found = FALSE, last = FALSE;
    while (!found && !last) {
        g_autofree char *path = g_build_filename(folder, AF_CONFIG_NAME, NULL);
        /* Whether it is a file; opening a pipe would block. */
        found = g_file_test(path, G_FILE_TEST_IS_REGULAR);
        last = is_boundary(folder);
        if (!found && !last) {
            char *parent = g_path_get_dirname(folder);
            last = strcmp(parent, folder) == 0;
            g_free(folder);
            folder = parent;
            g_string_append(up, "../");
        }
    }
    g_free(folder);
    return g_string_free(up, !found);
}

gboolean af_config_find(af_config **config)
{
    *config = NULL;
    char *folder = find_folder();
    if (folder == NULL) {
        return TRUE;
    }
    af_config *read = g_new0(af_config, 1);
    read->folder = folder;
    read->path = g_strconcat(folder, AF_CONFIG_NAME, NULL);
    read->lines = g_array_new(FALSE, FALSE, sizeof(af_config_line));
    read->groups = g_array_new(FALSE, FALSE, sizeof(af_config_group));
    read->paths = g_ptr_array_new_with_free_func(g_free);
    const gboolean out = leads_out(read->path, folder);
    if (out) {
        af_message_print(read->path, "is a link to a file outside its folder, which aflame does "
                                     "not read; --no-config ignores the link");
    }
    if (out || !read_file(read)) {
        af_config_free(read);
        return FALSE;
    }
    *config = read;
    return TRUE;
}
