/* Uses the installed library as a stranger would. */
#include <stdio.h>
#include <string.h>

#include <aflame/aflame.h>

static bool count(void *user, const void *bytes, size_t length, GError **error)
{
    *(size_t *)user += length;
    return true;
}

#if !AF_CHECK_VERSION(0, 1, 0) ||                                                                  \
    AF_CHECK_VERSION(AF_VERSION_MAJOR, AF_VERSION_MINOR, AF_VERSION_MICRO + 1)
#error "AF_CHECK_VERSION() compares wrongly"
#endif

int main(int argc, char **argv)
{
    GError *error = NULL;
    size_t written = 0;
    af_profile *profile = argc == 2 ? af_profile_open(argv[1], NULL, &error) : NULL;
    if (profile == NULL || !af_picture_write(profile, "svg", NULL, count, &written, NULL, &error)) {
        fprintf(stderr, "consumer: %s\n", error != NULL ? af_error_message(error) : "usage");
        return 1;
    }
    if (!af_version_check(AF_VERSION_MAJOR, AF_VERSION_MINOR, AF_VERSION_MICRO) ||
        af_version_check(AF_VERSION_MAJOR, AF_VERSION_MINOR, AF_VERSION_MICRO + 1)) {
        fprintf(stderr, "consumer: the library and its headers differ in their version\n");
        return 1;
    }
    printf("aflame %d.%d.%d: %u threads, a picture of %s bytes\n", AF_VERSION_MAJOR,
           AF_VERSION_MINOR, AF_VERSION_MICRO, af_profile_n_threads(profile),
           written > 10000 ? "many" : "too few");
    af_profile_free(profile);
    return 0;
}
