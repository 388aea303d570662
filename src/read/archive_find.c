/* Chooses the entry of an archive to draw, by content. */
#include "read/archive.h"

#include <string.h>

#include "base/bytes.h"
#include "base/number.h"
#include "read/protobuf.h"
#include "read/reader.h"

/* The bytes of an entry that are looked at. Pages of systrace begin with the script of the viewer. */
#define HEAD ((size_t)64 * 1024)
#define PAGE ((size_t)32 * 1024 * 1024)

/* The ranks of entries; the entry with the lowest is drawn. A text is less certain than any other
 * format. */
typedef enum { PERFETTO, REPORT, TRACE, TEXT, SYMBOLS, NOTHING } rank;

typedef struct {
    unsigned entry;
    rank rank;
    uint64_t date;
    const char *title;
} candidate;

typedef struct {
    af_archive *archive;
    gboolean any; /* the path may be of an entry that no reader recognises */
    gboolean is_bugreport;
    GArray *candidates; /* of candidate */
    uint8_t *head;
    size_t head_size;
    GError *error; /* memory was refused, or the user cancelled */
} search;

static const char *path_of(const search *s, unsigned entry)
{
    return af_archive_entry_at(s->archive, entry)->path;
}

static gboolean is_bugreport_text(const char *path)
{
    return g_str_has_prefix(path, "bugreport-") && g_str_has_suffix(path, ".txt");
}

/* Most files of a bug report are no traces. */
static gboolean may_be_trace(const search *s, const char *path)
{
    return !s->is_bugreport || is_bugreport_text(path) || strstr(path, "/anr/") != NULL ||
           strstr(path, "/perfetto-traces/") != NULL || g_str_has_suffix(path, "trace");
}

/* Keeps an error that is not about the entry: a damaged entry is just not a trace. */
static void keep_error(search *s, GError *error)
{
    const gboolean counts = g_error_matches(error, AF_ERROR, AF_ERROR_MEMORY) ||
                            g_error_matches(error, AF_ERROR, AF_ERROR_CANCELLED);
    if (counts && s->error == NULL) {
        s->error = error;
    } else {
        g_clear_error(&error);
    }
}

static size_t read_head(const search *s, unsigned entry)
{
    size_t n = 0;
    gssize got = 1;
    af_archive_choose(s->archive, &entry, 1);
    while (n < s->head_size && got > 0) {
        got = af_archive_take(s->archive, s->head + n, s->head_size - n, NULL);
        n += got > 0 ? (size_t)got : 0;
    }
    return n;
}

/* Whether the first packet holds symbols or real names, which belong to another file. */
static gboolean begins_with_symbols(const uint8_t *bytes, size_t length)
{
    enum { SYMBOL_PACKET = 61, MAPPING_PACKET = 64 };
    af_protobuf packet = af_protobuf_begin(bytes, length);
    af_protobuf_next(&packet);
    if (packet.field != 1 || packet.wire != AF_WIRE_BYTES) {
        return FALSE;
    }
    const size_t left = (size_t)(bytes + length - packet.bytes);
    af_protobuf f = af_protobuf_begin(packet.bytes, packet.damaged ? left : packet.length);
    while (af_protobuf_next(&f) || f.damaged) {
        if (f.field == SYMBOL_PACKET || f.field == MAPPING_PACKET) {
            return TRUE;
        }
        if (f.damaged) {
            break;
        }
    }
    return FALSE;
}

static rank rank_of(const search *s, const af_reader *reader, const char *path)
{
    if (reader == &af_reader_perfetto) {
        return PERFETTO;
    }
    if (reader == &af_reader_anr) {
        return s->is_bugreport && !is_bugreport_text(path) ? REPORT : TEXT;
    }
    return reader == &af_reader_folded ? TEXT : TRACE;
}

/* Sets the rank and the title by the first `n` bytes. */
static void identify(search *s, size_t n, candidate *found)
{
    GError *error = NULL;
    const char *path = path_of(s, found->entry);
    g_autoptr(GBytes) head = g_bytes_new_static(s->head, n);
    const af_source_needs needs = {.jobs = 1, .is_part = TRUE};
    g_autoptr(af_source) source = af_source_open_bytes(head, &needs, &error);
    if (source != NULL) {
        source->path = g_strdup(path);
        const af_reader *reader = af_reader_find(source, NULL, &error);
        if (begins_with_symbols(source->bytes, source->length)) {
            found->rank = SYMBOLS;
            found->title = "symbols of the trace next to it";
        } else if (reader != NULL) {
            found->rank = rank_of(s, reader, path);
            found->title = reader->title;
        }
    }
    keep_error(s, error);
}

static gboolean is_page(const search *s, size_t n)
{
    size_t i = 0;
    while (i < n && g_ascii_isspace(s->head[i])) {
        i++;
    }
    return i < n && s->head[i] == '<';
}

static void look_at(search *s, unsigned entry)
{
    const size_t n = may_be_trace(s, path_of(s, entry)) ? read_head(s, entry) : 0;
    candidate found = {entry, NOTHING, af_archive_entry_at(s->archive, entry)->date, NULL};
    if (n == 0) {
        return;
    }
    identify(s, n, &found);
    if (found.rank == NOTHING && n == HEAD && is_page(s, n)) {
        search page = *s;
        page.head_size = PAGE;
        page.head = g_malloc(PAGE);
        identify(&page, read_head(&page, entry), &found);
        s->error = page.error;
        g_free(page.head);
    }
    if (found.rank != NOTHING) {
        g_array_append_val(s->candidates, found);
    }
}

