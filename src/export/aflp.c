/* Writes a saved profile (base/aflp.h): everything that a profile holds, except single calls. It
 * can be opened wherever its trace can be opened. */
#include <libdeflate.h>
#include <stddef.h>
#include <string.h>

#include "base/aflp.h"
#include "base/memory_error.h"
#include "export/aflp_section.h"
#include "export/exporter.h"
#include "model/facts_fields.h"

enum { LEVEL = 6 };

/* ---- sections ---- */

static void write_profile(af_section *s, const af_profile *profile, const char *input,
                          gboolean by_method)
{
    af_section_text(s, AFLAME_VERSION);
    af_section_text(s, input);
    af_section_number(s, profile->clocks);
    af_section_number(s, (uint64_t)(by_method ? AF_NAMES_METHODS : profile->names));
    af_section_number(s, (profile->callers_above ? AF_AFLP_CALLERS_ABOVE : 0u) |
                             (profile->compensated ? AF_AFLP_COMPENSATED : 0u));
    af_section_text(s, profile->app);
    af_section_number(s, profile->markers.instants);
    af_section_number(s, profile->markers.values);
}

static void write_field(af_section *s, unsigned tag, uint64_t value)
{
    if (value != 0) {
        af_section_number(s, (uint64_t)tag * 2);
        af_section_number(s, value);
    }
}

static void write_text_field(af_section *s, unsigned tag, const char *text)
{
    if (text != NULL) {
        af_section_number(s, (uint64_t)tag * 2 + 1);
        af_section_text(s, text);
    }
}

/* A 32-bit field may hold -1. */
#define FIELD_VALUE(field) (sizeof(field) == 4 ? (uint64_t)(uint32_t)(field) : (uint64_t)(field))

static void write_facts(af_section *s, const af_facts *facts)
{
#define NUMBER(tag, field)          write_field(s, tag, FIELD_VALUE(facts->field));
#define TEXT(tag, field)            write_text_field(s, tag, facts->field);
#define AT_LEAST(tag, field, value) write_field(s, tag, facts->field >= (value));
    AF_FACTS_FIELDS(NUMBER, TEXT, AT_LEAST)
#undef NUMBER
#undef TEXT
#undef AT_LEAST
}

static void write_keys(af_section *s, const af_facts *facts)
{
    af_section_number(s, facts->n_keys);
    af_section_begin_texts(s);
    for (unsigned i = 0; i < facts->n_keys; i++) {
        af_section_next_text(s, facts->keys[i].key);
    }
    af_section_begin_texts(s);
    for (unsigned i = 0; i < facts->n_keys; i++) {
        af_section_next_text(s, facts->keys[i].value);
    }
}

static void write_processes(af_section *s, const af_profile *profile)
{
    af_section_number(s, profile->n_processes);
    af_section_begin_texts(s);
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        af_section_next_text(s, profile->processes[i].id);
    }
    af_section_begin_texts(s);
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        af_section_next_text(s, profile->processes[i].name);
    }
}

static void write_method_texts(af_section *s, const af_profile *profile, size_t offset)
{
    af_section_begin_texts(s);
    for (uint32_t m = 0; m < profile->n_methods; m++) {
        const char *const method = (const char *)&profile->methods[m];
        const char *text;
        memcpy(&text, method + offset, sizeof text);
        af_section_next_text(s, text);
    }
}

static void write_methods(af_section *s, const af_profile *profile)
{
    static const size_t texts[] = {
        offsetof(af_method, class_name), offsetof(af_method, name),
        offsetof(af_method, signature),  offsetof(af_method, source),
        offsetof(af_method, library),    offsetof(af_method, nowhere),
        offsetof(af_method, proxy),
    };
    af_section_number(s, profile->n_methods);
    for (uint32_t m = 0; m < profile->n_methods; m++) {
        af_section_number(s, profile->methods[m].id);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        write_method_texts(s, profile, texts[i]);
    }
    for (uint32_t m = 0; m < profile->n_methods; m++) {
        af_section_signed(s, profile->methods[m].line);
    }
    for (uint32_t m = 0; m < profile->n_methods; m++) {
        const af_method *method = &profile->methods[m];
        af_section_number(s, (method->defined ? AF_AFLP_DEFINED : 0u) |
                                 (method->slashed ? AF_AFLP_SLASHED : 0u) |
                                 (method->ambiguous ? AF_AFLP_AMBIGUOUS : 0u) |
                                 (method->synthetic ? AF_AFLP_SYNTHETIC : 0u) |
                                 (unsigned)method->annotation * AF_AFLP_ANNOTATION);
    }
}

