#include "cli/redaction.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/settings.h"

enum { KEY = AF_REDACTION_KEY, MOST_KEY = 4096 /* bytes of a file */ };

/* Options whose typed values appear in outputs, or that search for names of the input after these
 * have become pseudonyms. */
static const char *const refused[] = {"title",  "mark",    "method", "records",
                                      "frames", "startup", "budget", "align"};

static gboolean fail(const char *path, const char *what)
{
    af_message_print(path, "cannot %s the key: %s", what, g_strerror(errno));
    return FALSE;
}

gboolean af_redaction_check(af_options *o)
{
    for (unsigned i = 0; o->redact && i < G_N_ELEMENTS(refused); i++) {
        const af_setting *it = af_settings_find(o->settings, refused[i]);
        if (it != NULL && it->origin == NULL) {
            af_setting_complain(
                it, "shows or needs original names; leave it out when you use --redact");
            return FALSE;
        }
    }
    if (o->redact) {
        o->picture.title = NULL;
        o->picture.highlights = NULL;
        o->report.methods = o->compared.methods = NULL;
        o->budget = o->align = NULL;
    }
    if (o->redact && af_options_write(o, "dmtracedump")) {
        af_message_print(
            NULL, "--redact: the dmtracedump tables show the original names; write another format");
        return FALSE;
    }
    if (o->redact && o->redact_key == NULL && getentropy(o->run_key, KEY) != 0) {
        return fail("--redact", "create");
    }
    return TRUE;
}

static gboolean write_key(int fd)
{
    guint8 bytes[KEY];
    char text[2 * KEY + 2];
    if (getentropy(bytes, sizeof bytes) != 0) {
        return FALSE;
    }
    for (unsigned i = 0; i < KEY; i++) {
        g_snprintf(text + (gsize)2 * i, 3, "%02x", bytes[i]);
    }
    text[sizeof text - 2] = '\n';
    return write(fd, text, 2 * KEY + 1) == 2 * KEY + 1;
}

/* Without replacing another key, where the file system has links. */
static gboolean publish_key(const char *draft, const char *path)
{
    return link(draft, path) == 0 || (errno != EEXIST && rename(draft, path) == 0);
}

/* A new key in a file that only its owner can read. The name appears when the key is complete: a
 * run at the same time never reads half of it. FALSE with errno EEXIST if there is one. */
static gboolean make_key(const char *path)
{
    if (access(path, F_OK) == 0) {
        errno = EEXIST;
        return FALSE;
    }
    g_autofree char *draft = g_strconcat(path, ".XXXXXX", NULL);
    const int fd = mkostemp(draft, O_CLOEXEC);
    gboolean made = fd >= 0 && write_key(fd);
    made = fd >= 0 && close(fd) == 0 && made && publish_key(draft, path);
    const int reason = errno;
    if (fd >= 0) {
        unlink(draft);
    }
    errno = reason;
    return made;
}

/* The bytes of the file without blanks at its end. */
static gboolean read_key(const char *path, char key[MOST_KEY], size_t *length)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, key, MOST_KEY);
    const int reason = errno;
    if (fd >= 0) {
        close(fd);
    }
    errno = reason;
    *length = n < 0 ? 0 : (size_t)n;
    while (*length > 0 && g_ascii_isspace(key[*length - 1])) {
        --*length;
    }
    return n >= 0;
}

/* From the file, which is made on first use; or of this run. */
static gboolean choose_key(const af_options *o, char key[MOST_KEY], size_t *length)
{
    const char *path = o->redact_key;
    if (path == NULL) {
        *length = KEY;
        memcpy(key, o->run_key, KEY);
        return TRUE;
    }
    if (!make_key(path) && errno != EEXIST) {
        return fail(path, "create");
    }
    return read_key(path, key, length) || fail(path, "read");
}

gboolean af_redaction_apply(const af_options *o, const af_input *input, af_profile *profile,
                            af_exit *status)
{
    char key[MOST_KEY];
    size_t length = 0;
    if (!o->redact) {
        return TRUE;
    }
    if (!choose_key(o, key, &length)) {
        *status = AF_EXIT_OUTPUT;
        return FALSE;
    }
    GError *error = NULL;
    g_autofree char *name = g_path_get_basename(af_input_shown(input, profile));
    const gboolean ok = af_profile_redact(profile, name, key, length, &error);
    if (!ok) {
        const gboolean usage = g_error_matches(error, AF_ERROR, AF_ERROR_USAGE);
        *status = af_message_fail(usage ? o->redact_key : input->name, error);
    }
    return ok;
}
