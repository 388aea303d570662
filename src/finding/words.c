/* The words of findings: candidates, names, amounts, commands. */
#include "finding/groups.h"
#include "finding/inquiry.h"

#include <string.h>

#include "base/number.h"
#include "base/shell.h"
#include "model/app.h"
#include "model/behalf.h"

/* The longest name in a sentence, in bytes; longer ones lose their middle. */
#define LONGEST_NAME   40
#define LONGEST_THREAD 28

af_candidate *af_candidate_add(const af_case *c, const af_rule *rule, uint32_t node, uint64_t time,
                               uint64_t calls)
{
    af_candidate *candidate = g_new0(af_candidate, 1);
    candidate->rule = rule;
    candidate->in = c;
    candidate->node = node;
    candidate->behalf = AF_NO_NODE;
    candidate->caller = AF_NO_LABEL;
    candidate->time = time;
    candidate->calls = calls;
    candidate->parts = g_array_new(FALSE, FALSE, sizeof(af_part));
    candidate->text = g_string_new(NULL);
    g_ptr_array_add(c->inquiry->candidates, candidate);
    return candidate;
}

void af_candidate_cover(af_candidate *candidate, uint32_t node, gboolean whole, uint64_t time)
{
    const af_part part = {node, whole, time};
    g_array_append_val(candidate->parts, part);
}

void af_candidate_say(af_candidate *candidate, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    g_string_append_vprintf(candidate->text, format, list);
    va_end(list);
}

void af_candidate_begin(af_candidate *candidate, const char *verb)
{
    const af_case *c = candidate->in;
    const af_unit *unit = &c->profile->facts.weights.unit;
    const gboolean is_spent = unit->name == NULL || strcmp(unit->name, "cycles") == 0;
    char share[AF_NUMBER_SIZE], whole[AF_NUMBER_SIZE], bare[AF_NUMBER_SIZE];
    g_autofree char *part = unit->counted
                                ? g_strdup(af_number_amount_bare(bare, candidate->time, unit))
                                : af_case_amount(c, candidate->time);
    af_candidate_say(candidate, "%s %s %s of %s (%s)", c->name, is_spent ? verb : "has", part,
                     af_number_amount(whole, c->total, unit),
                     af_number_share(share, candidate->time, c->total));
}

static af_category get_category(const void *user, uint32_t label)
{
    const af_profile *profile = user;
    return label == AF_NO_LABEL ? AF_CATEGORY_UNKNOWN : profile->labels[label].category;
}

static const char *get_text(const void *user, uint32_t label)
{
    const af_profile *profile = user;
    return label == AF_NO_LABEL ? "" : profile->labels[label].text;
}

/* The node with the most time for which the parts ran. */
static uint32_t choose_behalf(const af_candidate *candidate)
{
    const af_case *c = candidate->in;
    const af_behalf_view view = {c->tree->parent, c->tree->label, get_category, get_text,
                                 c->profile};
    if (candidate->parts->len == 0) {
        return candidate->node == AF_NO_NODE ? AF_NO_NODE : af_behalf_find(&view, candidate->node);
    }
    af_group_sums times;
    af_group_sums_begin(&times, c);
    for (guint i = 0; i < candidate->parts->len; i++) {
        const af_part *part = &g_array_index(candidate->parts, af_part, i);
        const uint32_t node = af_behalf_find(&view, part->node);
        if (node != AF_NO_NODE) {
            af_group_sums_add(&times, node, part->time);
        }
    }
    const af_group_sum *best = af_group_sums_largest(&times);
    const uint32_t node = best != NULL ? best->node : AF_NO_NODE;
    af_group_sums_free(&times);
    return node;
}

void af_candidate_behalf(af_candidate *candidate)
{
    candidate->behalf_at = candidate->text->len;
}

void af_candidate_finish(af_candidate *candidate)
{
    const gsize at = candidate->behalf_at;
    candidate->behalf = at > 0 ? choose_behalf(candidate) : candidate->behalf;
    const uint32_t *label = candidate->in->tree->label;
    if (at == 0 || candidate->behalf == AF_NO_NODE || candidate->node == AF_NO_NODE ||
        label[candidate->behalf] == label[candidate->node] ||
        label[candidate->behalf] == candidate->caller) {
        return;
    }
    g_autofree char *name = af_case_name(candidate->in, label[candidate->behalf]);
    g_autofree char *more = g_strconcat(", on behalf of ", name, NULL);
    if (g_utf8_strlen(candidate->text->str, (gssize)at) + g_utf8_strlen(more, -1) <=
        AF_FINDING_TEXT) {
        g_string_insert(candidate->text, (gssize)at, more);
    }
}

/* Removes the middle of a text that is too long, at characters. */
static char *shorten(const char *text, size_t longest)
{
    const size_t length = strlen(text);
    if (length <= longest) {
        return g_strdup(text);
    }
    const char *head = text + longest / 2, *tail = text + length - longest / 2 + 1;
    while ((*head & 0xC0) == 0x80) {
        head--;
    }
    while ((*tail & 0xC0) == 0x80) {
        tail++;
    }
    return g_strdup_printf("%.*s…%s", (int)(head - text), text, tail);
}

