#include <string.h>

#include "read/perfevents.h"
#include "read/perf/perfdata.h"

#define HEADER      104u
#define PIPE_HEADER 16u
#define KNOWN_ATTR  104u /* bytes of an event's attributes that matter here */

/* Flags of an event. */
#define EXCLUDE_USER   (1u << 4)
#define EXCLUDE_KERNEL (1u << 5)

/* Returns a clean copy in the arena. */
static const char *keep_text(const af_perf_file *file, const char *text, size_t length)
{
    return af_sink_clean(file->sink, (af_span){text, length});
}

/* Fields that an older writer did not have are 0. */
void af_perf_add_event(af_perf_file *file, const uint8_t *bytes, uint64_t length)
{
    uint8_t attr[KNOWN_ATTR] = {0};
    af_perf_event *event = af_array_add(&file->events, 1);
    if (event == NULL) {
        return;
    }
    memcpy(attr, bytes, MIN(length, KNOWN_ATTR));
    *event = (af_perf_event){
        .type = af_load_u32(attr),
        .config = af_load_u64(attr + 8),
        .period = af_load_u64(attr + 16),
        .sample_type = af_load_u64(attr + 24),
        .read_format = af_load_u64(attr + 32),
        .flags = af_load_u64(attr + 40),
        .branch_type = af_load_u64(attr + 72),
        .regs_user = af_load_u64(attr + 80),
    };
}

void af_perf_add_id(af_perf_file *file, uint64_t id, uint32_t event)
{
    uint32_t *of = af_idtable_item(&file->event_of, id);
    if (of != NULL) {
        *of = event;
    }
}

static const char *name_event(const af_perf_event *event)
{
    const char *name = af_perf_event_name(event->type, event->config);
    return name != NULL ? name : event->type == AF_PERF_TRACEPOINT ? "tracepoint" : "unknown";
}

/* Lines of "name,type,config". */
static void name_by_meta(af_perf_file *file, const char *text)
{
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const char *comma = memchr(line, ',', length);
        char *end = NULL;
        const uint64_t type = comma == NULL ? 0 : g_ascii_strtoull(comma + 1, &end, 10);
        if (end != NULL && *end == ',') {
            const uint64_t config = g_ascii_strtoull(end + 1, NULL, 10);
            for (size_t i = 0; i < file->events.n; i++) {
                af_perf_event *event = af_array_at(&file->events, i);
                if (event->type == type && event->config == config && event->name == NULL) {
                    event->name = keep_text(file, line, (size_t)(comma - line));
                }
            }
        }
        line += length + (line[length] != '\0');
    }
}

/* EVENT_DESC: u32 count, u32 size of the attributes, per event {attributes, u32 ids, string, u64
 * id...}. */
static void name_by_description(af_perf_file *file, const uint8_t *bytes, uint64_t length)
{
    af_perf_cursor c = af_perf_cursor_over(bytes, length);
    const uint32_t n = af_perf_take_u32(&c), size = af_perf_take_u32(&c);
    for (uint32_t i = 0; i < n && i < file->events.n; i++) {
        af_perf_take_items(&c, size, 1);
        const uint32_t n_ids = af_perf_take_u32(&c), text = af_perf_take_u32(&c);
        const af_span name = af_perf_take_padded(&c, text);
        const uint8_t *ids = af_perf_take_items(&c, n_ids, 8);
        if (ids == NULL) {
            return;
        }
        af_perf_event *event = af_array_at(&file->events, i);
        event->name = name.length > 0 ? keep_text(file, name.bytes, name.length) : event->name;
        for (uint32_t k = 0; k < n_ids; k++) {
            af_perf_add_id(file, af_load_u64(ids + 8 * (size_t)k), i);
        }
    }
}

