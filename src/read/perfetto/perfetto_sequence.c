#include "read/perfetto/perfetto.h"

static void free_interval(af_perfetto_interval *interval)
{
    for (unsigned i = 0; interval != NULL && i < AF_TABLES; i++) {
        af_perfetto_table *table = interval->tables[i];
        if (table != NULL) {
            af_idmap_clear(&table->ids);
            af_array_clear(&table->values);
            af_array_clear(&table->stacks);
            g_free(table);
        }
    }
    if (interval != NULL) {
        af_array_clear(&interval->late);
        g_free(interval);
    }
}

static af_perfetto_interval *make_interval(af_sink *sink)
{
    af_perfetto_interval *interval = g_new0(af_perfetto_interval, 1);
    af_array_init_metered(&interval->late, sizeof(af_perfetto_late), af_sink_meter(sink));
    return interval;
}

static af_perfetto_table *table_of(af_perfetto *p, af_perfetto_interval *interval, unsigned number)
{
    af_meter *const meter = af_sink_meter(p->sink);
    if (interval->tables[number] == NULL) {
        af_perfetto_table *table = interval->tables[number] = g_new0(af_perfetto_table, 1);
        af_idmap_init(&table->ids, 0, meter);
        af_array_init_metered(&table->values, sizeof(uint32_t), meter);
        af_array_init_metered(&table->stacks, sizeof(uint32_t), meter);
    }
    return interval->tables[number];
}

/* An id has no value if memory for it was refused. */
static af_perfetto_table *look(const af_perfetto_interval *interval, unsigned table, uint64_t id,
                               uint32_t *number)
{
    af_perfetto_table *found = interval == NULL ? NULL : interval->tables[table];
    *number = found == NULL ? AF_IDMAP_NONE : af_idmap_look(&found->ids, id);
    return found == NULL || *number >= found->values.n ? NULL : found;
}

/* The table that has an id, its own before that of the interval. */
static af_perfetto_table *look_both(const af_perfetto_sequence *sequence, unsigned table,
                                    uint64_t id, uint32_t *number)
{
    af_perfetto_table *own = look(sequence->own, table, id, number);
    return own != NULL ? own : look(sequence->interval, table, id, number);
}

uint32_t af_perfetto_sequence_find(const af_perfetto_sequence *sequence, unsigned table,
                                   uint64_t id)
{
    uint32_t number;
    const af_perfetto_table *found = look_both(sequence, table, id, &number);
    return found == NULL ? AF_NO_TEXT : AF_ARRAY_AT(&found->values, uint32_t, number);
}

uint32_t *af_perfetto_sequence_cache(af_perfetto_sequence *sequence, unsigned table, uint64_t id)
{
    uint32_t number;
    af_perfetto_table *found = look_both(sequence, table, id, &number);
    return found == NULL ? NULL : af_array_slot(&found->stacks, number);
}

/* The values of a table: none that are read, texts, or whole messages. */
typedef enum { NOTHING, TEXTS, MESSAGES } content;

static content content_of(unsigned table)
{
    static const uint8_t contents[AF_TABLES] = {
        [AF_TABLE_CATEGORY] = TEXTS,        [AF_TABLE_EVENT_NAME] = TEXTS,
        [AF_TABLE_ANNOTATION_NAME] = TEXTS, [AF_TABLE_FUNCTION] = TEXTS,
        [AF_TABLE_FRAME] = MESSAGES,        [AF_TABLE_CALLSTACK] = MESSAGES,
        [AF_TABLE_BUILD_ID] = TEXTS,        [AF_TABLE_PATH] = TEXTS,
        [AF_TABLE_SOURCE] = TEXTS,          [AF_TABLE_MAPPING] = MESSAGES,
        [AF_TABLE_KERNEL_SYMBOL] = TEXTS,   [AF_TABLE_STRING] = TEXTS,
        [AF_TABLE_TASK] = MESSAGES,         [AF_TABLE_COUNTER] = MESSAGES};
    return table < AF_TABLES ? contents[table] : NOTHING;
}

