#include <string.h>

#include "read/perf/perfdata.h"

/* Larger values in a call chain declare the context of the addresses that follow. */
#define CONTEXT        (UINT64_MAX - 4094)
#define CONTEXT_KERNEL (UINT64_MAX - 127)
#define CONTEXT_USER   (UINT64_MAX - 511)

void af_chain_init(af_chain *chain, af_symbols *symbols, gboolean keep_art, gboolean linux_perf)
{
    *chain = (af_chain){.symbols = symbols, .keep_art = keep_art, .linux_perf = linux_perf};
    af_array_init(&chain->frames, sizeof(af_perf_frame));
    af_array_init(&chain->methods, sizeof(uint32_t));
}

void af_chain_clear(af_chain *chain)
{
    af_array_clear(&chain->frames);
    af_array_clear(&chain->methods);
}

/* Converts an offset in the file to an address, by the file's own headers. */
static gboolean map_offset(const af_dso *dso, uint64_t offset, uint64_t *vaddr)
{
    for (size_t i = 0; i < dso->library.segments.n; i++) {
        const af_segment *segment = af_array_at(&dso->library.segments, i);
        if (offset >= segment->offset && offset - segment->offset < segment->size) {
            *vaddr = offset - segment->offset + segment->vaddr;
            return TRUE;
        }
    }
    return FALSE;
}

static uint64_t find_vaddr(const af_map *map, uint64_t ip)
{
    const af_dso *dso = map->dso;
    const uint64_t into = ip - map->start, offset = into + map->offset;
    uint64_t vaddr;
    if (map->jit_symbols || dso->type == AF_DSO_SYMBOL_MAP || dso->type == AF_DSO_KERNEL) {
        return ip;
    }
    if (dso->type == AF_DSO_MODULE && dso->described) {
        return into - dso->file_offset + dso->min_vaddr;
    }
    if (dso->type != AF_DSO_ELF) {
        return offset;
    }
    if (map_offset(dso, offset, &vaddr)) {
        return vaddr;
    }
    if (dso->has_offset) {
        return offset - dso->file_offset + dso->min_vaddr;
    }
    return dso->described ? into + dso->min_vaddr : offset;
}

/* `maps`: of the kernel or the process. */
static void look_up(const af_chain *chain, af_maps *maps, uint64_t ip, gboolean in_kernel,
                    af_perf_frame *frame)
{
    const af_map *map = af_maps_find(maps, ip);
    af_symbols *symbols = chain->symbols;
    *frame = (af_perf_frame){.dso = symbols->unknown, .vaddr = ip};
    if (map == NULL) {
        if (in_kernel && symbols->kernel->library.symbols.n > 0) {
            frame->dso = symbols->kernel;
            frame->symbol = af_library_find(&symbols->kernel->library, ip);
        }
        return;
    }
    if (symbols->symfs != NULL) {
        af_symbols_search(symbols, map->dso);
    }
    frame->dso = map->dso;
    frame->vaddr = find_vaddr(map, ip);
    frame->symbol = af_library_find(&map->dso->library, frame->vaddr);
    if (frame->symbol == NULL && map->dso->type == AF_DSO_MODULE) {
        frame->symbol = af_library_find(&symbols->kernel->library, ip);
    }
    frame->code = map->dso->type == AF_DSO_DEX ? AF_CODE_INTERPRETED
                  : map->dso->jit              ? AF_CODE_JIT
                                               : AF_CODE_NATIVE;
}