static void take_meta(af_perf_file *file, af_span k, af_span v)
{
    if (af_span_is(k, "trace_offcpu")) {
        file->offcpu = af_span_is(v, "true");
    } else if (af_span_is(k, "app_package_name") && v.length > 0) {
        af_sink_facts(file->sink)->app = af_sink_clean(file->sink, v);
        return;
    } else if (af_span_is(k, "timestamp")) {
        /* unix seconds at the end of the recording */
        af_sink_facts(file->sink)->recording.has_start = TRUE;
        af_sink_facts(file->sink)->recording.start = g_ascii_strtoull(v.bytes, NULL, 10) * 1000000;
        af_sink_facts(file->sink)->recording.start_tick_ns = 1000;
    }
    if (af_span_is(k, "event_type_info")) {
        g_autofree char *text = g_strndup(v.bytes, v.length);
        name_by_meta(file, text);
    } else {
        af_sink_add_fact(file->sink, k, v);
    }
}

/* Pairs of zero-terminated texts. */
static void take_meta_info(af_perf_file *file, const uint8_t *bytes, uint64_t length)
{
    af_perf_cursor c = af_perf_cursor_over(bytes, length);
    for (;;) {
        const af_span key = af_perf_take_text(&c), value = af_perf_take_text(&c);
        if (c.failed || key.length == 0) {
            return;
        }
        take_meta(file, key, value);
    }
}

/* u32 length, then text and zeros. */
static void take_string(af_perf_file *file, const char *key, const uint8_t *bytes, uint64_t length)
{
    af_perf_cursor c = af_perf_cursor_over(bytes, length);
    const af_span text = af_perf_take_padded(&c, af_perf_take_u32(&c));
    if (!c.failed) {
        af_sink_add_fact(file->sink, af_span_of(key), text);
    }
}

/* u32 count, then the words of the command. */
static void take_command(af_perf_file *file, const uint8_t *bytes, uint64_t length)
{
    g_autoptr(GString) command = g_string_new(NULL);
    af_perf_cursor c = af_perf_cursor_over(bytes, length);
    const uint32_t n = af_perf_take_u32(&c);
    for (uint32_t i = 0; i < n; i++) {
        const af_span word = af_perf_take_padded(&c, af_perf_take_u32(&c));
        if (c.failed) {
            break;
        }
        const char *quote =
            word.length > 0 && memchr(word.bytes, ' ', word.length) != NULL ? "\"" : "";
        g_string_append_printf(command, "%s%s", i > 0 ? " " : "", quote);
        af_span_append(command, word);
        g_string_append(command, quote);
    }
    af_sink_add_fact(file->sink, af_span_of("command"), af_span_of_string(command));
}

void af_perf_take_feature(af_perf_file *file, unsigned feature, const uint8_t *bytes,
                          uint64_t length)
{
    file->features[feature] = (af_perf_bytes){bytes, length};
    switch (feature) {
    case AF_PERF_OSRELEASE:
        take_string(file, "kernel", bytes, length);
        break;
    case AF_PERF_VERSION:
        take_string(file, "version", bytes, length);
        break;
    case AF_PERF_ARCH:
        take_string(file, "arch", bytes, length);
        break;
    case AF_PERF_CMDLINE:
        take_command(file, bytes, length);
        break;
    case AF_PERF_EVENT_DESC:
        file->linux_perf = TRUE;
        name_by_description(file, bytes, length);
        break;
    case AF_PERF_META_INFO:
        take_meta_info(file, bytes, length);
        break;
    default:
        break;
    }
}

void af_perf_name_events(af_perf_file *file)
{
    for (size_t i = 0; i < file->events.n; i++) {
        af_perf_event *event = af_array_at(&file->events, i);
        if (event->name == NULL || !file->linux_perf) {
            g_autofree char *name =
                g_strconcat(event->name != NULL ? event->name : name_event(event),
                            (event->flags & EXCLUDE_KERNEL) != 0 ? ":u"
                            : (event->flags & EXCLUDE_USER) != 0 ? ":k"
                                                                 : "",
                            NULL);
            event->name = keep_text(file, name, strlen(name));
        }
        if (event->name == NULL) {
            event->name = "unknown"; /* memory was refused */
        }
    }
}

static gboolean refuse(GError **error, const char *why)
{
    g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED, "this perf.data file is damaged: %s", why);
    return FALSE;
}