/* By rank, then the latest, then in the order of the archive. */
static int compare_candidates(gconstpointer a, gconstpointer b)
{
    const candidate *x = a, *y = b;
    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }
    if (x->date != y->date) {
        return x->date > y->date ? -1 : 1;
    }
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static void look_at_all(search *s)
{
    const unsigned n = af_archive_n(s->archive);
    gboolean has_text = FALSE, has_version = FALSE;
    for (unsigned i = 0; i < n; i++) {
        const char *path = path_of(s, i);
        has_text |= is_bugreport_text(path);
        has_version |= strcmp(path, "version.txt") == 0 || strcmp(path, "main_entry.txt") == 0;
    }
    s->is_bugreport = has_text && has_version;
    for (unsigned i = 0; i < n && s->error == NULL; i++) {
        look_at(s, i);
    }
    g_array_sort(s->candidates, compare_candidates);
}

static const candidate *candidate_at(const search *s, unsigned number)
{
    return &g_array_index(s->candidates, candidate, number);
}

static gboolean are_neighbours(const char *a, const char *b)
{
    g_autofree char *folder = g_path_get_dirname(a), *other = g_path_get_dirname(b);
    return strcmp(folder, other) == 0;
}

/* Whether an entry is read with the chosen one: the symbols next to it. */
static gboolean is_read_with(const search *s, const candidate *chosen, const candidate *other)
{
    return chosen->rank == PERFETTO && other->rank == SYMBOLS &&
           are_neighbours(path_of(s, other->entry), path_of(s, chosen->entry));
}

/* Chooses a candidate, with the symbols next to it. */
static void choose(const search *s, unsigned number)
{
    const candidate *chosen = candidate_at(s, number);
    g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(unsigned));
    g_array_append_val(entries, chosen->entry);
    for (unsigned i = 0; i < s->candidates->len; i++) {
        const candidate *other = candidate_at(s, i);
        if (is_read_with(s, chosen, other)) {
            g_array_append_val(entries, other->entry);
        }
    }
    af_archive_choose(s->archive, (const unsigned *)(const void *)entries->data, entries->len);
}

static void list_candidate(const search *s, unsigned number, GPtrArray *list)
{
    const candidate *one = candidate_at(s, number);
    const af_unit bytes = {.name = "bytes", .counted = TRUE};
    char size[AF_NUMBER_SIZE];
    const af_archive_entry *entry = af_archive_entry_at(s->archive, one->entry);
    af_number_amount(size, entry->size, &bytes);
    g_ptr_array_add(list, g_strdup_printf("%s (%s, %s)", entry->path, one->title, size));
}

/* The number of an entry; -1 = there is none with this path. */
static int find_entry(const search *s, const char *path)
{
    for (unsigned i = 0; i < af_archive_n(s->archive); i++) {
        if (strcmp(path_of(s, i), path) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static int find_path(const search *s, const char *path, GError **error)
{
    for (unsigned i = 0; i < s->candidates->len; i++) {
        if (path == NULL || strcmp(path_of(s, candidate_at(s, i)->entry), path) == 0) {
            return (int)i;
        }
    }
    const int entry = path != NULL ? find_entry(s, path) : -1;
    if (entry >= 0 && s->any) {
        const candidate asked = {(unsigned)entry, NOTHING, 0, "format not recognised"};
        g_array_append_val(s->candidates, asked);
        return (int)s->candidates->len - 1;
    }
    if (entry >= 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "aflame does not read the entry %s of this zip archive", path);
        return -1;
    }
    if (path == NULL && find_entry(s, "BundleConfig.pb") >= 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                            "this is an app bundle (AAB), not a trace");
    } else if (path == NULL && find_entry(s, "AndroidManifest.xml") >= 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                            "this is an app (APK), not a trace; record one while it runs");
    } else if (path == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "this zip archive holds no trace that aflame reads (%u %s)",
                    af_archive_n(s->archive), af_archive_n(s->archive) == 1 ? "entry" : "entries");
    } else {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "this zip archive has no entry %s; `aflame info` lists the traces inside",
                    path);
    }
    return -1;
}

gboolean af_archive_find(af_archive *archive, const char *path, gboolean any, GPtrArray *list,
                         GError **error)
{
    search s = {.archive = archive,
                .any = any,
                .candidates = g_array_new(FALSE, FALSE, sizeof(candidate)),
                .head = g_malloc(HEAD),
                .head_size = HEAD};
    look_at_all(&s);
    int chosen = -1;
    if (s.error != NULL) {
        g_propagate_error(error, s.error);
    } else {
        chosen = find_path(&s, path, error);
    }
    if (chosen >= 0) {
        list_candidate(&s, (unsigned)chosen, list);
        for (unsigned i = 0; i < s.candidates->len; i++) {
            const candidate *one = candidate_at(&s, (unsigned)chosen);
            if ((int)i != chosen && !is_read_with(&s, one, candidate_at(&s, i))) {
                list_candidate(&s, i, list);
            }
        }
        choose(&s, (unsigned)chosen);
    }
    g_array_unref(s.candidates);
    g_free(s.head);
    return chosen >= 0;
}
