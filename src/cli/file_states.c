#include "cli/file_states.h"

#include <sys/stat.h>

af_file_states *af_file_states_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

void af_file_states_add(af_file_states *states, const char *path)
{
    struct stat now;
    if (stat(path, &now) == 0 && S_ISREG(now.st_mode)) {
        g_hash_table_insert(states, g_strdup(path), g_memdup2(&now, sizeof now));
    }
}

gboolean af_file_states_keep(af_file_states *states, const char *path)
{
    const struct stat *before = g_hash_table_lookup(states, path);
    struct stat now;
    return before == NULL || (stat(path, &now) == 0 && now.st_size == before->st_size &&
                              now.st_ino == before->st_ino && now.st_dev == before->st_dev &&
                              now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
                              now.st_mtim.tv_nsec == before->st_mtim.tv_nsec);
}
