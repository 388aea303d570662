#include "cli/outputs.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "api/command.h"
#include "cli/options.h"

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
    g_autoptr(GPtrArray) names = list_formats(formats);
    return g_strjoinv(", ", (char **)names->pdata);
}

static void refuse_format(const af_formats *formats, const char *path, const char *forced)
{
    g_autoptr(GPtrArray) names = list_formats(formats);
    g_autofree char *list = af_formats_list(formats);
    if (forced != NULL) {
        const char *nearest = af_word_nearest(forced, (const char *const *)(void *)names->pdata);
        af_message_print(NULL, "--format takes one of %s, not \"%s\"%s%s%s", list, forced,
                         nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                         nearest != NULL ? "?" : "");
    } else {
        const char *extensions = formats->extensions(0);
        af_message_print(path,
                         "the name does not end in a known format; name the file *.%.*s or "
                         "give --format (formats: %s)",
                         (int)strcspn(extensions, " "), extensions, list);
    }
}

gboolean af_target_is_direct(const char *path)
{
    struct stat it;
    return strcmp(path, "-") == 0 || g_str_has_prefix(path, "/dev/fd/") ||
           g_str_has_prefix(path, "/dev/std") || g_str_has_prefix(path, "/proc/") ||
           (stat(path, &it) == 0 && !S_ISREG(it.st_mode) && !S_ISDIR(it.st_mode));
}

/* The length of the extension if `name` ends with it; otherwise 0. */
static size_t match_extension(const char *name, const char *extension)
{
    const size_t length = strlen(name), ending = strlen(extension);
    if (strchr(extension, '*') != NULL) {
        return g_pattern_match_simple(extension, name) ? length : 0;
    }
    const gboolean fits = length > ending && name[length - ending - 1] == '.' &&
                          g_ascii_strcasecmp(name + length - ending, extension) == 0;
    return fits ? ending : 0;
}

/* The format with the longest extension that `name` ends with; -1 = none. */
static int find_by_name(const af_formats *formats, const char *name)
{
    int found = -1;
    size_t longest = 0;
    for (unsigned i = 0; formats->name(i) != NULL; i++) {
        g_auto(GStrv) extensions = g_strsplit(formats->extensions(i), " ", -1);
        for (char **e = extensions; *e != NULL; e++) {
            const size_t length = match_extension(name, *e);
            if (length > longest) {
                longest = length;
                found = (int)i;
            }
        }
    }
    return found;
}

static int choose_format(const af_formats *formats, const char *path, const char *forced,
                         gboolean *packed)
{
    g_autofree char *name = g_path_get_basename(path);
    const size_t length = strlen(name);
    int found = forced != NULL ? af_named_find(formats->name, forced) : find_by_name(formats, name);
    *packed = formats->packs && length > 3 && g_ascii_strcasecmp(name + length - 3, ".gz") == 0;
    if (*packed && found < 0 && forced == NULL) {
        name[length - 3] = '\0';
        found = find_by_name(formats, name);
    }
    return found < 0 && forced == NULL && af_target_is_direct(path) ? 0 : found;
}

const char *af_format_choose(const af_formats *formats, const char *path, const char *forced)
{
    gboolean packed;
    const int format = choose_format(formats, path, forced, &packed);
    return format < 0 ? NULL : formats->name((unsigned)format);
}

static void free_target(gpointer user)
{
    g_autofree af_target *target = user;
    g_strfreev(target->messages);
    g_free(target->path);
}

