/* Labels and threads that look the same in folded stacks.
 *
 * Threads with the same title are a group, printed as one tree. A `;` separates frames, so it is
 * printed as `:`, which can make two labels equal: label_of maps each label to the first equal
 * one. */
#pragma once

#include "base/arena.h"
#include "base/textmap.h"
#include "export/exporter.h"

/* The clock of merged trees. It holds the times of the selected clock, which may be AF_WAIT: trees
 * do not store that. */
#define AF_FOLDED_CLOCK AF_WALL

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    af_arena *arena;    /* texts that are printed differently */
    uint32_t *label_of; /* by label: the first label with the same printed text */
    gboolean merges;    /* some labels have the same printed text */
    af_textmap titles;  /* the number of a title is that of its group */
    uint64_t *members;  /* group << 32 | index in the selection, ascending */
} af_folded_groups;

static inline uint32_t af_folded_groups_number(const af_folded_groups *f, uint32_t member)
{
    return (uint32_t)(f->members[member] >> 32);
}

static inline const af_thread *af_folded_groups_thread(const af_folded_groups *f, uint32_t member)
{
    return &f->profile->threads[f->selection->threads[(uint32_t)f->members[member]]];
}

/* FALSE if out of memory; clear it in any case. */
gboolean af_folded_groups_init(af_folded_groups *f, const af_profile *profile,
                               const af_selection *selection);
void af_folded_groups_clear(af_folded_groups *f);

/* Merges the trees of the members `begin` to `end` into one, along with siblings that have the same
 * printed text. NULL if out of memory. */
af_tree *af_folded_groups_merge(const af_folded_groups *f, uint32_t begin, uint32_t end);
