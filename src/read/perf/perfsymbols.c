#include <errno.h>
#include <string.h>

#include "read/demangle.h"
#include "read/perf/perfdata.h"
#include "read/protobuf.h"

void af_symbols_init(af_symbols *symbols, af_sink *sink)
{
    *symbols = (af_symbols){.sink = sink, .arena = af_arena_new()};
    symbols->dsos = g_ptr_array_new();
    af_textmap_init_metered(&symbols->paths, af_sink_meter(sink));
    af_textmap_init_metered(&symbols->dex_names, af_sink_meter(sink));
    af_array_init_metered(&symbols->dex, sizeof(af_dex_symbol), af_sink_meter(sink));
    af_frames_init(&symbols->frames, sink);
    symbols->kernel = af_symbols_dso(symbols, "[kernel.kallsyms]", 17);
    symbols->unknown = af_symbols_dso(symbols, "unknown", 7);
    if (symbols->kernel != NULL) {
        symbols->kernel->type = AF_DSO_KERNEL;
    }
}

void af_symbols_clear(af_symbols *symbols)
{
    for (guint i = 0; i < symbols->dsos->len; i++) {
        af_dso *dso = symbols->dsos->pdata[i];
        af_library_clear(&dso->library);
        af_sink_meter(symbols->sink)->bytes -= sizeof *dso + strlen(dso->path);
        g_free(dso);
    }
    g_ptr_array_unref(symbols->dsos);
    af_textmap_clear(&symbols->paths);
    af_frames_clear(&symbols->frames);
    af_textmap_clear(&symbols->dex_names);
    af_array_clear(&symbols->dex);
    af_arena_free(symbols->arena);
}

static af_dso *new_dso(const char *path, af_meter *meter)
{
    af_dso *dso = g_new0(af_dso, 1);
    dso->path = path;
    dso->base = af_path_base(path);
    dso->type = AF_DSO_ELF;
    dso->jit = strstr(dso->path, "_jit_app_cache:") != NULL ||
               strstr(dso->path, "_jit_zygote_cache:") != NULL ||
               g_str_has_prefix(dso->base, "TemporaryFile");
    dso->is_art = g_str_has_suffix(path, "/libart.so") || g_str_has_suffix(path, "/libartd.so");
    af_library_init(&dso->library, meter);
    meter->bytes += sizeof *dso;
    return dso;
}

af_dso *af_symbols_dso(af_symbols *symbols, const char *path, size_t length)
{
    const uint32_t number = af_textmap_keep(&symbols->paths, symbols->arena, path, length);
    if (number == AF_TEXTMAP_NONE) {
        return NULL;
    }
    if (number == symbols->dsos->len) {
        af_meter *const meter = af_sink_meter(symbols->sink);
        meter->bytes += length;
        g_ptr_array_add(symbols->dsos, new_dso(symbols->paths.entries[number].bytes, meter));
    }
    return symbols->dsos->pdata[number];
}

#define BUILD_ID_SIZE 20u

void af_symbols_search(af_symbols *symbols, af_dso *dso)
{
    if (dso->searched || dso->type != AF_DSO_ELF || dso->jit || dso->path[0] == '[') {
        return;
    }
    dso->searched = TRUE;
    if (dso->library.symbols.n > 0) {
        return; /* symbols of the recording take precedence */
    }
    const af_elf_query query = {symbols->symfs, dso->path, dso->build_id, BUILD_ID_SIZE};
    symbols->build_ids_differ +=
        af_library_take_elf(&dso->library, &query, symbols->arena) == AF_ELF_OTHER_BUILD;
}

/* ---- FILE: as written by simpleperf up to Android 12 ---- */

static void take_file(af_symbols *symbols, const uint8_t *bytes, size_t size)
{
    af_perf_cursor c = af_perf_cursor_over(bytes, size);
    const af_span path = af_perf_take_text(&c);
    af_dso *dso = c.failed ? NULL : af_symbols_dso(symbols, path.bytes, path.length);
    if (dso == NULL) {
        return;
    }
    dso->type = (af_dso_type)af_perf_take_u32(&c);
    dso->min_vaddr = af_perf_take_u64(&c);
    dso->described = TRUE;
    const uint32_t n = af_perf_take_u32(&c);
    for (uint32_t i = 0; i < n && !c.failed; i++) {
        const uint64_t start = af_perf_take_u64(&c), span = af_perf_take_u32(&c);
        const af_span name = af_perf_take_text(&c);
        if (!c.failed) {
            af_library_add(&dso->library, start, span, name.bytes, name.length);
        }
    }
    if (dso->type == AF_DSO_DEX) {
        af_perf_take_items(&c, af_perf_take_u32(&c), 8); /* offsets */
    } else if (dso->type == AF_DSO_ELF || dso->type == AF_DSO_MODULE) {
        const uint64_t offset = af_perf_take_u64(&c);
        dso->has_offset = !c.failed && offset != UINT64_MAX;
        dso->file_offset = c.failed ? dso->file_offset : offset;
    }
}

/* ---- FILE2: the same as protobuf ---- */

static void take_symbol2(af_dso *dso, const af_protobuf *symbol)
{
    af_protobuf f[4];
    af_protobuf_values(symbol, f, G_N_ELEMENTS(f));
    const af_span name = af_protobuf_text(&f[3]);
    af_library_add(&dso->library, f[1].number, f[2].number, name.bytes != NULL ? name.bytes : "",
                   name.length);
}

