#include "cli/memory.h"

#include <string.h>

#define LEAST_BYTES (UINT64_C(1) << 20)

/* Version 1 of control groups writes a number slightly below INT64_MAX. */
#define NO_LIMIT ((uint64_t)INT64_MAX / 2)

/* The power of 1024 that a letter means; -1 = invalid. */
static int find_power(const char *unit)
{
    static const char letters[] = "KMGT";
    if (unit[0] == '\0') {
        return 0;
    }
    const char *letter = strchr(letters, g_ascii_toupper(unit[0]));
    return letter == NULL || unit[1] != '\0' ? -1 : (int)(letter - letters) + 1;
}

gboolean af_memory_parse_size(const char *text, uint64_t least, uint64_t *bytes)
{
    char *end;
    if (!g_ascii_isdigit(text[0]) || g_ascii_tolower(text[1]) == 'x') {
        return FALSE;
    }
    double size = g_ascii_strtod(text, &end);
    const int power = g_ascii_isalpha(end[0]) || end[0] == '\0' ? find_power(end) : -1;
    for (int i = 0; i < power; i++) {
        size *= 1024;
    }
    if (power < 0 || !(size >= (double)least && size <= (double)(INT64_MAX / 2))) {
        return FALSE;
    }
    *bytes = (uint64_t)size;
    return TRUE;
}

static char *read_file(const char *root, const char *folder, const char *name)
{
    g_autofree char *path = g_strconcat(root, folder, name, NULL);
    char *text = NULL;
    (void)g_file_get_contents(path, &text, NULL, NULL);
    return text;
}

/* The number in a file that contains nothing else; `otherwise` if it has other content, such as
 * "max". */
static uint64_t read_number(const char *root, const char *folder, const char *name,
                            uint64_t otherwise)
{
    g_autofree char *text = read_file(root, folder, name);
    guint64 number = otherwise;
    if (text != NULL && g_ascii_isdigit(text[0])) {
        number = g_ascii_strtoull(text, NULL, 10);
    }
    return number;
}

/* The number after `key` at the start of a line; 0 = missing. */
static uint64_t read_line(const char *root, const char *folder, const char *name, const char *key)
{
    g_autofree char *text = read_file(root, folder, name);
    uint64_t number = 0;
    for (const char *line = text; line != NULL && number == 0;) {
        if (g_str_has_prefix(line, key)) {
            number = g_ascii_strtoull(line + strlen(key), NULL, 10);
        }
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    return number;
}

/* The file names of one version of control groups. */
typedef struct {
    const char *mount, *limit, *usage, *cache;
} group_files;

/* Includes cached files that the group no longer uses, because the kernel can drop them. */
static uint64_t find_group_rest(const char *root, const group_files *files, const char *folder)
{
    const uint64_t limit = read_number(root, folder, files->limit, UINT64_MAX);
    if (limit >= NO_LIMIT) {
        return UINT64_MAX;
    }
    const uint64_t cache = read_line(root, folder, "/memory.stat", files->cache);
    const uint64_t usage = read_number(root, folder, files->usage, 0);
    const uint64_t used = usage - MIN(usage, cache);
    return limit - MIN(limit, used);
}

/* The smallest rest among the group and those above it. In a container the group's path may be that
 * of the host: then only the topmost folder exists. */
static uint64_t find_groups_rest(const char *root, const group_files *files, const char *group)
{
    g_autofree char *folder = g_strconcat(files->mount, strcmp(group, "/") == 0 ? "" : group, NULL);
    uint64_t least = UINT64_MAX;
    for (char *slash = folder; slash != NULL && strlen(folder) >= strlen(files->mount);) {
        least = MIN(least, find_group_rest(root, files, folder));
        slash = strrchr(folder, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
    }
    return least;
}

/* A line of /proc/self/cgroup: "0::/group" of version 2, "7:memory:/group" of version 1. */
static uint64_t read_group(const char *root, const char *line)
{
    static const group_files two = {"/sys/fs/cgroup", "/memory.max", "/memory.current",
                                    "inactive_file "};
    static const group_files one = {"/sys/fs/cgroup/memory", "/memory.limit_in_bytes",
                                    "/memory.usage_in_bytes", "total_inactive_file "};
    g_auto(GStrv) fields = g_strsplit(line, ":", 3);
    uint64_t rest = UINT64_MAX;
    if (g_strv_length(fields) == 3) {
        g_auto(GStrv) controllers = g_strsplit(fields[1], ",", -1);
        if (fields[1][0] == '\0') {
            rest = find_groups_rest(root, &two, fields[2]);
        } else if (g_strv_contains((const char *const *)(void *)controllers, "memory")) {
            rest = find_groups_rest(root, &one, fields[2]);
        }
    }
    return rest;
}

uint64_t af_memory_available(const char *root)
{
    const uint64_t kilobytes = read_line(root, "/proc", "/meminfo", "MemAvailable:");
    uint64_t available = kilobytes == 0 ? UINT64_MAX : kilobytes * 1024;
    g_autofree char *groups = read_file(root, "/proc", "/self/cgroup");
    g_auto(GStrv) lines = groups == NULL ? NULL : g_strsplit(groups, "\n", -1);
    for (unsigned i = 0; lines != NULL && lines[i] != NULL; i++) {
        available = MIN(available, read_group(root, lines[i]));
    }
    /* with 32 bits, there are fewer addresses than bytes of memory */
    return available == UINT64_MAX ? 0 : CLAMP(available, LEAST_BYTES, SIZE_MAX / 2);
}