static void write_labels(af_section *s, const af_profile *profile)
{
    af_section_number(s, profile->n_labels);
    af_section_begin_texts(s);
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        af_section_next_text(s, profile->labels[l].text);
    }
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        const af_label *label = &profile->labels[l];
        af_section_number(s, label->method);
        af_section_number(s, label->methods);
        af_section_number(s, label->class_length);
        af_section_number(s, label->method_at);
        af_section_number(s, (uint64_t)label->category);
        af_section_number(s, label->shade);
        af_section_number(s, label->synthetic ? 1 : 0);
    }
}

static void write_warnings(af_section *s, const af_warnings *warnings)
{
    unsigned n = 0;
    while (af_warnings_kind_at(warnings, n) >= 0) {
        n++;
    }
    af_section_number(s, n);
    for (unsigned i = 0; i < n; i++) {
        const int kind = af_warnings_kind_at(warnings, i);
        af_section_text(s, af_warning_id((af_warning_kind)kind));
        af_section_number(s, warnings->count[kind]);
        af_section_number(s, warnings->offset[kind] + 1); /* AF_NO_OFFSET becomes 0 */
    }
}

static void write_mappings(af_section *s, const af_profile *profile)
{
    af_section_number(s, profile->n_mapped);
    for (uint32_t i = 0; i < profile->n_mapped; i++) {
        const af_mapped_facts *mapped = &profile->mapped[i];
        const char *const texts[] = {mapped->path, mapped->compiler, mapped->version, mapped->id};
        const uint64_t counts[] = {mapped->methods,   mapped->known,     mapped->named,
                                   mapped->ambiguous, mapped->synthetic, mapped->broken};
        for (unsigned t = 0; t < G_N_ELEMENTS(texts); t++) {
            af_section_text(s, texts[t]);
        }
        for (unsigned c = 0; c < G_N_ELEMENTS(counts); c++) {
            af_section_number(s, counts[c]);
        }
        af_section_number(s, mapped->other_build ? 1 : 0);
    }
}

static void write_markers(af_section *s, const af_markers *markers)
{
    af_section_number(s, markers->n_series);
    af_section_begin_texts(s);
    for (uint32_t i = 0; i < markers->n_series; i++) {
        af_section_next_text(s, markers->series[i].name);
    }
    for (uint32_t i = 0; i < markers->n_series; i++) {
        const af_marker_series *series = &markers->series[i];
        const gboolean owned = series->process != AF_NO_PROCESS;
        af_section_number(s, (uint64_t)series->kind);
        af_section_number(s, owned ? (uint64_t)series->process + 1 : 0);
        af_section_number(s, series->count);
    }
}

static void write_clocks(af_section *s, const uint64_t times[AF_CLOCKS])
{
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        af_section_number(s, times[c]);
    }
}

static void write_steps(af_section *s, const af_profile *profile)
{
    af_section_number(s, profile->n_steps);
    for (unsigned i = 0; i < profile->n_steps; i++) {
        const af_step_record *step = &profile->steps[i];
        af_section_text(s, step->option);
        af_section_text(s, step->message);
        af_section_number(s, step->sorts ? 1 : 0);
        af_section_number(s, step->matched);
        write_clocks(s, step->left_out_ns);
        write_clocks(s, step->charged_ns);
    }
}

static void write_thread(af_section *s, const af_thread *thread)
{
    af_section_number(s, thread->id);
    af_section_number(s, thread->number);
    af_section_text(s, thread->name);
    af_section_number(s, thread->process == AF_NO_PROCESS ? 0 : (uint64_t)thread->process + 1);
    af_section_number(s, thread->records);
    af_section_number(s, thread->calls);
    write_clocks(s, thread->first_ns);
    write_clocks(s, thread->last_ns);
    af_section_number(s, thread->open_at_end);
    af_section_number(s, thread->exits_on_empty);
    af_section_number(s, thread->missing_exits);
    af_section_number(s, thread->unmatched_exits);
    af_section_number(s, thread->unwinds);
    af_section_number(s, thread->cut_at_begin);
    af_section_number(s, thread->max_depth);
    af_section_number(s, thread->merged);
    af_section_number(s, (thread->exited ? AF_AFLP_EXITED : 0u) |
                             (thread->listed ? AF_AFLP_LISTED : 0u) |
                             (thread->sampled ? AF_AFLP_SAMPLED : 0u));
}

