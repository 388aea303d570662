/* Internals of the perf.data reader, shared by its parts: the file, its records, threads and
 * mappings, and symbols.
 *
 *     perfdata.c      the reader: records in order, samples to the sink
 *     perfhead.c      header, events, feature sections
 *     perfrecord.c    single records: split, compressed with zstd, sorted by time; their fields
 *     perfmaps.c      processes, threads and their mappings
 *     perfsymbols.c   libraries and their symbols, from the file, --symfs and --kallsyms
 *     perfchain.c     readable stacks: no ART internals, JIT code by its name
 *     demangle.c      names of C++ and Rust
 *
 * Two programs write this format. In files of simpleperf on Android, the addresses of callers are
 * already those of the calls, and the files hold the symbols; in files of perf on Linux, neither is
 * true. */
#pragma once

#include "base/bytes.h"
#include "base/idtable.h"
#include "read/frames.h"
#include "read/library.h"
#include "read/perf/perfunit.h"
#include "read/reader.h"

/* ---- the file ---- */

typedef struct {
    uint32_t type;
    uint64_t config;
    uint64_t period;      /* or frequency, by AF_PERF_FREQ */
    uint64_t sample_type; /* AF_PERF_HAS_... */
    uint64_t read_format, flags, branch_type, regs_user;
    const char *name; /* in the arena; never NULL */
} af_perf_event;

enum {
    AF_PERF_FREQ = 1u << 10,
    AF_PERF_SAMPLE_ID_ALL = 1u << 18,
};

enum {
    AF_PERF_HAS_IP = 1u << 0,
    AF_PERF_HAS_TID = 1u << 1,
    AF_PERF_HAS_TIME = 1u << 2,
    AF_PERF_HAS_ADDR = 1u << 3,
    AF_PERF_HAS_READ = 1u << 4,
    AF_PERF_HAS_CHAIN = 1u << 5,
    AF_PERF_HAS_ID = 1u << 6,
    AF_PERF_HAS_CPU = 1u << 7,
    AF_PERF_HAS_PERIOD = 1u << 8,
    AF_PERF_HAS_STREAM = 1u << 9,
    AF_PERF_HAS_RAW = 1u << 10,
    AF_PERF_HAS_BRANCH = 1u << 11,
    AF_PERF_HAS_REGS = 1u << 12,
    AF_PERF_HAS_STACK = 1u << 13,
    AF_PERF_HAS_IDENTIFIER = 1u << 16,
};

/* Feature sections. */
enum {
    AF_PERF_BUILD_ID = 2,
    AF_PERF_OSRELEASE = 4,
    AF_PERF_VERSION = 5,
    AF_PERF_ARCH = 6,
    AF_PERF_CMDLINE = 11,
    AF_PERF_EVENT_DESC = 12,
    AF_PERF_FILE = 128,
    AF_PERF_META_INFO = 129,
    AF_PERF_FILE2 = 132,
    AF_PERF_INIT_MAP = 134,
    AF_PERF_FEATURES = 256,
};

/* A part of the file. */
typedef struct {
    const uint8_t *bytes;
    uint64_t length;
} af_perf_bytes;

typedef struct {
    af_sink *sink;
    const uint8_t *bytes; /* the whole file */
    uint64_t length;
    af_array events;     /* af_perf_event */
    af_idtable event_of; /* uint32_t, by id */
    af_perf_bytes data;
    af_perf_bytes features[AF_PERF_FEATURES]; /* bytes == NULL: absent */
    gboolean pipe;       /* written into a pipe: events and features are records */
    gboolean linux_perf; /* by perf, not by simpleperf */
    gboolean offcpu;     /* recorded with --trace-offcpu */
    gboolean clipped;    /* the data extends past the end of the file */
} af_perf_file;

/* A walk over fields that never leaves their bytes. */
typedef struct {
    const uint8_t *at, *end;
    gboolean failed; /* something was not there; later fields have no value */
} af_perf_cursor;

static inline af_perf_cursor af_perf_cursor_over(const uint8_t *bytes, uint64_t length)
{
    return (af_perf_cursor){bytes, bytes + length, FALSE};
}

/* Takes `n` items of `size` bytes. NULL if there are not that many. */
static inline const uint8_t *af_perf_take_items(af_perf_cursor *c, uint64_t n, uint64_t size)
{
    if (c->failed || n > (uint64_t)(c->end - c->at) / size) {
        c->failed = TRUE;
        return NULL;
    }
    const uint8_t *items = c->at;
    c->at += n * size;
    return items;
}

static inline uint32_t af_perf_take_u32(af_perf_cursor *c)
{
    const uint8_t *bytes = af_perf_take_items(c, 4, 1);
    return bytes == NULL ? 0 : af_load_u32(bytes);
}

static inline uint64_t af_perf_take_u64(af_perf_cursor *c)
{
    const uint8_t *bytes = af_perf_take_items(c, 8, 1);
    return bytes == NULL ? 0 : af_load_u64(bytes);
}

