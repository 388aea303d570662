/* `timeline`: describes threads as nested calls with durations.
 *
 * Each `on` describes one thread; the records of all threads are then sorted by wall time, as a
 * recorder with one buffer writes them. Durations vary a little, by a generator with a fixed seed,
 * so that a picture does not look drawn with a ruler; the bytes are the same on every run. Times
 * are integer nanoseconds until a record is written. */
#include "recording.h"

#include <string.h>

typedef struct {
    uint64_t thread;
    record_action action;
    uint64_t wall_ns, cpu_ns;
    char *method; /* "pkg.Class.method(signature)result" */
    guint order;  /* sequence number: keeps a thread's records in order */
} timed_event;

typedef struct {
    recording *r;
    GArray *events;
    uint64_t thread, wall_ns, cpu_ns;
    uint64_t random;
} stage;

/* The rest of a call's own time, to be spent before, between and after its callees. */
typedef struct {
    uint64_t left_ns;
    uint64_t gaps;
} allowance;

static uint64_t next_random(stage *s)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return s->random;
}

static uint64_t vary(stage *s, uint64_t ns)
{
    return ns * (760 + next_random(s) % 500) / 1000;
}

/* "250us", "1.5ms", "2s", "40ns". */
static uint64_t read_duration(const recording *r, const char *text)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    char *end = NULL;
    const uint64_t whole = g_ascii_strtoull(text, &end, 10);
    uint64_t thousandths = 0;
    if (*end == '.') {
        uint64_t digit_value = 100;
        for (end++; g_ascii_isdigit(*end); end++, digit_value /= 10) {
            thousandths += digit_value * (uint64_t)(*end - '0');
        }
    }
    for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
        if (strcmp(end, units[i].unit) == 0) {
            return whole * units[i].ns + thousandths * units[i].ns / 1000;
        }
    }
    recording_fail(r, "expected a duration such as 250us, 1.5ms or 2s: %s", text);
}

static void add_event(stage *s, record_action action, const char *method)
{
    const timed_event m = {s->thread, action,           s->wall_ns,
                           s->cpu_ns, g_strdup(method), s->events->len};
    g_array_append_val(s->events, m);
}

/* Work: other threads take a little of the wall time. */
static void spend(stage *s, uint64_t ns)
{
    s->wall_ns += ns;
    s->cpu_ns += ns * (945 + next_random(s) % 50) / 1000;
}

static void spend_share(stage *s, allowance *own)
{
    uint64_t ns = own->left_ns;
    if (own->gaps > 1) {
        const uint64_t weight = 300 + next_random(s) % 1400;
        ns = own->left_ns * weight / (weight + 1000 * (own->gaps - 1));
    }
    own->left_ns -= ns;
    own->gaps = own->gaps > 1 ? own->gaps - 1 : 1;
    spend(s, ns);
}

/* ---- statements ---- */

static const char *read_word(const script_statement *st, guint number)
{
    return number < st->words->len ? g_array_index(st->words, script_word, number).text->str : "";
}

static gboolean is_called(const script_statement *st, const char *name)
{
    return strcmp(read_word(st, 0), name) == 0;
}

/* The target of a `use`: the block defined under its name, and its arguments. */
static const GPtrArray *enter_use(const recording *r, const script_statement *st,
                                  const surrounding *outer, surrounding *inner)
{
    GPtrArray *words = g_ptr_array_new();
    for (guint i = 1; i < st->words->len; i++) {
        g_ptr_array_add(words, context_expand(r, outer, &g_array_index(st->words, script_word, i)));
    }
    const GString *name = words->pdata[0];
    const GPtrArray *block = g_hash_table_lookup(r->defined, name->str);
    if (block == NULL) {
        recording_fail(r, "%s is not defined", name->str);
    }
    inner->i = outer->i;
    inner->words = words;
    return block;
}

