#include "render/packed/pack.h"

#include <string.h>

#include "base/wide.h"
#include "render/packed/block.h"
#include "model/tree_prune.h"
#include "render/thread_rank.h"

typedef struct {
    const af_pack_options *options;
    af_block block;
    af_chart_block calls;
    size_t calls_size; /* in bytes of base64 */
} packing;

static gboolean order_threads(packing *p)
{
    af_block *block = &p->block;
    const af_profile *profile = block->profile;
    const uint64_t *rank_ns = p->options->rank_ns;
    g_autofree af_thread_rank *rest = g_try_new(af_thread_rank, (gsize)profile->n_threads + 1);
    g_autofree gboolean *placed = g_try_new0(gboolean, (gsize)profile->n_threads + 1);
    uint32_t n_rest = 0;
    if (!rest || !placed) {
        return FALSE;
    }
    for (uint32_t i = 0; i < p->options->n_threads; i++) {
        const uint32_t thread = p->options->threads[i];
        block->drawn[thread] = TRUE;
        if (!placed[thread]) {
            placed[thread] = TRUE;
            block->order[block->n_threads++] = thread;
        }
    }
    for (uint32_t i = 0; i < profile->n_threads && !p->options->drawn_only; i++) {
        if (!placed[i]) {
            rest[n_rest++] = (af_thread_rank){
                i, rank_ns ? rank_ns[i] : af_thread_time_ns(profile, i, p->options->clock)};
        }
    }
    qsort(rest, n_rest, sizeof *rest, af_thread_rank_compare);
    for (uint32_t i = 0; i < n_rest; i++) {
        block->order[block->n_threads++] = rest[i].thread;
    }
    return TRUE;
}

static uint64_t count_entries(const af_tree *const *trees, uint32_t n_trees)
{
    uint64_t n = 0;
    for (uint32_t t = 0; t < n_trees; t++) {
        n += trees[t]->n - 1;
    }
    return n;
}

static void record_left_out(const af_pack_fitting *f, const af_tree_extract *const *pruned,
                            af_pack *pack)
{
    for (uint32_t t = 0; pruned && t < f->n_trees; t++) {
        for (uint32_t i = 0; i < pruned[t]->n_stand_ins; i++) {
            const af_stand_in *in = &pruned[t]->stand_ins[i];
            pack->left_out += in->nodes;
            if (af_tree_has(f->trees[t], f->clock)) { /* as af_tree_self_term() */
                pack->left_out_ns +=
                    f->clock == AF_WAIT ? in->self[AF_WALL] - in->self[AF_CPU] : in->self[f->clock];
            }
        }
    }
    pack->left_out_ns = af_time_of_sum(pack->left_out_ns, f->clock);
}

/* Writes the block with at most `n_entries` of `n`. */
static af_pack *try_pack(const af_pack_fitting *f, uint64_t n, uint64_t n_entries,
                         af_ranking **ranking)
{
    const af_tree_extract *const *pruned = NULL;
    if (n_entries < n) {
        if (!*ranking) {
            *ranking = af_ranking_new(f->trees, f->n_trees, f->clock);
        }
        pruned = *ranking ? af_ranking_prune(*ranking, n_entries) : NULL;
        if (!pruned) {
            return NULL;
        }
    }
    g_autoptr(af_pack) pack = g_new0(af_pack, 1);
    pack->bytes = f->write(f->user, pruned, &pack->plain_length);
    record_left_out(f, pruned, pack);
    return pack->bytes ? g_steal_pointer(&pack) : NULL;
}

/* An attempt to fit the budget. */
typedef struct {
    uint64_t n_entries, size;
} attempt;

/* The number of entries that should come close to `size`: on the line through the last two
 * attempts; after a single attempt, as if entries became smaller the more there are. They do,
 * because short and rare entries are omitted first. In integers, so that it is the same on every
 * machine. */
static uint64_t guess_entries(const attempt *last, const attempt *before, uint64_t size)
{
    const af_i128 wanted = size, had = MAX(last->size, 1);
    const af_i128 run = (af_i128)last->n_entries - before->n_entries;
    const af_i128 rise = had - before->size;
    const gboolean alone = before->size == 0 || rise == 0 || (run < 0) != (rise < 0);
    const af_i128 n = alone ? last->n_entries * wanted / had * (had + wanted) / (2 * had)
                            : last->n_entries + (wanted - had) * run / rise;
    return n < 1 ? 1 : (uint64_t)n;
}