/* The text in the next `size` bytes, which ends with them or with a zero byte. */
static inline af_span af_perf_take_padded(af_perf_cursor *c, uint64_t size)
{
    const char *text = (const char *)af_perf_take_items(c, size, 1);
    return (af_span){text, text == NULL ? 0 : strnlen(text, size)};
}

/* A text that ends with a zero byte. */
static inline af_span af_perf_take_text(af_perf_cursor *c)
{
    const size_t left = (size_t)(c->end - c->at);
    const size_t length = c->failed ? left : strnlen((const char *)c->at, left);
    const char *text = (const char *)af_perf_take_items(c, (uint64_t)length + 1, 1);
    return (af_span){text == NULL ? "" : text, text == NULL ? 0 : length};
}

/* Returns FALSE with an error if the file is not perf.data. */
gboolean af_perf_file_open(af_perf_file *file, af_sink *sink, const uint8_t *bytes, uint64_t length,
                           GError **error);
void af_perf_file_close(af_perf_file *file);

/* Adds the event that `bytes` describe, as in the header: attributes without ids. */
void af_perf_add_event(af_perf_file *file, const uint8_t *bytes, uint64_t length);
void af_perf_add_id(af_perf_file *file, uint64_t id, uint32_t event);

/* Reads a feature section, or a record that holds one. */
void af_perf_take_feature(af_perf_file *file, unsigned feature, const uint8_t *bytes,
                          uint64_t length);

/* Names the events; call it when all features are known. */
void af_perf_name_events(af_perf_file *file);

static inline const af_perf_event *af_perf_event_at(const af_perf_file *file, uint32_t event)
{
    return &AF_ARRAY_AT(&file->events, af_perf_event, event);
}

/* ---- records ---- */

enum {
    AF_PERF_MMAP = 1,
    AF_PERF_LOST = 2,
    AF_PERF_COMM = 3,
    AF_PERF_EXIT = 4,
    AF_PERF_FORK = 7,
    AF_PERF_SAMPLE = 9,
    AF_PERF_MMAP2 = 10,
    AF_PERF_LOST_SAMPLES = 13,
    AF_PERF_SWITCH = 14,
    AF_PERF_ATTR = 64,
    AF_PERF_TRACING_DATA = 66,
    AF_PERF_FINISHED_ROUND = 68,
    AF_PERF_AUXTRACE_INFO = 70,
    AF_PERF_AUXTRACE = 71,
    AF_PERF_FEATURE = 80,
    AF_PERF_COMPRESSED = 81,
    AF_PERF_COMPRESSED2 = 83,
    AF_PERF_OWN = 32768, /* from here on simpleperf's own */
    AF_PERF_KERNEL_SYMBOL = 32769,
    AF_PERF_DSO = 32770,
    AF_PERF_SYMBOL = 32771,
    AF_PERF_SPLIT = 32772,
    AF_PERF_SPLIT_END = 32773,
    AF_PERF_EVENT_ID = 32774,
};

/* A record with its header, at any address. */
typedef struct {
    const uint8_t *bytes;
    uint64_t length; /* 8 or more */
    uint64_t offset;
    uint32_t type;
    uint16_t misc;
} af_perf_record;

#define AF_PERF_OUT 0x2000u /* misc of a switch: away from the CPU */

/* Receives records; returns FALSE to stop. */
typedef gboolean (*af_perf_take)(void *user, const af_perf_record *record);

/* A first look in file order, or processing in file order or sorted by time, as perf requires. */
typedef enum { AF_PERF_LOOK, AF_PERF_TAKE, AF_PERF_TAKE_SORTED } af_perf_pass;

/* Passes all records of a part of the file to `take`, assembled and decompressed. Warns of damaged
 * records unless `pass` is AF_PERF_LOOK. Returns FALSE if `take` did, or if memory is refused,
 * which the sink records. */
gboolean af_perf_records(af_perf_file *file, af_perf_bytes data, af_perf_pass pass,
                         af_perf_take take, void *user);

/* Returns the event that a record belongs to. */
uint32_t af_perf_event_of(const af_perf_file *file, const af_perf_record *record);

/* Reads the time that every record except samples has at its end. Returns FALSE if it has none. */
gboolean af_perf_record_time(const af_perf_file *file, const af_perf_record *record,
                             uint64_t *time_ns);

typedef struct {
    uint32_t event;
    uint32_t pid, tid;
    uint64_t ip, time_ns, period;
    const uint8_t *chain; /* u64s */
    uint64_t n_chain;
    gboolean has_time, has_period;
    gboolean raw_stack; /* has bytes of a stack that was not unwound */
} af_perf_mapping;

/* Reads the fields of a sample. Returns FALSE if it is too short for them. */
gboolean af_perf_read_sample(const af_perf_file *file, const af_perf_record *record,
                             af_perf_mapping *mapped);

/* ---- libraries and symbols ---- */