static void write_threads(af_section *s, const af_profile *profile, const af_selection *selection)
{
    af_section_number(s, selection->n_threads);
    for (uint32_t i = 0; i < selection->n_threads; i++) {
        write_thread(s, &profile->threads[selection->threads[i]]);
    }
}

/* ---- the file ---- */

static gboolean write_payload(af_section *s, const af_profile *profile,
                              const af_selection *selection)
{
    const gboolean by_method = profile->names == AF_NAMES_METHODS && profile->base == NULL;
    af_section_begin(s, AF_AFLP_PROFILE);
    write_profile(s, profile, selection->input, by_method);
    af_section_begin(s, AF_AFLP_FACTS);
    write_facts(s, &profile->facts);
    af_section_begin(s, AF_AFLP_KEYS);
    write_keys(s, &profile->facts);
    af_section_begin(s, AF_AFLP_PROCESSES);
    write_processes(s, profile);
    af_section_begin(s, AF_AFLP_METHODS);
    write_methods(s, profile);
    if (!by_method) {
        af_section_begin(s, AF_AFLP_LABELS);
        write_labels(s, profile);
    }
    af_section_begin(s, AF_AFLP_WARNINGS);
    write_warnings(s, &profile->warnings);
    af_section_begin(s, AF_AFLP_MAPPINGS);
    write_mappings(s, profile);
    af_section_begin(s, AF_AFLP_MARKERS);
    write_markers(s, &profile->markers);
    af_section_begin(s, AF_AFLP_STEPS);
    write_steps(s, profile);
    af_section_begin(s, AF_AFLP_THREADS);
    write_threads(s, profile, selection);
    for (uint32_t i = 0; i < selection->n_threads; i++) {
        af_section_begin(s, AF_AFLP_TREE);
        af_section_tree(s, profile, profile->threads[selection->threads[i]].tree, by_method);
    }
    return af_section_finish(s);
}

/* Sends the payload in pieces. FALSE if memory is refused. */
static gboolean write_pieces(af_out *out, const uint8_t *bytes, size_t length)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
    const size_t most =
        compressor != NULL ? libdeflate_zlib_compress_bound(compressor, AF_AFLP_PIECE) : 0;
    uint8_t *packed = compressor != NULL ? g_try_malloc(most) : NULL;
    uint8_t number[AF_ULEB128_MAX];
    for (size_t at = 0; packed != NULL && at < length; at += AF_AFLP_PIECE) {
        const size_t n = libdeflate_zlib_compress(compressor, bytes + at,
                                                  MIN(length - at, AF_AFLP_PIECE), packed, most);
        af_out_bytes(out, number, (size_t)(af_uleb128_put(number, n) - number));
        af_out_bytes(out, packed, n);
    }
    const gboolean ok = packed != NULL;
    g_free(packed);
    if (compressor != NULL) {
        libdeflate_free_compressor(compressor);
    }
    return ok;
}

static gboolean write_file(const af_profile *profile, const af_selection *selection, af_out *out,
                           GError **error)
{
    af_section section;
    af_section_init(&section);
    gboolean ok = write_payload(&section, profile, selection);
    if (ok) {
        const uint8_t *payload = section.bytes.items;
        const size_t length = section.bytes.n;
        const uint32_t crc = GUINT32_TO_LE(libdeflate_crc32(0, payload, length));
        uint8_t number[AF_ULEB128_MAX];
        af_out_bytes(out, AF_AFLP_MAGIC, AF_AFLP_MAGIC_SIZE);
        af_out_char(out, AF_AFLP_VERSION);
        af_out_bytes(out, number, (size_t)(af_uleb128_put(number, length) - number));
        ok = write_pieces(out, payload, length);
        af_out_bytes(out, &crc, sizeof crc);
    }
    af_section_clear(&section);
    if (!ok) {
        af_memory_error_set(error);
    }
    return ok;
}

const af_exporter af_exporter_aflp = {
    .name = "aflp",
    .extensions = "aflp",
    .title = "saved profile: all trees and facts, without single calls, for aflame",
    .all_clocks = TRUE,
    .binary = TRUE,
    .write = write_file,
};