static gboolean is_inside(const af_perf_file *file, uint64_t offset, uint64_t size)
{
    return offset <= file->length && size <= file->length - offset;
}

static gboolean read_events(af_perf_file *file, uint64_t attr_size, GError **error)
{
    const uint64_t offset = af_load_u64(file->bytes + 24), size = af_load_u64(file->bytes + 32);
    if (attr_size <= 16 || attr_size > UINT16_MAX || size % attr_size != 0 || size == 0 ||
        !is_inside(file, offset, size)) {
        return refuse(error, "its list of events is invalid");
    }
    for (uint64_t at = offset; at < offset + size; at += attr_size) {
        const uint8_t *attr = file->bytes + at, *section = attr + attr_size - 16;
        const uint64_t ids = af_load_u64(section), ids_size = af_load_u64(section + 8);
        af_perf_add_event(file, attr, attr_size - 16);
        if (ids_size % 8 != 0 || !is_inside(file, ids, ids_size)) {
            return refuse(error, "the ids of an event are outside the file");
        }
        for (uint64_t i = 0; i < ids_size; i += 8) {
            af_perf_add_id(file, af_load_u64(file->bytes + ids + i),
                           (uint32_t)(file->events.n - 1));
        }
    }
    return TRUE;
}

/* Feature sections follow the data, with 16 bytes each that describe them; those outside the file
 * are ignored. */
static void read_features(af_perf_file *file, uint64_t at)
{
    const uint8_t *bits = file->bytes + 72;
    for (unsigned feature = 0; feature < AF_PERF_FEATURES; feature++) {
        if ((bits[feature / 8] >> (feature % 8) & 1) == 0) {
            continue;
        }
        if (!is_inside(file, at, 16)) {
            return;
        }
        const uint64_t offset = af_load_u64(file->bytes + at),
                       size = af_load_u64(file->bytes + at + 8);
        if (is_inside(file, offset, size)) {
            af_perf_take_feature(file, feature, file->bytes + offset, size);
        } else {
            file->clipped = TRUE;
        }
        at += 16;
    }
}

static gboolean read_header(af_perf_file *file, GError **error)
{
    const uint64_t offset = af_load_u64(file->bytes + 40);
    uint64_t size = af_load_u64(file->bytes + 48);
    if (offset < HEADER || offset > file->length) {
        return refuse(error, "its records are outside the file");
    }
    const uint64_t left = file->length - offset;
    if (size == 0 || size > left) {
        /* the recording was killed, or the file is truncated */
        file->clipped = TRUE;
        size = left;
    }
    file->data = (af_perf_bytes){file->bytes + offset, size};
    if (!read_events(file, af_load_u64(file->bytes + 16), error)) {
        return FALSE;
    }
    if (!file->clipped) {
        read_features(file, offset + size);
    }
    return TRUE;
}

gboolean af_perf_file_open(af_perf_file *file, af_sink *sink, const uint8_t *bytes, uint64_t length,
                           GError **error)
{
    *file = (af_perf_file){.sink = sink, .bytes = bytes, .length = length};
    af_array_init_metered(&file->events, sizeof(af_perf_event), af_sink_meter(sink));
    af_idtable_init(&file->event_of, sizeof(uint32_t), af_sink_meter(sink));
    if (length < PIPE_HEADER) {
        return refuse(error, "it ends inside its header");
    }
    if (af_load_u64(bytes + 8) == PIPE_HEADER) {
        file->pipe = file->linux_perf = TRUE;
        file->data = (af_perf_bytes){bytes + PIPE_HEADER, length - PIPE_HEADER};
        return TRUE;
    }
    if (length < HEADER) {
        return refuse(error, "it ends inside its header");
    }
    if (af_load_u64(bytes + 8) == 0) {
        return refuse(error, "its header has no size");
    }
    if (!read_header(file, error)) {
        return FALSE;
    }
    af_perf_name_events(file);
    return TRUE;
}

void af_perf_file_close(af_perf_file *file)
{
    af_array_clear(&file->events);
    af_idtable_clear(&file->event_of);
}
