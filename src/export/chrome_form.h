/* What Chrome trace files with calls and with samples have in common. */
#pragma once

#include "export/exporter.h"

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    af_out *out;
    gboolean any; /* the current list has an item */
} af_chrome_form;

/* Begins the next item of a list, up to the value of its `name`. */
void af_chrome_form_begin_event(af_chrome_form *form);

/* The categories of a label: those that the input names, or aflame's own. */
void af_chrome_form_put_categories(const af_chrome_form *form, const af_label *label,
                                   af_category category);

/* A number in µs; `key` comes with its comma and colon. */
void af_chrome_form_put_us(const af_chrome_form *form, const char *key, uint64_t ns);

/* The process and the thread. */
void af_chrome_form_put_ids(const af_chrome_form *form, uint32_t thread);

/* Whether the slices of a thread belong to none: they become asynchronous events, which have no CPU
 * times. */
gboolean af_chrome_form_is_track(const af_chrome_form *form, uint32_t thread);

/* The same for an asynchronous event, and what makes all of a track one. */
void af_chrome_form_put_track(const af_chrome_form *form, uint32_t thread);

/* Begins the file and its `otherData`, which stays open for more members. */
void af_chrome_form_begin(const af_chrome_form *form);

/* Events with the markers of the selected threads and their processes; times are since
 * `start_ns`. FALSE if out of memory. */
gboolean af_chrome_markers_put(af_chrome_form *form, uint64_t start_ns);

/* Events with the names of the selected threads and their processes. */
void af_chrome_form_put_names(af_chrome_form *form);

/* A whole file with the stacks of the selected threads. */
gboolean af_chrome_samples_put(af_chrome_form *form, GError **error);
