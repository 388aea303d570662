/* Explanations for programs: the schema is in the manual of aflame explain. */
#include "report/findings/findings.h"

#include <string.h>

#include "base/json.h"
#include "base/number.h"

/* The longest text, in bytes; longer ones lose their end. */
#define LONGEST_TEXT 200

/* The frames of a path: from its root, and up to the method. */
#define PATH_HEAD 1
#define PATH_TAIL 3

static void put_text(af_json *json, const char *key, const char *text)
{
    g_autofree char *valid = text != NULL ? g_utf8_make_valid(text, -1) : NULL, *cut = NULL;
    if (valid != NULL && strlen(valid) > LONGEST_TEXT) {
        *g_utf8_find_prev_char(valid, valid + LONGEST_TEXT) = '\0';
        cut = g_strconcat(valid, "…", NULL);
    }
    af_json_put_string(json, key, cut != NULL ? cut : valid);
}

/* A share with four decimals. */
static void put_share(af_json *json, const char *key, uint64_t part, uint64_t whole)
{
    const unsigned share =
        whole == 0 ? 0 : (unsigned)((double)MIN(part, whole) * 10000 / (double)whole + 0.5);
    char text[16];
    g_snprintf(text, sizeof text, "%u.%04u", share / 10000, share % 10000);
    af_json_put_plain(json, key, text);
}

static const char *find_label(const af_explanation *e, const af_finding *f, uint32_t node)
{
    return node == AF_NO_NODE || node == 0
               ? NULL
               : e->profile->labels[e->profile->threads[f->thread].tree->label[node]].text;
}

static void put_frame(af_json *json, const af_explanation *e, const af_finding *f)
{
    char text[16];
    if (f->node == AF_NO_NODE) {
        put_text(json, "frame", NULL);
        return;
    }
    g_snprintf(text, sizeof text, "%08x", af_profile_hash_path(e->profile, f->thread, f->node));
    put_text(json, "frame", text);
}

static void put_path(af_json *json, const af_explanation *e, const af_finding *f)
{
    const af_tree *tree = e->profile->threads[f->thread].tree;
    const uint32_t depth = f->node == AF_NO_NODE ? 0 : tree->depth[f->node];
    af_json_begin(json, "path", '[');
    for (uint32_t level = 1; level <= depth; level++) {
        uint32_t n = f->node;
        if (level > PATH_HEAD && level + PATH_TAIL <= depth) {
            put_text(json, NULL, level == PATH_HEAD + 1 ? "..." : NULL);
            level = depth - PATH_TAIL;
            continue;
        }
        while (tree->depth[n] > level) {
            n = tree->parent[n];
        }
        put_text(json, NULL, find_label(e, f, n));
    }
    af_json_end(json, ']');
}

static void put_finding(af_json *json, const af_explanation *e, const af_finding *f,
                        unsigned n_commands)
{
    const af_thread *thread = &e->profile->threads[f->thread];
    const uint64_t total = af_thread_time_ns(e->profile, f->thread, e->clock);
    af_json_begin(json, NULL, '{');
    put_text(json, "rule", f->rule);
    put_text(json, "title", f->title);
    put_text(json, "text", f->text);
    put_text(json, "thread", thread->name);
    af_json_put_number(json, "time_ns", f->time);
    put_share(json, "share", f->time, total);
    af_json_put_number(json, "calls", f->calls);
    put_text(json, "method", find_label(e, f, f->node));
    put_text(json, "on_behalf_of", find_label(e, f, f->behalf));
    put_frame(json, e, f);
    if (f->call > 0) {
        af_json_put_number(json, "call", f->call);
    } else {
        put_text(json, "call", NULL);
    }
    put_path(json, e, f);
    af_json_begin(json, "evidence", '[');
    for (unsigned i = 0; i < n_commands && f->evidence[i] != NULL; i++) {
        af_json_put_string(json, NULL, f->evidence[i]);
    }
    af_json_end(json, ']');
    af_json_end(json, '}');
}

static void put_thread(af_json *json, const af_explanation *e)
{
    if (e->thread == AF_NO_NODE) {
        put_text(json, "thread", NULL);
        return;
    }
    const af_thread *thread = &e->profile->threads[e->thread];
    af_json_begin(json, "thread", '{');
    put_text(json, "name", thread->name);
    af_json_put_number(json, "id", thread->id);
    af_json_put_number(json, "time_ns", e->total);
    af_json_end(json, '}');
}

static void write_object(af_out *out, const af_explanation *e, unsigned n_findings,
                         unsigned n_commands)
{
    const af_unit *unit = &e->profile->facts.weights.unit;
    af_json json = {.out = out};
    af_json_begin(&json, NULL, '{');
    put_text(&json, "schema", "aflame.explain/1");
    put_text(&json, "input", e->input);
    put_text(&json, "clock", unit->name != NULL ? "weight" : e->clock == AF_CPU ? "cpu" : "wall");
    put_text(&json, "unit", unit->name != NULL ? unit->name : "ns");
    put_thread(&json, e);
    put_share(&json, "explained_share", e->explained, e->total);
    af_json_begin(&json, "findings", '[');
    for (unsigned i = 0; i < n_findings; i++) {
        put_finding(&json, e, &e->findings[i], n_commands);
    }
    af_json_end(&json, ']');
    af_json_end(&json, '}');
}

static GByteArray *make_object(const af_explanation *e, unsigned n_findings, unsigned n_commands)
{
    GByteArray *bytes = g_byte_array_new();
    g_autofree af_out *out = g_new(af_out, 1);
    af_out_open(out, af_out_to_array, bytes);
    write_object(out, e, n_findings, n_commands);
    af_out_close(out, NULL);
    return bytes;
}

/* If the answer is too large, drops the second command of each finding, then findings from the
 * end. */
static void write_fitting(af_out *out, const af_explanation *e)
{
    unsigned n = e->n, n_commands = AF_FINDING_EVIDENCE;
    GByteArray *bytes = make_object(e, n, n_commands);
    while (bytes->len >= AF_FINDINGS_JSON_MOST && (n_commands > 1 || n > 1)) {
        g_byte_array_unref(bytes);
        n -= n_commands == 1 ? 1 : 0;
        n_commands = 1;
        bytes = make_object(e, n, n_commands);
    }
    af_out_bytes(out, bytes->data, bytes->len);
    g_byte_array_unref(bytes);
}

void af_findings_write_json(const af_explanation *const *all, unsigned n, unsigned width,
                            af_out *out)
{
    af_out_text(out, n > 1 ? "[\n" : "");
    for (unsigned i = 0; i < n; i++) {
        af_out_text(out, i > 0 ? ",\n" : "");
        write_fitting(out, all[i]);
    }
    af_out_text(out, n > 1 ? "\n]\n" : "\n");
}
