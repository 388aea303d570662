#include "export/marker_threads.h"

static void number_threads(af_marker_threads *m, const af_profile *profile,
                           const af_selection *selection)
{
    const uint32_t n_read = af_profile_origin(profile)->n_threads;
    for (uint32_t t = 0; t < n_read; t++) {
        m->selected[t] = AF_NO_MARKER_THREAD;
    }
    for (uint32_t p = 0; p < profile->n_processes; p++) {
        m->first[p] = AF_NO_MARKER_THREAD;
    }
    for (uint32_t i = selection->n_threads; i-- > 0;) {
        const af_thread *thread = &profile->threads[selection->threads[i]];
        m->selected[thread->number] = selection->threads[i];
        if (thread->process < profile->n_processes) {
            m->first[thread->process] = selection->threads[i];
        }
    }
    m->any = selection->n_threads > 0 ? selection->threads[0] : AF_NO_MARKER_THREAD;
}

gboolean af_marker_threads_init(af_marker_threads *threads, const af_profile *profile,
                                const af_selection *selection)
{
    threads->selected = g_try_new(uint32_t, (size_t)af_profile_origin(profile)->n_threads + 1);
    threads->first = g_try_new(uint32_t, (size_t)profile->n_processes + 1);
    const gboolean ok = threads->selected != NULL && threads->first != NULL;
    if (ok) {
        number_threads(threads, profile, selection);
    }
    return ok;
}

void af_marker_threads_clear(af_marker_threads *threads)
{
    g_free(threads->selected);
    g_free(threads->first);
}

uint32_t af_marker_threads_find(const af_marker_threads *threads, const af_profile *profile,
                                const af_marker *marker)
{
    const af_marker_series *series = &profile->markers.series[marker->series];
    if (marker->thread != UINT32_MAX) {
        return threads->selected[marker->thread];
    }
    return series->process == AF_NO_PROCESS ? threads->any : threads->first[series->process];
}
