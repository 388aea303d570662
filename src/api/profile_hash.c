#include <string.h>
#include <aflame/profile.h>

#include "model/profile.h"

static void hash_numbers(GChecksum *sum, const uint64_t *numbers, size_t n)
{
    if (numbers != NULL) {
        g_checksum_update(sum, (const guchar *)numbers, (gssize)(n * sizeof *numbers));
    }
}

static void hash_text(GChecksum *sum, const char *text)
{
    const char *known = text != NULL ? text : "";
    g_checksum_update(sum, (const guchar *)known, (gssize)strlen(known) + 1);
}

static void hash_thread(GChecksum *sum, const af_profile *profile, const af_thread *thread)
{
    const af_tree *tree = thread->tree;
    hash_text(sum, thread->title);
    hash_numbers(sum, &thread->id, 1);
    hash_numbers(sum, thread->first_ns, AF_CLOCKS);
    hash_numbers(sum, thread->last_ns, AF_CLOCKS);
    for (uint32_t n = 1; n < tree->n; n++) {
        hash_text(sum, profile->labels[tree->label[n]].text);
    }
    g_checksum_update(sum, (const guchar *)tree->parent, (gssize)(tree->n * sizeof *tree->parent));
    hash_numbers(sum, tree->calls, tree->n);
    hash_numbers(sum, tree->self[AF_WALL], tree->n);
    hash_numbers(sum, tree->self[AF_CPU], tree->n);
}

char *af_profile_hash(const af_profile *profile)
{
    const af_profile *read = af_profile_origin(profile);
    const af_recording_facts *recording = &read->facts.recording;
    const uint64_t facts[] = {recording->start, recording->end_ns, read->facts.counts.records,
                              read->n_threads};
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    hash_numbers(sum, facts, G_N_ELEMENTS(facts));
    for (uint32_t t = 0; t < read->n_threads; t++) {
        hash_thread(sum, read, &read->threads[t]);
    }
    return g_strdup(g_checksum_get_string(sum));
}