typedef enum {
    AF_DSO_KERNEL = 0,
    AF_DSO_MODULE = 1,
    AF_DSO_ELF = 2,
    AF_DSO_DEX = 3,
    AF_DSO_SYMBOL_MAP = 4,
    AF_DSO_UNKNOWN = 5,
} af_dso_type;

typedef struct {
    const char *path; /* in the arena */
    const char *base; /* the last part of the path */
    af_dso_type type;
    gboolean described; /* the file declares its type */
    gboolean jit, has_offset, searched, is_art;
    uint64_t min_vaddr, file_offset;
    af_library library;
    const uint8_t *build_id; /* 20 bytes; NULL = not known */
} af_dso;

typedef struct {
    af_dso *dso;
    size_t symbol;
} af_dex_symbol;

typedef struct {
    af_sink *sink;
    af_arena *arena;
    af_textmap paths;
    GPtrArray *dsos; /* af_dso *, by index of the path */
    af_dso *kernel, *unknown;
    af_frames frames; /* of code without a symbol: "libfoo.so[+1a2b]" */
    af_textmap dex_names;
    af_array dex; /* of af_dex_symbol, of all dex files, by name */
    gboolean has_dex;
    const char *symfs; /* NULL = none */
    uint32_t build_ids_differ;
} af_symbols;

void af_symbols_init(af_symbols *symbols, af_sink *sink);
void af_symbols_clear(af_symbols *symbols);

/* Returns the library of that path, which is created on first use; NULL if memory is refused. */
af_dso *af_symbols_dso(af_symbols *symbols, const char *path, size_t length);

/* Reads symbols from the file: from its sections, or from records in older files. */
void af_symbols_take_files(af_symbols *symbols, const af_perf_file *file);
void af_symbols_take_kallsyms(af_symbols *symbols, const char *text, size_t length);
void af_symbols_take_build_ids(af_symbols *symbols, const af_perf_file *file);

/* FALSE with an error if the file cannot be read. */
gboolean af_symbols_read_kallsyms(af_symbols *symbols, const char *path, GError **error);

/* Reads the symbols of a library from --symfs on the first call. */
void af_symbols_search(af_symbols *symbols, af_dso *dso);

/* Returns the demangled name of a symbol. */
const char *af_symbol_text(af_symbols *symbols, af_symbol *symbol);

/* ---- processes ---- */

typedef struct {
    uint64_t start, end, offset;
    af_dso *dso;
    gboolean jit_symbols; /* addresses equal those of symbols */
} af_map;

/* The mappings of a process, or the kernel: of af_map, sorted by start, without overlaps. */
typedef GTree af_maps;

typedef struct af_perf_process af_perf_process;

typedef struct {
    uint32_t pid, tid;
    const char *comm; /* in the arena; NULL = unknown */
    uint32_t number;  /* of the sink; UINT32_MAX = not yet */
    gboolean exited;
    af_perf_away away;
} af_perf_task;

typedef struct {
    af_sink *sink;
    af_arena *arena;
    af_symbols *symbols;
    GHashTable *tasks;     /* tid -> af_perf_task */
    GHashTable *processes; /* pid -> af_perf_process */
    af_maps *kernel;
    uint64_t n_maps;   /* of all processes */
    uint64_t n_copies; /* mappings copied so far */
} af_perf_tasks;

void af_perf_tasks_init(af_perf_tasks *tasks, af_sink *sink, af_symbols *symbols);
void af_perf_tasks_clear(af_perf_tasks *tasks);

af_perf_task *af_perf_tasks_get(af_perf_tasks *tasks, uint32_t pid, uint32_t tid);

/* MMAP, MMAP2, COMM, FORK, EXIT. */
void af_perf_tasks_take(af_perf_tasks *tasks, const af_perf_record *record);

/* Returns the mappings of a task's process, or NULL. Valid until the next record. */
af_maps *af_perf_tasks_maps(const af_perf_tasks *tasks, const af_perf_task *task);

/* Returns the mapping at an address, or NULL. `maps` may be NULL. */
const af_map *af_maps_find(af_maps *maps, uint64_t ip);

/* ---- stacks ---- */

typedef enum { AF_CODE_NATIVE, AF_CODE_INTERPRETED, AF_CODE_JIT, AF_CODE_ART } af_code;

typedef struct {
    af_dso *dso;
    af_symbol *symbol; /* NULL = none */
    uint64_t vaddr;
    af_code code;
} af_perf_frame;

typedef struct {
    af_symbols *symbols;
    gboolean keep_art; /* frames of the runtime remain */
    gboolean linux_perf;
    af_array frames;  /* af_perf_frame, leaf first */
    af_array methods; /* uint32_t, root first */
} af_chain;

void af_chain_init(af_chain *chain, af_symbols *symbols, gboolean keep_art, gboolean linux_perf);
void af_chain_clear(af_chain *chain);

/* Builds the stack of a sample in `methods`, with at least one method. Returns FALSE if memory is
 * refused. */
gboolean af_chain_build(af_chain *chain, const af_perf_tasks *tasks, const af_perf_task *task,
                        const af_perf_record *record, const af_perf_mapping *mapped);
