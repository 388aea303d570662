/* Reads a trace: what it is, its threads and its problems.
 *
 *     cc read.c $(pkg-config --cflags --libs aflame) && ./a.out app.trace */
#include <stdio.h>
#include <aflame/aflame.h>

int main(int argc, char **argv)
{
    GError *error = NULL;
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.names = AF_NAMES_FULL;
    af_profile *profile = argc == 2 ? af_profile_open(argv[1], &options, &error) : NULL;
    if (profile == NULL) {
        const bool foreign = af_error_reason(error) == AF_ERROR_UNRECOGNISED;
        fprintf(stderr, "%s%s\n", af_error_message(error), foreign ? "; not drawn" : "");
        af_error_clear(&error);
        return 1;
    }
    const char *app = af_profile_app(profile);
    printf("%s, %s, %s CPU times\n", af_info_format(profile), app != NULL ? app : "unknown app",
           af_profile_has_clock(profile, AF_CPU) ? "with" : "without");
    for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
        printf("%10.3f ms  %s\n",
               (double)af_node_inclusive_ns(profile, t, 0, AF_CLOCK_DEFAULT) / 1e6,
               af_thread_title(profile, t));
    }
    for (unsigned i = 0; i < af_profile_n_warnings(profile); i++) {
        af_warning_view warning = AF_WARNING_VIEW_INIT;
        af_profile_warning(profile, i, &warning);
        printf("%s: %llu\n", warning.text, (unsigned long long)warning.count);
    }
    af_profile_free(profile);
    return 0;
}
