/* Draws a picture into memory, then writes it to a file.
 *
 *     cc draw.c $(pkg-config --cflags --libs aflame) && ./a.out app.trace graph.png */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <aflame/aflame.h>

typedef struct {
    char *bytes;
    size_t length;
} memory;

static bool append(void *user, const void *bytes, size_t length, GError **error)
{
    memory *to = user;
    char *more = realloc(to->bytes, to->length + length);
    if (more == NULL) {
        af_error_set(error, AF_ERROR_MEMORY, "out of memory");
        return false;
    }
    memcpy(more + to->length, bytes, length);
    *to = (memory){more, to->length + length};
    return true;
}

int main(int argc, char **argv)
{
    GError *error = NULL;
    memory picture = {NULL, 0};
    char **messages = NULL;
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.width_px = 1600;
    af_profile *profile = argc == 3 ? af_profile_open(argv[1], NULL, &error) : NULL;
    bool ok = profile != NULL &&
              af_picture_write(profile, "png", &options, append, &picture, &messages, &error);
    for (char **line = messages; ok && *line != NULL; line++) {
        fprintf(stderr, "%s\n", *line);
    }
    FILE *file = ok ? fopen(argv[2], "wb") : NULL;
    ok = file != NULL && fwrite(picture.bytes, 1, picture.length, file) == picture.length;
    ok = file != NULL && fclose(file) == 0 && ok;
    if (!ok) {
        fprintf(stderr, "%s\n", error != NULL ? af_error_message(error) : "cannot write");
    }
    af_messages_free(messages);
    af_error_clear(&error);
    af_profile_free(profile);
    free(picture.bytes);
    return ok ? 0 : 1;
}