static uint64_t count_calls(const recording *r, const GPtrArray *block, const surrounding *context)
{
    uint64_t n = 0;
    for (guint i = 0; block != NULL && i < block->len; i++) {
        const script_statement *st = block->pdata[i];
        if (is_called(st, "call")) {
            n++;
        } else if (is_called(st, "repeat")) {
            n += read_number(r, read_word(st, 1)) * count_calls(r, st->block, context);
        } else if (is_called(st, "use")) {
            surrounding inner;
            const GPtrArray *used = enter_use(r, st, context, &inner);
            n += count_calls(r, used, &inner);
        }
    }
    return n;
}

static void play_block(stage *s, const GPtrArray *block, const surrounding *context,
                       allowance *own);

typedef struct {
    GPtrArray *chain; /* char *: A > B > C */
    uint64_t self_ns, wait_ns, until_ns;
    gboolean exact, open, throws;
} call;

static void read_call_option(const recording *r, call *c, const char *word)
{
    if (g_str_has_prefix(word, "self=")) {
        c->self_ns = read_duration(r, word + 5) * r->pace / 100;
    } else if (g_str_has_prefix(word, "wait=")) {
        c->wait_ns = read_duration(r, word + 5);
    } else if (g_str_has_prefix(word, "until=")) {
        c->until_ns = read_duration(r, word + 6);
    } else if (strcmp(word, "exact") == 0) {
        c->exact = TRUE;
    } else if (strcmp(word, "open") == 0) {
        c->open = TRUE;
    } else if (strcmp(word, "throws") == 0) {
        c->throws = TRUE;
    } else {
        recording_fail(r, "unknown word in a call: %s", word);
    }
}

static call read_call(const stage *s, const script_statement *st, const surrounding *context)
{
    call c = {.chain = g_ptr_array_new_with_free_func(g_free), .self_ns = 30000};
    gboolean more = TRUE;
    for (guint i = 1; i < st->words->len; i++) {
        const script_word *word = &g_array_index(st->words, script_word, i);
        g_autoptr(GString) text = context_expand(s->r, context, word);
        if (more) {
            g_ptr_array_add(c.chain, g_strdup(text->str));
            more = FALSE;
        } else if (strcmp(text->str, ">") == 0) {
            more = TRUE;
        } else {
            read_call_option(s->r, &c, text->str);
        }
    }
    if (more) {
        recording_fail(s->r, "a call has no name");
    }
    return c;
}

static void wait_until(stage *s, uint64_t wall_ns)
{
    if (s->wall_ns < wall_ns) {
        s->wall_ns = wall_ns;
    }
}

static void play_call(stage *s, const script_statement *st, const surrounding *context)
{
    const call c = read_call(s, st, context);
    allowance own = {c.exact ? c.self_ns : vary(s, c.self_ns),
                     count_calls(s->r, st->block, context) + 1};
    for (guint i = 0; i < c.chain->len; i++) {
        add_event(s, ACTION_ENTER, c.chain->pdata[i]);
        if (i + 1 < c.chain->len) {
            spend(s, vary(s, 4000));
        }
    }
    if (st->block != NULL) {
        play_block(s, st->block, context, &own);
    }
    s->wall_ns += c.exact ? c.wait_ns : vary(s, c.wait_ns);
    own.gaps = 1;
    spend_share(s, &own);
    wait_until(s, c.until_ns);
    for (guint i = c.chain->len; i > 0 && !c.open; i--) {
        add_event(s, c.throws ? ACTION_UNWIND : ACTION_EXIT, c.chain->pdata[i - 1]);
        if (i > 1) {
            spend(s, vary(s, 3000));
        }
    }
    g_ptr_array_unref(c.chain);
}

static void play_use(stage *s, const script_statement *st, const surrounding *outer, allowance *own)
{
    surrounding inner;
    const GPtrArray *used = enter_use(s->r, st, outer, &inner);
    play_block(s, used, &inner, own);
}

static void play_statement(stage *s, const script_statement *st, const surrounding *outer,
                           allowance *own)
{
    s->r->line = st->line;
    if (is_called(st, "call")) {
        spend_share(s, own);
        play_call(s, st, outer);
    } else if (is_called(st, "repeat")) {
        const uint64_t rounds = read_number(s->r, read_word(st, 1));
        for (uint64_t i = 1; i <= rounds; i++) {
            const surrounding inner = {i, outer->words};
            play_block(s, st->block, &inner, own);
        }
    } else if (is_called(st, "use")) {
        play_use(s, st, outer, own);
    } else if (is_called(st, "wait")) {
        s->wall_ns += vary(s, read_duration(s->r, read_word(st, 1)));
    } else if (is_called(st, "until")) {
        wait_until(s, read_duration(s->r, read_word(st, 1)));
    } else {
        recording_fail(s->r, "not in a timeline: %s", read_word(st, 0));
    }
}

