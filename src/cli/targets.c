#include "cli/outputs.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int find_format(const af_formats *formats, const char *name)
{
    for (unsigned i = 0; formats->name(i) != NULL; i++) {
        if (strcmp(formats->name(i), name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static GPtrArray *list_formats(const af_formats *formats)
{
    GPtrArray *names = g_ptr_array_new();
    for (unsigned i = 0; formats->name(i) != NULL; i++) {
        g_ptr_array_add(names, (void *)formats->name(i));
    }
    g_ptr_array_add(names, NULL);
    return names;
}

char *af_formats_list(const af_formats *formats)
{
    GPtrArray *names = list_formats(formats);
    char *list = g_strjoinv(", ", (char **)names->pdata);
    g_ptr_array_unref(names);
    return list;
}

static void refuse_format(const af_formats *formats, const char *path, const char *forced)
{
    GPtrArray *names = list_formats(formats);
    char *list = af_formats_list(formats);
    if (forced != NULL) {
        const char *nearest = af_word_nearest(forced, (const char *const *)(void *)names->pdata);
        af_message_say(NULL, "--format takes one of %s, not \"%s\"%s%s%s", list, forced,
                       nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? "?" : "");
    } else {
        af_message_say(path,
                       "the name does not end in a known format; name the file *.%s or "
                       "give --format (formats: %s)",
                       (const char *)names->pdata[0], list);
    }
    g_free(list);
    g_ptr_array_unref(names);
}

gboolean af_target_is_direct(const char *path)
{
    struct stat it;
    return strcmp(path, "-") == 0 || g_str_has_prefix(path, "/dev/fd/") ||
           g_str_has_prefix(path, "/dev/std") || g_str_has_prefix(path, "/proc/") ||
           (stat(path, &it) == 0 && !S_ISREG(it.st_mode) && !S_ISDIR(it.st_mode));
}

static int choose_format(const af_formats *formats, const char *path, const char *forced)
{
    if (forced != NULL) {
        return find_format(formats, forced);
    }
    char *name = g_path_get_basename(path);
    const char *dot = strrchr(name, '.');
    int found = -1;
    for (unsigned i = 0; dot != NULL && formats->name(i) != NULL; i++) {
        if (g_ascii_strcasecmp(formats->extension(i), dot + 1) == 0) {
            found = (int)i;
        }
    }
    g_free(name);
    return found < 0 && af_target_is_direct(path) ? 0 : found;
}

static void free_target(gpointer user)
{
    af_target *target = user;
    g_free(target->path);
    g_free(target);
}

static gboolean is_named(const GPtrArray *targets, const char *path)
{
    for (unsigned i = 0; i < targets->len; i++) {
        if (strcmp(((const af_target *)targets->pdata[i])->path, path) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean add_target(GPtrArray *targets, const af_formats *formats, const char *path,
                           const char *forced)
{
    if (strcmp(path, "/dev/stdout") == 0) {
        path = "-";
    }
    int format = choose_format(formats, path, forced);
    if (format < 0) {
        refuse_format(formats, path, forced);
        return FALSE;
    }
    if (formats->is_binary((unsigned)format) && strcmp(path, "-") == 0 && isatty(1)) {
        af_message_say(NULL, "a %s does not go to a terminal; give -o FILE.%s or a pipe",
                       formats->name((unsigned)format), formats->extension((unsigned)format));
        return FALSE;
    }
    if (is_named(targets, path)) {
        af_message_say(path, "is named as output twice");
        return FALSE;
    }
    af_target *target = g_new(af_target, 1);
    target->path = g_strdup(path);
    target->format = formats->name((unsigned)format);
    g_ptr_array_add(targets, target);
    return TRUE;
}

GPtrArray *af_targets_choose(const af_formats *formats, char *const *paths, const char *forced)
{
    GPtrArray *targets = g_ptr_array_new_with_free_func(free_target);
    for (; *paths != NULL; paths++) {
        if (!add_target(targets, formats, *paths, forced)) {
            g_ptr_array_unref(targets);
            return NULL;
        }
    }
    return targets;
}
