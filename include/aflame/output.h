/* Output: where the library sends the bytes it writes.
 *
 * Functions that write a file take an af_write_func and call it once for each piece, in order. The
 * library opens no output files itself. A function that appends to a stream:
 *
 *     bool write_stream(void *user, const void *bytes, size_t length, GError **error)
 *     {
 *         if (fwrite(bytes, 1, length, (FILE *)user) == length) {
 *             return true;
 *         }
 *         af_error_set(error, AF_ERROR_OUTPUT, "cannot write");
 *         return false;
 *     }
 */
#ifndef AFLAME_OUTPUT_H
#define AFLAME_OUTPUT_H

#include <aflame/error.h>

AF_BEGIN_DECLS

/* Takes `length` bytes, on the thread that called the library. Returns true if it took all of them.
 * Otherwise returns false with an error set (without one, the library reports AF_ERROR_OUTPUT); the
 * library then does not call it again. */
typedef bool (*af_write_func)(void *user, const void *bytes, size_t length, GError **error);

/* Frees the messages of an output: lines of text about what differs from the request; NULL ends the
 * array. `messages` may be NULL. */
AF_API void af_messages_free(char **messages);

/* How much of the profile a picture or an HTML page carries besides what it shows: the saved
 * profile, so that the file opens like a trace, and in an interactive SVG the call trees, and the
 * calls of a chart, so that the viewer can zoom in. */
typedef enum {
    AF_DATA_AUTO = 0, /* all of it within limits. SVG: 0.9 MB for the viewer and a saved profile of
                         0.3 MB; other formats: a saved profile of 4 MB */
    AF_DATA_FULL,
    AF_DATA_NONE,
} af_data;

AF_END_DECLS

#endif