/* An id that is there already keeps its first content. */
static void take_entry(af_perfetto *p, af_perfetto_interval *interval, const af_protobuf *entry,
                       unsigned number_of_table)
{
    af_protobuf f[3];
    af_protobuf_values(entry, f, G_N_ELEMENTS(f));
    const uint64_t id = f[1].wire == AF_WIRE_VARINT ? f[1].number : 0;
    if (id == 0) {
        return;
    }
    af_perfetto_table *table = table_of(p, interval, number_of_table);
    const uint32_t number = af_idmap_number(&table->ids, id);
    const gboolean is_new = number >= table->values.n;
    uint32_t *value = af_array_slot(&table->values, number);
    if (value != NULL && is_new) {
        const gboolean whole = content_of(number_of_table) == MESSAGES;
        *value = af_texts_add(p->texts, af_protobuf_text(whole ? entry : &f[2]));
    }
}

af_perfetto_interval *af_perfetto_sequence_interval(const af_perfetto *p, af_perfetto_sequence *s)
{
    if (s->interval == NULL && s->valid) {
        s->interval = make_interval(p->sink);
    }
    return s->interval;
}

void af_perfetto_sequence_take_names(af_perfetto *p, af_perfetto_sequence *s,
                                     const af_protobuf *field)
{
    if (!s->valid) {
        af_sink_warn(p->sink, AF_WARN_LOST_NAMES, 1, AF_NO_OFFSET);
        return;
    }
    af_perfetto_interval *interval = af_perfetto_sequence_interval(p, s);
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.wire == AF_WIRE_BYTES && content_of(f.field) != NOTHING) {
            take_entry(p, interval, &f, f.field);
        }
    }
}

/* The numbers of a profile's own tables: all strings are in one. */
void af_perfetto_sequence_take_own_names(af_perfetto *p, af_perfetto_sequence *s,
                                         const af_protobuf *field)
{
    static const uint8_t strings[] = {AF_TABLE_FUNCTION, AF_TABLE_BUILD_ID, AF_TABLE_PATH,
                                      AF_TABLE_SOURCE};
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == 0 || f.field > 4 || f.wire != AF_WIRE_BYTES) {
            continue;
        }
        if (s->own == NULL) {
            s->own = make_interval(p->sink);
        }
        if (f.field == 1) {
            for (unsigned i = 0; i < G_N_ELEMENTS(strings); i++) {
                take_entry(p, s->own, &f, strings[i]);
            }
        } else {
            static const uint8_t tables[] = {
                [2] = AF_TABLE_FRAME, [3] = AF_TABLE_CALLSTACK, [4] = AF_TABLE_MAPPING};
            take_entry(p, s->own, &f, tables[f.field]);
        }
    }
}

void af_perfetto_sequence_drop_own_names(af_perfetto_sequence *s)
{
    free_interval(s->own);
    s->own = NULL;
}

/* ---- events that came before their names ---- */

static uint32_t find_late(af_perfetto *p, const af_perfetto_sequence *s, unsigned table,
                          uint64_t id)
{
    const uint32_t text = af_perfetto_sequence_find(s, table, id);
    if (text != AF_NO_TEXT) {
        return text;
    }
    p->n_unresolved++;
    if (table == AF_TABLE_CATEGORY) {
        char name[40];
        const int n = g_snprintf(name, sizeof name, "unknown(%" G_GUINT64_FORMAT ")", id);
        return af_texts_add(p->texts, (af_span){name, (size_t)n});
    }
    return AF_NO_TEXT;
}

static void finish_interval(af_perfetto *p, af_perfetto_sequence *s)
{
    af_perfetto_interval *interval = s->interval;
    for (size_t i = 0; interval != NULL && i < interval->late.n; i++) {
        af_perfetto_late *late = &AF_ARRAY_AT(&interval->late, af_perfetto_late, i);
        if (late->stack != 0) {
            af_perfetto_finish_stack(p, s, late);
            continue;
        }
        if (late->name != 0) {
            late->event.name = find_late(p, s, AF_TABLE_EVENT_NAME, late->name);
        }
        if (late->category != 0) {
            late->event.extra = find_late(p, s, AF_TABLE_CATEGORY, late->category);
        }
        af_timeline_add(p->timeline, &late->event);
    }
    free_interval(interval);
    s->interval = NULL;
}