/* Collects the frames, leaf first. */
static gboolean collect(af_chain *chain, const af_perf_tasks *tasks, const af_perf_task *task,
                        const af_perf_record *record, const af_perf_mapping *mapped)
{
    const unsigned mode = record->misc & 7;
    af_maps *const maps[] = {[FALSE] = af_perf_tasks_maps(tasks, task), [TRUE] = tasks->kernel};
    gboolean in_kernel = mode == 1 || mode == 4, repeated = FALSE;
    chain->frames.n = 0;
    af_perf_frame *frame = af_array_add(&chain->frames, 1);
    if (frame == NULL) {
        return FALSE;
    }
    look_up(chain, maps[in_kernel], mapped->ip, in_kernel, frame);
    for (uint64_t i = 0; i < mapped->n_chain; i++) {
        const uint64_t value = af_load_u64(mapped->chain + i * 8);
        if (value >= CONTEXT) {
            in_kernel = value == CONTEXT_KERNEL || (value != CONTEXT_USER && in_kernel);
            continue;
        }
        if (!repeated && value == mapped->ip) {
            repeated = TRUE; /* the kernel repeats it */
            continue;
        }
        repeated = TRUE;
        frame = af_array_add(&chain->frames, 1);
        if (frame == NULL) {
            return FALSE;
        }
        /* perf stores return addresses, which may already belong to the next function */
        const uint64_t back = chain->linux_perf && value > 0 ? 1 : 0;
        look_up(chain, maps[in_kernel], value - back, in_kernel, frame);
    }
    return TRUE;
}

/* ---- the runtime's frames between methods ---- */

static gboolean ends_with(const af_symbol *symbol, const char *end)
{
    const size_t length = strlen(end);
    return symbol != NULL && symbol->length >= length &&
           memcmp(symbol->name + symbol->length - length, end, length) == 0;
}

static gboolean is_trampoline(const af_perf_frame *frame)
{
    return ends_with(frame->symbol, "jni_trampoline");
}

static gboolean looks_like_art(const af_perf_frame *frame)
{
    return (frame->code == AF_CODE_NATIVE || frame->code == AF_CODE_ART) &&
           (frame->dso->is_art || is_trampoline(frame));
}

/* Marks the interpreter and the bridges next to Java methods, but not a method that is called
 * through a bridge. */
static void mark_art(af_perf_frame *frames, size_t n)
{
    gboolean near = FALSE;
    for (size_t i = 0; i < n; i++) {
        if (frames[i].code == AF_CODE_INTERPRETED || frames[i].code == AF_CODE_JIT) {
            for (size_t k = i; k > 0 && looks_like_art(&frames[k - 1]); k--) {
                frames[k - 1].code = AF_CODE_ART;
            }
            near = TRUE;
        } else if (near && looks_like_art(&frames[i])) {
            frames[i].code = AF_CODE_ART;
        } else {
            near = FALSE;
        }
    }
    for (size_t i = 1; i < n; i++) {
        if (frames[i].code == AF_CODE_ART && is_trampoline(&frames[i]) &&
            frames[i - 1].code == AF_CODE_ART) {
            frames[i - 1].code = AF_CODE_NATIVE;
        }
    }
}

static void index_dex(af_symbols *symbols)
{
    symbols->has_dex = TRUE;
    for (guint d = 0; d < symbols->dsos->len; d++) {
        af_dso *dso = symbols->dsos->pdata[d];
        if (dso->type != AF_DSO_DEX) {
            continue;
        }
        af_library_find(&dso->library, 0); /* sorts, so that indexes remain valid */
        for (size_t i = 0; i < dso->library.symbols.n; i++) {
            const af_symbol *symbol = af_array_at(&dso->library.symbols, i);
            af_dex_symbol *dex = af_array_slot(
                &symbols->dex, af_textmap_add(&symbols->dex_names, symbol->name, symbol->length));
            if (dex != NULL) {
                *dex = (af_dex_symbol){dso, i};
            }
        }
    }
}

/* Maps a compiled method to its dex code. If the interpreter called the compiled code, the method
 * would be there twice: keeps one. */
