/* Writes a part of a trace in the format of another tool, e.g. speedscope or pprof.
 *
 *     cc convert.c $(pkg-config --cflags --libs aflame) && ./a.out app.trace folded >app.folded */
#include <stdio.h>
#include <aflame/aflame.h>

static bool print(void *user, const void *bytes, size_t length, GError **error)
{
    if (fwrite(bytes, 1, length, user) == length) {
        return true;
    }
    af_error_set(error, AF_ERROR_OUTPUT, "cannot write");
    return false;
}

int main(int argc, char **argv)
{
    static const af_step steps[] = {
        {.kind = AF_STEP_THREADS, .text = "main"},
        {.kind = AF_STEP_HIDE, .text = "java.util.**"},
    };
    GError *error = NULL;
    af_profile *all = argc == 3 ? af_profile_open(argv[1], NULL, &error) : NULL;
    af_profile *part = all != NULL ? af_profile_reshape(all, steps, 2, &error) : NULL;
    const bool ok = part != NULL && af_convert_write(part, argv[2], NULL, print, stdout, &error);
    if (!ok) {
        fprintf(stderr, "%s\n", af_error_message(error));
        af_error_clear(&error);
    }
    af_profile_free(part);
    af_profile_free(all);
    return ok ? 0 : 1;
}