void af_perfetto_sequences_finish(af_perfetto *p)
{
    for (size_t i = 0; i < p->sequences.items.n; i++) {
        finish_interval(p, AF_ARRAY_AT(&p->sequences.items, af_perfetto_sequence *, i));
    }
}

af_perfetto_sequence *af_perfetto_sequence_of(af_perfetto *p, uint32_t id)
{
    if (p->last != NULL && p->last->id == id) {
        return p->last;
    }
    af_meter *const meter = af_sink_meter(p->sink);
    af_perfetto_sequence **known = af_idtable_item(&p->sequences, id);
    if (known == NULL) {
        return NULL;
    }
    if (*known == NULL) {
        af_perfetto_sequence *s = *known = g_try_new0(af_perfetto_sequence, 1);
        if (s == NULL) {
            af_sink_fail(p->sink);
            return NULL;
        }
        meter->bytes += sizeof *s;
        s->id = id;
        s->defaults.descriptor = AF_NO_TEXT;
        for (unsigned i = 0; i < G_N_ELEMENTS(s->defaults.counters); i++) {
            af_array_init_metered(&s->defaults.counters[i], sizeof(uint64_t), meter);
        }
        af_idtable_init(&s->sums, sizeof(double), meter);
    }
    p->last = *known;
    return *known;
}

static void clear_defaults(af_perfetto_sequence *s)
{
    af_array *counters = s->defaults.counters;
    AF_ARRAYS_CLEAR(&counters[0], &counters[1]);
    s->defaults =
        (af_perfetto_defaults){.counters = {counters[0], counters[1]}, .descriptor = AF_NO_TEXT};
}

static void clear_references(af_perfetto_sequence *s)
{
    s->has_reference = FALSE;
    s->reference_us = s->thread_us = 0;
    af_idtable_clear(&s->sums);
}

void af_perfetto_sequence_forget(af_perfetto_sequence *s)
{
    s->valid = FALSE;
    clear_references(s);
}

void af_perfetto_sequence_clear(af_perfetto *p, af_perfetto_sequence *s)
{
    finish_interval(p, s);
    clear_defaults(s);
    clear_references(s);
    s->valid = TRUE;
}

void af_perfetto_sequences_free(af_perfetto *p)
{
    for (size_t i = 0; i < p->sequences.items.n; i++) {
        af_perfetto_sequence *s = AF_ARRAY_AT(&p->sequences.items, af_perfetto_sequence *, i);
        if (s != NULL) {
            free_interval(s->interval);
            free_interval(s->own);
            clear_defaults(s);
            clear_references(s);
            g_free(s);
        }
    }
    af_idtable_clear(&p->sequences);
}

static void take_event_defaults(af_perfetto_sequence *s, const af_protobuf *of)
{
    for (af_protobuf f = af_protobuf_of(of); af_protobuf_next(&f);) {
        if (f.field == 11) {
            s->defaults.track = f.number;
        } else if (f.field == 31 || f.field == 45) {
            for (af_packed n = af_packed_begin(&f); af_packed_next(&n);) {
                af_array_append(&s->defaults.counters[f.field == 45], &n.number);
            }
        }
    }
}

void af_perfetto_sequence_take_defaults(af_perfetto *p, af_perfetto_sequence *s,
                                        const af_protobuf *field)
{
    clear_defaults(s);
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == 58) {
            s->defaults.clock = f.number;
        } else if (f.field == 11) {
            take_event_defaults(s, &f);
        } else if (f.field == 12) {
            s->defaults.session = af_perfetto_take_session(p, &f) + 1;
        } else if (f.field == 100) {
            af_protobuf d[3];
            af_protobuf_values(&f, d, G_N_ELEMENTS(d));
            if (d[2].field != 0) {
                s->defaults.descriptor = af_texts_add(p->texts, af_protobuf_text(&d[2]));
            }
        }
    }
}

double af_perfetto_sequence_sum(af_perfetto_sequence *s, uint64_t uuid, double step)
{
    double *sum = af_idtable_item(&s->sums, uuid);
    return sum == NULL ? step : (*sum += step);
}
