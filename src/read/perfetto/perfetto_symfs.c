/* Names of native functions from the libraries of --symfs, for frames without a name. */
#include <string.h>

#include "read/perfetto/perfetto_stack_state.h"

typedef struct {
    uint32_t path, build_id;
} library_key;

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

static void search(af_perfetto_stacks *s, const library_key *key, af_library *library)
{
    uint8_t bytes[64];
    const af_span path = af_texts_get(s->p->texts, key->path);
    const size_t n = read_build_id(af_texts_get(s->p->texts, key->build_id), bytes, sizeof bytes);
    if (path.length == 0 || path.bytes[0] == '[' || memchr(path.bytes, '\0', path.length) != NULL) {
        return;
    }
    g_autofree char *copy = g_strndup(path.bytes, path.length);
    const af_elf_query query = {s->p->options->symfs, copy, n > 0 ? bytes : NULL, n};
    if (af_library_take_elf(library, &query, s->arena) == AF_ELF_OTHER_BUILD) {
        af_sink_warn(s->p->sink, AF_WARN_SYMFS_OTHER, 1, AF_NO_OFFSET);
    }
    af_sink_fail_if(s->p->sink, af_arena_failed(s->arena));
}

void af_perfetto_symfs_init(af_perfetto_stacks *s, af_meter *meter)
{
    af_textmap_init_metered(&s->library_keys, meter);
    af_array_init_metered(&s->libraries, sizeof(af_library), meter);
}

void af_perfetto_symfs_clear(af_perfetto_stacks *s)
{
    for (size_t i = 0; i < s->libraries.n; i++) {
        af_library_clear(af_array_at(&s->libraries, i));
    }
    af_textmap_clear(&s->library_keys);
    af_array_clear(&s->libraries);
}

uint32_t af_perfetto_symfs_find(af_perfetto_stacks *s, const af_perfetto_frame *frame)
{
    const library_key key = {frame->path, frame->build_id};
    if (s->p->options->symfs == NULL || frame->path == AF_NO_TEXT) {
        return AF_NO_TEXT;
    }
    const uint32_t number = af_perfetto_stacks_number(s, &s->library_keys, &key, sizeof key);
    const size_t known = s->libraries.n;
    af_library *library = af_array_slot(&s->libraries, number);
    if (library == NULL) {
        return AF_NO_TEXT;
    }
    if (number >= known) {
        af_library_init(library, af_sink_meter(s->p->sink));
        search(s, &key, library);
    }
    const af_symbol *symbol = af_library_find(library, frame->rel_pc);
    return symbol == NULL ? AF_NO_TEXT
                          : af_texts_add(s->p->texts, (af_span){symbol->name, symbol->length});
}