static void merge_jit(af_chain *chain)
{
    af_symbols *symbols = chain->symbols;
    af_perf_frame *frames = chain->frames.items;
    size_t left = 0;
    if (!symbols->has_dex) {
        index_dex(symbols);
    }
    for (size_t i = 0; i < chain->frames.n; i++) {
        af_perf_frame frame = frames[i];
        if (frame.code == AF_CODE_JIT && frame.symbol != NULL) {
            /* "void a.B.c(int)" -> "a.B.c". */
            const char *text = af_symbol_text(symbols, frame.symbol);
            size_t length = strcspn(text, "(");
            const char *blank = length == 0 ? NULL : memrchr(text, ' ', length);
            const size_t skipped = blank == NULL ? 0 : (size_t)(blank + 1 - text);
            const uint32_t number =
                af_textmap_find(&symbols->dex_names, text + skipped, length - skipped);
            const af_dex_symbol *dex =
                number < symbols->dex.n ? &AF_ARRAY_AT(&symbols->dex, af_dex_symbol, number) : NULL;
            if (dex != NULL) {
                frame.dso = dex->dso;
                frame.symbol = af_array_at(&dex->dso->library.symbols, dex->symbol);
                const af_perf_frame *next = i + 1 < chain->frames.n ? &frames[i + 1] : NULL;
                if (next != NULL && next->symbol == frame.symbol) {
                    continue;
                }
            }
        }
        frames[left++] = frame;
    }
    chain->frames.n = left;
}

/* Uses simpleperf's names: JIT code is in the recording or, until Android 10, in temporary
 * files. */
static const char *name_library(const af_dso *dso)
{
    return !dso->jit                                         ? dso->path
           : strstr(dso->path, "_jit_zygote_cache:") != NULL ? "[JIT zygote cache]"
           : strstr(dso->path, "_jit_app_cache:") != NULL    ? "[JIT app cache]"
                                                             : "[JIT cache]";
}

/* Returns the method number for an address that has no symbol. */
static uint32_t number_nameless(af_symbols *symbols, const af_dso *dso, uint64_t vaddr)
{
    if (dso == symbols->unknown) {
        return af_frames_nowhere(&symbols->frames, vaddr);
    }
    g_autofree char *text = g_strdup_printf("%s[+%" G_GINT64_MODIFIER "x]", dso->base, vaddr);
    return af_frames_method(&symbols->frames, text, strlen(text), AF_FRAME_NATIVE,
                            name_library(dso));
}

static gboolean holds_java(const af_dso *dso)
{
    return dso->jit || dso->type == AF_DSO_DEX || g_str_has_suffix(dso->path, ".odex") ||
           g_str_has_suffix(dso->path, ".oat") || g_str_has_suffix(dso->path, ".dex");
}

static uint32_t name_frame(af_symbols *symbols, const af_perf_frame *frame)
{
    af_symbol *symbol = frame->symbol;
    if (symbol == NULL) {
        return number_nameless(symbols, frame->dso, frame->vaddr);
    }
    if (symbol->method == UINT32_MAX) {
        const char *text = af_symbol_text(symbols, symbol);
        symbol->method = af_frames_method(&symbols->frames, text, strlen(text),
                                          holds_java(frame->dso) ? AF_FRAME_JAVA : AF_FRAME_NATIVE,
                                          name_library(frame->dso));
    }
    return symbol->method;
}

gboolean af_chain_build(af_chain *chain, const af_perf_tasks *tasks, const af_perf_task *task,
                        const af_perf_record *record, const af_perf_mapping *mapped)
{
    if (!collect(chain, tasks, task, record, mapped)) {
        return FALSE;
    }
    if (!chain->linux_perf) {
        mark_art(chain->frames.items, chain->frames.n);
        if (!chain->keep_art) {
            af_perf_frame *frames = chain->frames.items;
            size_t left = 0;
            for (size_t i = 0; i < chain->frames.n; i++) {
                if (frames[i].code != AF_CODE_ART) {
                    frames[left++] = frames[i];
                }
            }
            chain->frames.n = left;
        }
        merge_jit(chain);
    }
    const size_t n = chain->frames.n;
    if (n == 0) {
        return TRUE; /* only frames of the runtime */
    }
    chain->methods.n = 0;
    uint32_t *methods = af_array_add(&chain->methods, n);
    for (size_t i = 0; methods != NULL && i < n; i++) {
        methods[n - 1 - i] = name_frame(chain->symbols, af_array_at(&chain->frames, i));
    }
    return methods != NULL && !af_sink_has_failed(chain->symbols->sink);
}