char *af_case_name(const af_case *c, uint32_t number)
{
    const af_label *label = &c->profile->labels[number];
    const char *begin = label->text;
    const char *end = begin + MAX(MIN(label->class_length, label->length), af_app_slice(begin));
    for (const char *at = begin; at < end; at++) {
        if ((*at == '.' || *at == '/') && at + 1 < end) {
            begin = at + 1;
        }
    }
    return shorten(begin, LONGEST_NAME);
}

char *af_thread_short_name(const af_profile *profile, const af_thread *thread)
{
    return shorten(af_thread_shown(profile, thread), LONGEST_THREAD);
}

char *af_case_amount(const af_case *c, uint64_t amount)
{
    char text[AF_NUMBER_SIZE];
    const gboolean timed = af_profile_has_clocks(c->profile), sampled = !c->counted && timed;
    if (timed && amount == 0) {
        return g_strdup("under 1 µs"); /* the clocks of traces count microseconds */
    }
    af_number_amount(text, amount, &c->profile->facts.weights.unit);
    return g_strconcat(sampled ? "about " : "", text, NULL);
}

char *af_case_calls(uint64_t n)
{
    char text[AF_NUMBER_SIZE];
    return n == 1 ? g_strdup("one call") : g_strdup_printf("%s calls", af_number_count(text, n));
}

uint64_t af_case_samples(const af_profile *profile, const af_thread *thread)
{
    const af_unit *unit = &profile->facts.weights.unit;
    const af_content content = profile->facts.content;
    if (!af_content_is_sampled(content)) {
        return UINT64_MAX;
    }
    if (content != AF_CONTENT_STACKS) {
        return thread->records;
    }
    const gboolean counted =
        unit->counted && unit->digits == 0 && strcmp(unit->name, "samples") == 0;
    return counted && thread->tree != NULL ? thread->tree->inclusive[AF_WALL][0] : UINT64_MAX;
}

const af_call_sums *af_case_sums(const af_case *c)
{
    return c->inquiry->sums;
}

static const char *keep(const af_explanation *e, char *text)
{
    const char *copy = af_arena_copy(e->arena, text, strlen(text));
    g_free(text);
    return copy;
}

/* The steps and the time window of the profile, as options: " --focus a.B --from 1000ns". Steps of a
 * saved profile may hold anything. */
static char *write_options(const af_profile *profile)
{
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < profile->n_steps; i++) {
        const char *option = profile->steps[i].option, *value = strchr(option, ' ');
        g_autofree char *name = g_strndup(option, strcspn(option, " "));
        g_autofree char *quoted_name = af_shell_quote_visible(name);
        g_string_append_printf(text, " %s", quoted_name);
        if (value != NULL) {
            g_autofree char *bare = g_shell_unquote(value + 1, NULL);
            g_autofree char *quoted = af_shell_quote_visible(bare != NULL ? bare : value + 1);
            g_string_append_printf(text, " %s", quoted);
        }
    }
    if (profile->facts.part.has_range) {
        g_string_append_printf(text, " --from %" G_GUINT64_FORMAT "ns --to %" G_GUINT64_FORMAT "ns",
                               profile->facts.part.range.from_ns, profile->facts.part.range.to_ns);
    }
    return g_string_free(text, FALSE);
}

void af_finding_add_evidence(const af_explanation *e, af_finding *f, const af_case *c)
{
    const af_thread *thread = &c->profile->threads[f->thread];
    if (e->input == NULL) {
        return;
    }
    g_autofree char *path = af_shell_quote_path(e->input), *options = write_options(c->profile);
    g_autofree char *input = g_strconcat(path, options, NULL),
                    *id = g_strdup_printf("%" G_GUINT64_FORMAT, thread->id);
    g_autofree char *name =
        af_shell_quote_visible(thread->name != NULL && thread->name[0] != '\0' ? thread->name : id);
    if (strcmp(f->rule, "slow-frame") == 0) {
        f->evidence[0] = keep(e, g_strdup_printf("aflame report %s --frames", input));
        f->evidence[1] = keep(e, g_strdup_printf("aflame render %s --frames -o frames.svg", input));
    } else if (f->node != AF_NO_NODE) {
        g_autofree char *exact = g_strconcat("=", af_case_label(c, f->node)->text, NULL);
        g_autofree char *label = af_shell_quote_visible(exact);
        if (f->calls > 0 && c->inquiry->sums != NULL) {
            f->evidence[0] = keep(e, g_strdup_printf("aflame calls %s %s --top 3", input, label));
        } else {
            f->evidence[0] = keep(e, g_strdup_printf("aflame report %s -m %s", input, label));
        }
        f->evidence[1] =
            keep(e, g_strdup_printf("aflame render %s --focus %s -o focus.svg", input, label));
    } else if (strcmp(f->rule, "data") == 0) {
        f->evidence[0] = keep(e, g_strdup_printf("aflame info %s", input));
    } else {
        f->evidence[0] = keep(
            e, g_strdup_printf("aflame report %s --thread %s%s", input, name,
                               af_thread_has(c->profile, f->thread, AF_WAIT) ? " --by waits" : ""));
    }
}
