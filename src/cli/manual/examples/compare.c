/* Compares two traces and prints the ten methods whose time differs most.
 *
 *     cc compare.c $(pkg-config --cflags --libs aflame) && ./a.out before.trace after.trace */
#include <stdio.h>
#include <aflame/aflame.h>

static bool add(af_runs *runs, const char *path, GError **error)
{
    af_profile *profile = af_profile_open(path, NULL, error);
    return profile != NULL && af_runs_take(runs, profile, path, NULL, error);
}

int main(int argc, char **argv)
{
    GError *error = NULL;
    af_runs *before = af_runs_new(AF_RUNS_TO_COMPARE), *after = af_runs_new(AF_RUNS_TO_COMPARE);
    af_diff *diff = NULL;
    if (argc == 3 && add(before, argv[1], &error) && add(after, argv[2], &error)) {
        diff = af_diff_new(before, after, NULL, &error);
    }
    af_runs_free(before);
    af_runs_free(after);
    if (diff == NULL) {
        fprintf(stderr, "%s\n", af_error_message(error));
        af_error_clear(&error);
        return 1;
    }
    af_diff_method_view method = AF_DIFF_METHOD_VIEW_INIT;
    for (uint32_t i = 0; i < 10 && af_diff_method_at(diff, i, &method); i++) {
        printf("%+12.3f ms  %s\n",
               ((double)method.inclusive_ns[AF_AFTER] - (double)method.inclusive_ns[AF_BEFORE]) /
                   1e6,
               method.name);
    }
    af_diff_free(diff);
    return 0;
}
