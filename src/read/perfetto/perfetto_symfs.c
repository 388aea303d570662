/* Names of native functions from the libraries of --symfs, for frames without a name. */
#include <stdlib.h>
#include <string.h>

#include "read/elf_library.h"
#include "read/perfetto/perfetto_stack_state.h"

typedef struct {
    uint64_t start, size;
    uint32_t name; /* a text */
} elf_symbol;

/* A library that was searched: its symbols are `n` from `first` on, by address. */
typedef struct {
    uint32_t path, build_id;
} library_key;

typedef struct {
    size_t first, n;
} library;

static void take_symbol(void *user, uint64_t start, uint64_t size, const char *name)
{
    af_perfetto_stacks *s = user;
    af_array_append(&s->elf_symbols,
                    &(elf_symbol){start, size, af_texts_add(s->p->texts, af_span_of(name))});
}

static int compare_symbols(const void *a, const void *b)
{
    const elf_symbol *x = a, *y = b;
    return x->start != y->start ? (x->start < y->start ? -1 : 1)
                                : (x->name > y->name) - (x->name < y->name);
}

static int digit_at(af_span text, size_t i)
{
    return g_ascii_xdigit_value(text.bytes[i]);
}

/* Build ids are bytes; old writers put their hex digits. Returns how many bytes it has. */
static size_t read_build_id(af_span text, uint8_t *bytes, size_t most)
{
    enum { LEAST_DIGITS = 32 };
    gboolean is_hex = text.length >= LEAST_DIGITS && text.length % 2 == 0;
    for (size_t i = 0; is_hex && i < text.length; i++) {
        is_hex = digit_at(text, i) >= 0;
    }
    const size_t n = MIN(is_hex ? text.length / 2 : text.length, most);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = is_hex ? (uint8_t)(digit_at(text, 2 * i) * 16 + digit_at(text, 2 * i + 1))
                          : (uint8_t)text.bytes[i];
    }
    return n;
}

static library search(af_perfetto_stacks *s, const library_key *key)
{
    uint8_t bytes[64];
    library found = {s->elf_symbols.n, 0};
    const af_span path = af_texts_get(s->p->texts, key->path);
    const size_t n = read_build_id(af_texts_get(s->p->texts, key->build_id), bytes, sizeof bytes);
    if (path.length == 0 || path.bytes[0] == '[' || memchr(path.bytes, '\0', path.length) != NULL) {
        return found;
    }
    g_autofree char *copy = g_strndup(path.bytes, path.length);
    const af_elf_receiver receiver = {.symbol = take_symbol, .user = s};
    const af_elf_query query = {s->p->options->symfs, copy, n > 0 ? bytes : NULL, n};
    if (af_elf_library_take(&query, &receiver) == AF_ELF_OTHER_BUILD) {
        af_sink_warn(s->p->sink, AF_WARN_SYMFS_OTHER, 1, AF_NO_OFFSET);
    }
    found.n = s->elf_symbols.n - found.first;
    if (found.n > 0) {
        qsort(af_array_at(&s->elf_symbols, found.first), found.n, sizeof(elf_symbol),
              compare_symbols);
    }
    return found;
}

/* The last symbol that begins at or before the address. */
static const elf_symbol *find_symbol(const af_perfetto_stacks *s, const library *in, uint64_t at)
{
    size_t low = in->first, high = in->first + in->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (AF_ARRAY_AT(&s->elf_symbols, elf_symbol, middle).start <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == in->first ? NULL : &AF_ARRAY_AT(&s->elf_symbols, elf_symbol, low - 1);
}

void af_perfetto_symfs_init(af_perfetto_stacks *s, af_meter *meter)
{
    af_textmap_init_metered(&s->library_keys, meter);
    af_array_init_metered(&s->libraries, sizeof(library), meter);
    af_array_init_metered(&s->elf_symbols, sizeof(elf_symbol), meter);
}

void af_perfetto_symfs_clear(af_perfetto_stacks *s)
{
    af_textmap_clear(&s->library_keys);
    af_array_clear(&s->libraries);
    af_array_clear(&s->elf_symbols);
}

uint32_t af_perfetto_symfs_find(af_perfetto_stacks *s, const af_perfetto_frame *frame)
{
    const library_key key = {frame->path, frame->build_id};
    if (s->p->options->symfs == NULL || frame->path == AF_NO_TEXT) {
        return AF_NO_TEXT;
    }
    const uint32_t number = af_perfetto_stacks_number(s, &s->library_keys, &key, sizeof key);
    const size_t known = s->libraries.n;
    if (af_array_slot(&s->libraries, number) == NULL) {
        return AF_NO_TEXT;
    }
    if (number >= known) {
        AF_ARRAY_AT(&s->libraries, library, number) = search(s, &key);
    }
    const elf_symbol *symbol =
        find_symbol(s, &AF_ARRAY_AT(&s->libraries, library, number), frame->rel_pc);
    const gboolean inside =
        symbol != NULL && (symbol->size == 0 || frame->rel_pc - symbol->start < symbol->size);
    return inside ? symbol->name : AF_NO_TEXT;
}