static void take_file2(af_symbols *symbols, const uint8_t *bytes, size_t size)
{
    af_dso *dso = NULL;
    for (af_protobuf p = af_protobuf_begin(bytes, size); af_protobuf_next(&p);) {
        if (p.field == 1 && dso == NULL) {
            dso = af_symbols_dso(symbols, (const char *)p.bytes, p.length);
        }
    }
    if (dso == NULL) {
        return;
    }
    dso->type = AF_DSO_KERNEL;
    dso->described = TRUE;
    for (af_protobuf p = af_protobuf_begin(bytes, size); af_protobuf_next(&p);) {
        if (p.field == 2) {
            dso->type = (af_dso_type)MIN(p.number, AF_DSO_UNKNOWN);
        } else if (p.field == 3) {
            dso->min_vaddr = p.number;
        } else if (p.field == 4) {
            take_symbol2(dso, &p);
        } else if (p.field == 6 || p.field == 7) {
            dso->has_offset = TRUE;
            for (af_protobuf inner = af_protobuf_of(&p); af_protobuf_next(&inner);) {
                dso->file_offset = inner.field == 1 ? inner.number : dso->file_offset;
            }
            dso->has_offset = dso->file_offset != UINT64_MAX;
        }
    }
}

/* A sequence of u32 size and that many bytes. A truncated one ends it. */
static void take_sized(af_symbols *symbols, const af_perf_bytes *section,
                       void (*take)(af_symbols *, const uint8_t *, size_t))
{
    uint64_t at = 0;
    while (section->length - at >= 4) {
        const uint32_t size = af_load_u32(section->bytes + at);
        at += 4;
        if (size > section->length - at) {
            af_sink_warn(symbols->sink, AF_WARN_BAD_RECORDS, 1, AF_NO_OFFSET);
            return;
        }
        take(symbols, section->bytes + at, size);
        at += size;
    }
}

void af_symbols_take_files(af_symbols *symbols, const af_perf_file *file)
{
    if (file->features[AF_PERF_FILE].bytes != NULL) {
        take_sized(symbols, &file->features[AF_PERF_FILE], take_file);
    } else if (file->features[AF_PERF_FILE2].bytes != NULL) {
        take_sized(symbols, &file->features[AF_PERF_FILE2], take_file2);
    }
}

void af_symbols_take_build_ids(af_symbols *symbols, const af_perf_file *file)
{
    const af_perf_bytes *section = &file->features[AF_PERF_BUILD_ID];
    for (uint64_t at = 0; section->bytes != NULL && section->length - at >= 36;) {
        const uint8_t *entry = section->bytes + at;
        const uint16_t size = af_load_u16(entry + 6);
        if (size < 36 || size > section->length - at) {
            return;
        }
        const char *name = (const char *)entry + 36;
        const size_t length = strnlen(name, size - 36u);
        const uint32_t known = af_textmap_find(&symbols->paths, name, length);
        af_dso *dso = known == AF_TEXTMAP_NONE ? af_symbols_dso(symbols, name, length)
                                               : symbols->dsos->pdata[known];
        if (dso != NULL) {
            dso->build_id = entry + 12;
        }
        at += size;
    }
}

/* Lines of "address type name [module]"; a symbol extends to the start of the next one. */
void af_symbols_take_kallsyms(af_symbols *symbols, const char *text, size_t length)
{
    af_dso *kernel = symbols->kernel;
    for (af_span rest = {text, length}; kernel != NULL && rest.length > 0;) {
        const af_span line = af_span_before(rest, "\n");
        size_t n = 0, end = 0;
        uint64_t address = 0;
        while (n < line.length && n < 16 && g_ascii_isxdigit(line.bytes[n])) {
            address = address << 4 | (unsigned)g_ascii_xdigit_value(line.bytes[n++]);
        }
        /* without the required permission, all addresses are 0 */
        if (address != 0 && line.length - n > 3 && line.bytes[n] == ' ' &&
            line.bytes[n + 2] == ' ' && strchr("tTwWvV", line.bytes[n + 1]) != NULL) {
            for (end = n + 3; end < line.length && !g_ascii_isspace(line.bytes[end]);) {
                end++;
            }
            af_library_add(&kernel->library, address, UINT64_MAX, line.bytes + n + 3, end - n - 3);
        }
        rest = af_span_after(rest, MIN(line.length + 1, rest.length));
    }
}

/* Kernels have a quarter of this. */
#define MOST_KALLSYMS ((size_t)64 * 1024 * 1024)

gboolean af_symbols_read_kallsyms(af_symbols *symbols, const char *path, GError **error)
{
    const af_source_needs needs = {.is_part = TRUE};
    g_autoptr(af_source) source = af_source_open(path, &needs, error);
    gboolean ok = source != NULL && af_source_reach(source, MOST_KALLSYMS, error);
    if (ok && source->length >= MOST_KALLSYMS) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_MISSING, g_strerror(EFBIG));
        ok = FALSE;
    }
    if (!ok) {
        g_prefix_error(error, "--kallsyms: %s: ", path);
        return FALSE;
    }
    const char *copied = af_arena_copy(symbols->arena, (const char *)source->bytes, source->length);
    af_sink_fail_if(symbols->sink, copied == NULL);
    af_symbols_take_kallsyms(symbols, copied, copied == NULL ? 0 : source->length);
    return TRUE;
}

const char *af_symbol_text(af_symbols *symbols, af_symbol *symbol)
{
    if (symbol->text == NULL) {
        char *text = af_demangle(symbol->name, symbol->length);
        symbol->text = af_arena_copy(symbols->arena, text, strlen(text));
        g_free(text);
        if (symbol->text == NULL) {
            af_sink_fail(symbols->sink);
            symbol->text = "";
        }
    }
    return symbol->text;
}