static void play_block(stage *s, const GPtrArray *block, const surrounding *context, allowance *own)
{
    for (guint i = 0; i < block->len; i++) {
        play_statement(s, block->pdata[i], context, own);
    }
}

/* ---- methods that only `call` names ---- */

static GString *make_columns(const recording *r, const char *name)
{
    const char *bracket = strchr(name, '(');
    const char *end = bracket != NULL ? bracket : name + strlen(name);
    const char *dot = g_strrstr_len(name, end - name, ".");
    if (dot == NULL) {
        recording_fail(r, "a call needs pkg.Class.method: %s", name);
    }
    const char *package_dot = g_strrstr_len(name, dot - name, ".");
    const char *simple = package_dot != NULL ? package_dot + 1 : name;
    gsize length = strcspn(simple, "$.(");
    const char *extension = "java";
    for (guint i = 0; i < r->kotlin->len; i++) {
        if (g_str_has_prefix(name, r->kotlin->pdata[i])) {
            extension = "kt";
        }
    }
    GString *columns = g_string_new(NULL);
    g_string_printf(columns, "%.*s\t%.*s\t%s\t%.*s.%s", (int)(dot - name), name,
                    (int)(end - dot - 1), dot + 1, bracket != NULL ? bracket : "()V", (int)length,
                    simple, extension);
    return columns;
}

static uint64_t find_or_make_method(recording *r, const char *name)
{
    uint64_t *id = g_hash_table_lookup(r->methods, name);
    if (id == NULL) {
        g_autoptr(GString) columns = make_columns(r, name);
        id = g_memdup2(&r->next_method, sizeof *id);
        r->next_method += 4;
        g_hash_table_insert(r->methods, g_strdup(name), id);
        recording_method(r, *id, columns);
    }
    return *id;
}

static int compare_timed_events(gconstpointer one, gconstpointer other)
{
    const timed_event *a = one, *b = other;
    if (a->wall_ns != b->wall_ns) {
        return a->wall_ns < b->wall_ns ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

static void put_events(recording *r, GArray *events)
{
    const uint64_t unit = r->container == &container_dump || r->layout == 'd' ? 1 : 1000;
    g_array_sort(events, compare_timed_events);
    for (guint i = 0; i < events->len; i++) {
        timed_event *m = &g_array_index(events, timed_event, i);
        trace_record record = {.thread = m->thread, .action = m->action};
        record.method = find_or_make_method(r, m->method);
        record.time[CPU] = m->cpu_ns / unit;
        record.time[WALL] = m->wall_ns / unit;
        if (!r->dual && !r->one_is_cpu) {
            record.time[CPU] = record.time[WALL];
        }
        r->container->put(r, &record);
        g_free(m->method);
    }
}

void timeline_run(recording *r, const script_statement *statement)
{
    g_autoptr(GArray) events = g_array_new(FALSE, FALSE, sizeof(timed_event));
    const surrounding none = {0, NULL};
    for (guint i = 0; i < statement->block->len; i++) {
        const script_statement *st = statement->block->pdata[i];
        r->line = st->line;
        if (!is_called(st, "on") || st->block == NULL || st->words->len != 3 ||
            !g_str_has_prefix(read_word(st, 2), "at=")) {
            recording_fail(r, "a timeline holds `on THREAD at=TIME { ... }`");
        }
        const uint64_t thread = read_number(r, read_word(st, 1));
        stage s = {r, events, thread, read_duration(r, read_word(st, 2) + 3), 0, 0};
        s.random = (r->seed + thread) * 0x9e3779b97f4a7c15u | 1;
        allowance none_own = {0, 1};
        play_block(&s, st->block, &none, &none_own);
    }
    put_events(r, events);
}
