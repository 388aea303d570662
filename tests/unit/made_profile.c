#include "made_profile.h"

#include <string.h>

#include "suite.h"

af_profile *made_profile_new(unsigned clocks)
{
    af_profile *profile = g_new0(af_profile, 1);
    profile->arena = af_arena_new();
    profile->clocks = clocks;
    profile->facts.recording.overflow = -1;
    af_warnings_init(&profile->warnings);
    return profile;
}

/* The array with space for one more item, which the arena owns. */
static void *grow(af_profile *profile, void *items, uint32_t n, size_t size)
{
    if ((n & (n - 1)) != 0) {
        return items;
    }
    void *larger = af_arena_alloc(profile->arena, MAX(2 * n, 1) * size);
    if (n > 0) {
        memcpy(larger, items, n * size);
    }
    return larger;
}

static uint32_t find_label(af_profile *profile, const char *text)
{
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        if (strcmp(profile->labels[i].text, text) == 0) {
            return i;
        }
    }
    profile->labels = grow(profile, profile->labels, profile->n_labels, sizeof *profile->labels);
    af_label *label = &profile->labels[profile->n_labels];
    memset(label, 0, sizeof *label);
    label->text = text;
    label->length = (uint32_t)strlen(text);
    return profile->n_labels++;
}

static af_tree *grow_tree(af_profile *profile, const made_row *rows)
{
    uint32_t n = 1;
    while (rows[n - 1].depth != 0) {
        n++;
    }
    af_tree *tree = af_tree_new(n, profile->clocks);
    uint32_t *last = g_new0(uint32_t, n + 1); /* by depth */
    tree->parent[0] = AF_NO_NODE;
    tree->label[0] = AF_NO_LABEL;
    for (uint32_t i = 1; i < n; i++) {
        const made_row *row = &rows[i - 1];
        tree->parent[i] = last[row->depth - 1];
        tree->label[i] = find_label(profile, row->label);
        tree->calls[i] = 1;
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            if (tree->self[c] != NULL) {
                tree->self[c][i] = row->self_ns[c];
            }
        }
        last[row->depth] = i;
    }
    g_free(last);
    af_tree_sum(tree);
    return tree;
}

af_thread *made_thread_add(af_profile *profile, uint64_t id, const char *name, const char *title,
                           const made_row *rows)
{
    profile->threads =
        grow(profile, profile->threads, profile->n_threads, sizeof *profile->threads);
    af_thread *thread = &profile->threads[profile->n_threads++];
    memset(thread, 0, sizeof *thread);
    thread->id = id;
    thread->name = name;
    thread->title = title;
    thread->tree = grow_tree(profile, rows);
    return thread;
}

GByteArray *made_export(const af_exporter *exporter, const af_profile *profile,
                        const af_selection *selection, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autofree af_out *out = g_new(af_out, 1);
    af_export_ids ids;
    ck_assert(af_export_ids_init(&ids, profile));
    af_selection whole = *selection;
    whole.ids = &ids;
    af_out_open(out, af_out_to_array, bytes);
    const gboolean ok = exporter->write(profile, &whole, out, error);
    af_export_ids_clear(&ids);
    ck_assert(af_out_close(out, NULL));
    ck_assert(ok || bytes->len == 0);
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    g_byte_array_set_size(bytes, bytes->len - 1);
    return ok ? g_steal_pointer(&bytes) : NULL;
}

uint32_t made_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}
