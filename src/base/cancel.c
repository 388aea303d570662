#include "base/cancel.h"

#include <errno.h>
#include <unistd.h>

#include <aflame/error.h>
#include "base/system.h"

/* How often a waiting thread checks for a request that cannot wake it, in milliseconds. */
#define LOOK_MS 100

#define NO_BELL (-1)

struct af_cancel {
    gatomicrefcount users;
    gint requested; /* atomic */
    gint bell;      /* wakes those who wait, once there is one; atomic */
    af_cancel *outer;
};

af_cancel *af_cancel_new_within(af_cancel *outer)
{
    af_cancel *cancel = g_new0(af_cancel, 1);
    g_atomic_ref_count_init(&cancel->users);
    cancel->bell = NO_BELL;
    cancel->outer = af_cancel_keep(outer);
    return cancel;
}

af_cancel *af_cancel_new(void)
{
    return af_cancel_new_within(NULL);
}

af_cancel *af_cancel_keep(af_cancel *cancel)
{
    if (cancel != NULL) {
        g_atomic_ref_count_inc(&cancel->users);
    }
    return cancel;
}

void af_cancel_free(af_cancel *cancel)
{
    if (cancel != NULL && g_atomic_ref_count_dec(&cancel->users)) {
        if (cancel->bell != NO_BELL) {
            close(cancel->bell);
        }
        af_cancel_free(cancel->outer);
        g_free(cancel);
    }
}

bool af_cancel_is_requested(const af_cancel *cancel)
{
    return cancel != NULL &&
           (g_atomic_int_get(&cancel->requested) || af_cancel_is_requested(cancel->outer));
}

gboolean af_cancel_check(const af_cancel *cancel, GError **error)
{
    if (!af_cancel_is_requested(cancel)) {
        return FALSE;
    }
    g_set_error_literal(error, AF_ERROR, AF_ERROR_CANCELLED, "stopped");
    return TRUE;
}

/* A waiting thread sets the bell and then checks the request; this function sets the request and
 * then checks the bell. So at least one of them sees the other. */
void af_cancel_request(af_cancel *cancel)
{
    const int before = errno; /* of the code that a signal interrupted */
    g_atomic_int_set(&cancel->requested, TRUE);
    const gint bell = g_atomic_int_get(&cancel->bell);
    if (bell != NO_BELL) {
        af_system_ring(bell);
    }
    errno = before;
}

/* Returns NO_BELL if the system has none, or no descriptor is left. */
static gint get_bell(af_cancel *cancel)
{
    const gint bell = g_atomic_int_get(&cancel->bell);
    if (bell != NO_BELL) {
        return bell;
    }
    const int made = af_system_open_bell();
    if (made == NO_BELL || g_atomic_int_compare_and_exchange(&cancel->bell, NO_BELL, made)) {
        return made;
    }
    close(made); /* another waiting thread was faster */
    return g_atomic_int_get(&cancel->bell);
}

void af_cancel_wait(af_cancel *cancel, int fd)
{
    GPollFD fds[8] = {{.fd = fd, .events = G_IO_IN | G_IO_HUP | G_IO_ERR}};
    guint n = 1;
    gint timeout = -1;
    for (af_cancel *c = cancel; c != NULL; c = c->outer) {
        const gint bell = n < G_N_ELEMENTS(fds) ? get_bell(c) : NO_BELL;
        if (bell != NO_BELL) {
            fds[n++] = (GPollFD){.fd = bell, .events = G_IO_IN};
        } else {
            timeout = LOOK_MS;
        }
    }
    if (!af_cancel_is_requested(cancel)) {
        g_poll(fds, n, timeout);
    }
}