af_pack *af_pack_fit(const af_pack_fitting *f)
{
    enum { TRIES = 6 };
    const uint64_t n = count_entries(f->trees, f->n_trees);
    const uint64_t budget = f->budget == 0 ? UINT64_MAX : f->budget - f->fixed_size;
    attempt now = {.n_entries = n > budget / f->entry_size ? budget / f->packed_size : n};
    attempt before = {0, 0};
    af_ranking *ranking = NULL;
    af_pack *best = NULL;
    uint64_t n_best = 0, best_size = 0;
    uint64_t least = 0; /* size without entries, once known */
    for (unsigned i = 0; i < TRIES || !best; i++) {
        af_pack *pack = try_pack(f, n, now.n_entries, &ranking);
        if (!pack) {
            break;
        }
        now.size = (g_bytes_get_size(pack->bytes) + 2) / 3 * 4;
        now.size -= MIN(now.size, f->fixed_size);
        const gboolean fits = now.size <= budget;
        if (fits || now.n_entries == 0) {
            af_pack_free(best);
            best = pack;
            n_best = now.n_entries;
            best_size = now.size;
        } else {
            af_pack_free(pack);
        }
        least = now.n_entries == 0 ? now.size : least;
        const uint64_t space = budget - MIN(budget, least);
        if (best && (n_best == n || best_size >= least + space / 5 * 4)) {
            break;
        }
        const attempt tried = now;
        now.n_entries = MIN(n, guess_entries(&tried, &before, least + space - space / 12));
        /* if names are most of a block, the estimate does not help */
        if ((!fits && now.n_entries >= tried.n_entries) || i >= TRIES) {
            now.n_entries = tried.n_entries / 2;
        }
        if (i == 0 && f->many_threads) {
            now.n_entries = 0;
        }
        before = tried;
        if (best && now.n_entries <= n_best) {
            break;
        }
    }
    af_ranking_free(ranking);
    return best;
}

static void prepare_trees(packing *p)
{
    uint64_t rest = 0;
    for (uint32_t t = 0; t < p->block.n_threads; t++) {
        const af_tree *tree = p->block.profile->threads[p->block.order[t]].tree;
        p->block.trees[t] = tree;
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            for (uint32_t i = 0; tree->self[c] && rest == 0 && i < tree->n; i++) {
                rest |= tree->self[c][i] % 1000 | tree->min[c][i] % 1000 | tree->max[c][i] % 1000;
            }
        }
    }
    p->block.unit_ns = rest == 0 ? 1000 : 1;
}

static GBytes *write_block(void *user, const af_tree_extract *const *pruned, size_t *plain_length)
{
    packing *p = user;
    p->block.pruned = pruned;
    return af_block_write(&p->block, plain_length);
}

static af_pack *pack_within(packing *p)
{
    /* estimated bytes of an entry, four to ten in real trees, and more if only the largest remain */
    enum { ENTRY_SIZE = 9, PACKED_SIZE = 11, PACKED_SIZE_ONE_CLOCK = 8 };
    /* the fixed size of this many threads may exceed the budget */
    enum { MANY_THREADS = 2000 };
    const unsigned clocks = p->block.profile->clocks;
    const gboolean both = (clocks & (clocks - 1)) != 0;
    return af_pack_fit(&(af_pack_fitting){.trees = p->block.trees,
                                          .n_trees = p->block.n_threads,
                                          .clock = p->block.clock,
                                          .budget = p->options->budget,
                                          .fixed_size = p->calls_size,
                                          .entry_size = ENTRY_SIZE,
                                          .packed_size = both ? PACKED_SIZE : PACKED_SIZE_ONE_CLOCK,
                                          .many_threads = p->block.n_threads >= MANY_THREADS,
                                          .write = write_block,
                                          .user = p});
}

/* The calls get the space that the trees leave. The trees are entitled to a third, or to a sixth if
 * not all calls fit, because users of a chart look at its calls. */
static gboolean fit_calls(packing *p)
{
    enum { NODE_SIZE = 9 };
    const af_pack_options *options = p->options;
    const af_profile *profile = p->block.profile;
    const af_facts *facts = &profile->facts;
    uint64_t start_ns = 0;
    if (options->chart->options.clock == AF_WALL) {
        start_ns = af_profile_start_ns(profile);
    }
    p->calls = (af_chart_block){
        .chart = options->chart,
        .profile = profile,
        .order = p->block.order,
        .n_threads = p->block.n_threads,
        .zero_ns = start_ns,
        .overflow = facts->recording.overflow == 1,
        .truncated = facts->recording.truncated,
    };
    p->block.calls = &p->calls;
    if (options->budget == 0) {
        return TRUE;
    }
    const uint64_t left = options->budget - options->budget / 16;
    const uint64_t n = count_entries(p->block.trees, p->block.n_threads);
    const uint64_t wanted = MIN(n * NODE_SIZE, options->budget / 3);
    const gboolean fits = af_chart_block_measure(&p->calls) <= (left - wanted) / 4 * 3;
    const uint64_t trees = fits ? wanted : MIN(wanted, options->budget / 6);
    const size_t size = af_chart_block_fit(&p->calls, (left - trees) / 4 * 3);
    p->calls_size = MIN(size / 3 * 4 + 4, options->budget / 10 * 9);
    return size > 0;
}

af_pack *af_pack_new(const af_profile *profile, const af_pack_options *options)
{
    const gsize n = (gsize)profile->n_threads + 1;
    packing p = {
        .options = options,
        .block = {.profile = profile,
                  .clock = options->clock,
                  .input = options->input,
                  .jobs = options->jobs,
                  .order = g_try_new0(uint32_t, n),
                  .drawn = g_try_new0(gboolean, n),
                  .trees = g_try_new0(const af_tree *, n)},
    };
    af_pack *pack = NULL;
    if (p.block.order && p.block.drawn && p.block.trees && order_threads(&p)) {
        prepare_trees(&p);
        if (!options->chart || fit_calls(&p)) {
            pack = pack_within(&p);
        }
    }
    g_free(p.block.order);
    g_free(p.block.drawn);
    g_free(p.block.trees);
    return pack;
}

void af_pack_free(af_pack *pack)
{
    if (pack) {
        if (pack->bytes) {
            g_bytes_unref(pack->bytes);
        }
        g_free(pack);
    }
}
