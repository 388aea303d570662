/* Uses the installed library as a stranger would. */
#include <stdio.h>
#include <string.h>

#include <aflame/aflame.h>

static gboolean count(void *user, const void *bytes, size_t length, GError **error)
{
    (void)bytes;
    (void)error;
    *(size_t *)user += length;
    return TRUE;
}

int main(int argc, char **argv)
{
    GError *error = NULL;
    size_t written = 0;
    af_profile *profile = argc == 2 ? af_profile_open(argv[1], NULL, &error) : NULL;
    if (profile == NULL || !af_picture_write(profile, "svg", NULL, count, &written, NULL, &error)) {
        fprintf(stderr, "consumer: %s\n", error != NULL ? error->message : "usage");
        return 1;
    }
    printf("aflame %s: %u threads, a picture of %s bytes\n", af_version(),
           af_profile_n_threads(profile), written > 10000 ? "many" : "too few");
    af_profile_free(profile);
    return 0;
}