/* Whether both exist and are one file. */
static gboolean are_one(const char *a, const char *b)
{
    struct stat one, other;
    return (strcmp(a, "-") == 0 ? fstat(1, &one) : stat(a, &one)) == 0 &&
           (strcmp(b, "-") == 0 ? fstat(1, &other) : stat(b, &other)) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Whether two paths are one name of one folder: a file that is written is replaced under its name,
 * so a second name of an existing file is a file of its own. */
static gboolean is_same_target(const char *a, const char *b)
{
    if (strcmp(a, b) == 0) {
        return TRUE;
    }
    if (af_target_is_direct(a) && af_target_is_direct(b)) {
        return are_one(a, b);
    }
    char *names[] = {g_path_get_basename(a), g_path_get_basename(b)};
    char *folders[] = {g_path_get_dirname(a), g_path_get_dirname(b)};
    const gboolean same = strcmp(names[0], names[1]) == 0 && are_one(folders[0], folders[1]);
    for (unsigned i = 0; i < 2; i++) {
        g_free(names[i]);
        g_free(folders[i]);
    }
    return same;
}

static gboolean is_named(const GPtrArray *targets, const char *path)
{
    for (unsigned i = 0; i < targets->len; i++) {
        if (is_same_target(((const af_target *)targets->pdata[i])->path, path)) {
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
    gboolean packed;
    int format = choose_format(formats, path, forced, &packed);
    if (format < 0) {
        refuse_format(formats, path, forced);
        return FALSE;
    }
    if (formats->is_binary != NULL && formats->is_binary((unsigned)format) &&
        strcmp(path, "-") == 0 && isatty(1)) {
        const char *extensions = formats->extensions((unsigned)format);
        af_message_print(NULL, "cannot write %s to a terminal; give -o FILE.%.*s or a pipe",
                         formats->name((unsigned)format), (int)strcspn(extensions, " "),
                         extensions);
        return FALSE;
    }
    if (is_named(targets, path)) {
        af_message_print(path, "is given as an output twice");
        return FALSE;
    }
    af_target *target = g_new0(af_target, 1);
    target->path = g_strdup(path);
    target->format = formats->name((unsigned)format);
    target->packed = packed;
    g_ptr_array_add(targets, target);
    return TRUE;
}

GPtrArray *af_targets_choose(const af_formats *formats, const char *const *paths,
                             const char *forced)
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

/* Whether the file names aflame as its program: in an attribute, a comment, a text chunk, the
 * document information. */
static gboolean has_mark(const char *bytes, size_t length)
{
    static const struct {
        const char *text;
        size_t length;
    } marks[] = {
        {" data-program=\"aflame ", 22},
        {"<!-- aflame ", 12},
        {"Software\0aflame ", 16},
        {"/Creator (aflame ", 17},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(marks); i++) {
        if (memmem(bytes, length, marks[i].text, marks[i].length) != NULL) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The marks are at the start of a picture, or at its end. */
#define MARKED ((off_t)1024 * 1024)

static gboolean is_of_others(const char *path)
{
    struct stat it;
    if (stat(path, &it) != 0 || !S_ISREG(it.st_mode) || it.st_size == 0) {
        return FALSE;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    g_autofree char *bytes = g_malloc((gsize)MARKED);
    gboolean ours = FALSE;
    for (unsigned end = 0; fd >= 0 && !ours && end < 2; end++) {
        const off_t offset = end == 0 ? 0 : MAX(it.st_size - MARKED, 0);
        const ssize_t n = pread(fd, bytes, (size_t)MARKED, offset);
        ours = n > 0 && has_mark(bytes, (size_t)n);
    }
    if (fd >= 0) {
        close(fd);
    }
    return !ours;
}

gboolean af_targets_replace_others(const GPtrArray *targets)
{
    for (unsigned i = 0; i < targets->len; i++) {
        const char *path = ((const af_target *)targets->pdata[i])->path;
        if (is_of_others(path)) {
            af_message_print(path, "aflame did not write this file and does not replace it "
                                   "without -o; nothing was written");
            return TRUE;
        }
    }
    return FALSE;
}

/* Texts about the pictures, for standard output. FALSE, and prints so, if they have no place. */
static gboolean add_texts(const af_options *o, GPtrArray *targets, const char *forced)
{
    const char *option = o->alt ? "alt" : o->markdown ? "markdown" : NULL;
    if (option == NULL) {
        return TRUE;
    }
    if (o->alt && o->markdown) {
        af_message_print(NULL, "give --alt or --markdown, not both");
    } else if (o->outputs == NULL && forced != NULL) {
        af_message_print(NULL, "--%s prints text; a format needs an output, such as -o FILE",
                         option);
    } else if (is_named(targets, "-")) {
        af_message_print(NULL, "--%s prints to standard output, and so does -o -", option);
    } else {
        af_target *target = g_new0(af_target, 1);
        target->path = g_strdup("-");
        target->format = option;
        g_ptr_array_add(targets, target);
        return TRUE;
    }
    return FALSE;
}

GPtrArray *af_targets_choose_standard(const af_options *o, const char *forced)
{
    static const char *const standard[] = {"-", NULL};
    const char *const *paths = o->outputs != NULL ? (const char *const *)o->outputs : standard;
    GPtrArray *targets = af_targets_choose(af_options_formats(o),
                                           af_options_only_print(o) ? standard + 1 : paths, forced);
    if (targets != NULL && !add_texts(o, targets, forced)) {
        g_clear_pointer(&targets, g_ptr_array_unref);
    }
    return targets;
}
