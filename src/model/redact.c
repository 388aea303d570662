#include "model/redact.h"
#include "model/run_sums.h"

#include <string.h>

#include "model/labels.h"
#include "model/assigned_number.h"

typedef struct {
    const af_pseudonym_key *key;
    af_arena *arena;
    GString *text;
} redaction;

/* The text that was appended last, in the arena. */
static const char *take_text(const redaction *r)
{
    return af_arena_copy(r->arena, r->text->str, r->text->len);
}

static GString *begin_text(const redaction *r)
{
    g_string_truncate(r->text, 0);
    return r->text;
}

/* A pseudonym for a whole text; NULL stays NULL. */
static const char *replace(const redaction *r, const char *prefix, const char *text)
{
    if (text == NULL) {
        return NULL;
    }
    af_pseudonym_append(begin_text(r), r->key, prefix, text, strlen(text));
    return take_text(r);
}

/* One of the words, or NULL. */
static const char *keep_known(const char *text, const char *const *words)
{
    return text != NULL && g_strv_contains(words, text) ? text : NULL;
}

static gboolean is_platform_file(const char *path)
{
    static const char *const folders[] = {"/system/", "/apex/", "/vendor/", "/product/", "["};
    for (unsigned i = 0; i < G_N_ELEMENTS(folders); i++) {
        if (g_str_has_prefix(path, folders[i])) {
            return TRUE;
        }
    }
    return FALSE;
}

/* "Shop$$Lambda$12.run" keeps the word and the number, which is the run's: "f....$$Lambda$12".
 * FALSE for any other name. */
static gboolean append_numbered(const redaction *r, const char *name)
{
    const af_assigned_word *it;
    for (unsigned i = 0; (it = af_assigned_word_at(i)) != NULL; i++) {
        const char *at = it->part == AF_ASSIGNED_CLASS ? strstr(name, it->word) : NULL;
        const char *number = at != NULL ? at + strlen(it->word) : "";
        size_t offset;
        const size_t n = af_assigned_number_find(it->form, number, &offset);
        if (n > 0 && offset == 0 && (number[n] == '.' || number[n] == '\0')) {
            g_autoptr(GString) masked = g_string_new_len(name, number - name);
            g_string_append(masked, "#");
            g_string_append(masked, number + n);
            af_pseudonym_append(r->text, r->key, "f", masked->str, masked->len);
            g_string_append(r->text, it->word);
            g_string_append_len(r->text, number, (gssize)n);
            return TRUE;
        }
    }
    return FALSE;
}

/* A name without a class: of native code, or from another tool. */
static void append_plain(const redaction *r, const char *name)
{
    static const char *const known[] = {"(idle)",     "(program)", "(root)", "(garbage collector)",
                                        "[left out]", NULL};
    if (g_strv_contains(known, name)) {
        g_string_append(r->text, name);
    } else if (!append_numbered(r, name)) {
        const size_t address = af_assigned_address(name);
        const gboolean compiled = strncmp(name, "[jit-cache]", address) == 0 && address > 0;
        if (compiled) {
            g_string_append_len(r->text, name, (gssize)address);
        } else {
            af_pseudonym_append(r->text, r->key, "f", name, address);
        }
        if (name[address] != '\0') {
            const uint64_t number = af_pseudonym_number(r->key, "+", name, strlen(name));
            g_string_append_printf(r->text, name[address] == '[' ? "[+%08x]" : "+0x%08x",
                                   (unsigned)number);
        }
    }
}

/* "0x12 [unknown]" stays; "pkg.Face.method [proxy]" is a method of its interface. */
static void append_proxy(const redaction *r, const char *proxy)
{
    const char *end = strstr(proxy, " [");
    if (end == NULL || g_str_has_prefix(proxy, "0x")) {
        g_string_append(r->text, end == NULL ? "" : proxy);
        if (end == NULL) {
            append_plain(r, proxy);
        }
        return;
    }
    g_autofree char *name = g_strndup(proxy, strcspn(proxy, "( "));
    char *dot = strrchr(name, '.');
    if (dot == NULL) {
        append_plain(r, name);
    } else {
        *dot = '\0';
        const gboolean platform = af_pseudonym_is_platform(name);
        af_pseudonym_append_class(r->text, r->key, name, '.');
        g_string_append_c(r->text, '.');
        if (platform) {
            g_string_append(r->text, dot + 1);
        } else {
            af_pseudonym_append_method(r->text, r->key, name, dot + 1);
        }
    }
    g_string_append(r->text, end);
}

static const char *redact_signature(const redaction *r, const char *signature)
{
    return signature != NULL && af_pseudonym_append_signature(begin_text(r), r->key, signature)
               ? take_text(r)
               : NULL;
}

static void redact_class_names(const redaction *r, af_method *m)
{
    const char *class_name = m->class_name;
    const gboolean has_class = class_name != NULL && class_name[0] != '\0';
    if (has_class && af_pseudonym_is_platform(class_name)) {
        return;
    }
    m->source = replace(r, "s", m->source);
    if (has_class) {
        af_pseudonym_append_class(begin_text(r), r->key, class_name, '.');
        m->class_name = take_text(r);
    }
    if (m->name != NULL && m->name[0] != '\0') {
        begin_text(r);
        if (has_class) {
            af_pseudonym_append_method(r->text, r->key, class_name, m->name);
        } else {
            append_plain(r, m->name);
        }
        m->name = take_text(r);
    }
}

static void redact_method(const redaction *r, af_method *m)
{
    redact_class_names(r, m);
    m->signature = redact_signature(r, m->signature);
    if (m->library != NULL && !is_platform_file(m->library)) {
        m->library = replace(r, "lib-", m->library);
    }
    m->group = replace(r, "group-", m->group);
    if (m->proxy != NULL) {
        begin_text(r);
        append_proxy(r, m->proxy);
        m->proxy = take_text(r);
    }
}

/* The class of a label as it was recorded, with its package; NULL = it has none. Free with
 * g_free(). */
static char *find_class(const af_profile *profile, const af_label *label)
{
    const char *recorded = profile->methods[label->method].class_name;
    if (label->class_length == 0) {
        return NULL;
    }
    char *shown = g_strdelimit(g_strndup(label->text, label->class_length), "/", '.');
    const char *dot = recorded == NULL ? NULL : strrchr(recorded, '.');
    if (profile->names == AF_NAMES_SHORT && dot != NULL && strcmp(dot + 1, shown) == 0) {
        g_free(shown);
        return g_strdup(recorded);
    }
    return shown;
}

/* "_[k]" after a name that stands for frames of several kinds */
static const char *find_annotation(const af_label *label)
{
    const char *end = label->text + label->length;
    return label->length > 4 && end[-1] == ']' && end[-3] == '[' && end[-4] == '_' ? end - 4 : end;
}

/* A label of a method with a class or with a plain name. */
static void append_label(const redaction *r, const af_profile *profile, af_label *label)
{
    const af_method *m = &profile->methods[label->method];
    g_autofree char *class_name = find_class(profile, label);
    const gboolean platform = af_pseudonym_is_platform(class_name);
    const char *end = find_annotation(label);
    const char *arguments = profile->names == AF_NAMES_FULL && m->signature != NULL
                                ? memchr(label->text, '(', (size_t)(end - label->text))
                                : NULL;
    const char *from = label->text + label->method_at;
    g_autofree char *name = g_strndup(from, (gsize)((arguments != NULL ? arguments : end) - from));
    if (class_name != NULL) {
        const gsize begin = r->text->len;
        af_pseudonym_append_class(r->text, r->key, class_name, '.');
        const char *dot =
            profile->names == AF_NAMES_SHORT ? strrchr(r->text->str + begin, '.') : NULL;
        if (dot != NULL) {
            g_string_erase(r->text, (gssize)begin, dot + 1 - (r->text->str + begin));
        }
        label->class_length = (uint32_t)r->text->len;
        label->method_at = 0;
        if (label->text + label->class_length < end || name[0] != '\0') {
            g_string_append_c(r->text, '.');
            label->method_at = (uint32_t)r->text->len;
        }
    }
    if (platform) {
        g_string_append(r->text, name);
    } else if (class_name != NULL && name[0] != '\0') {
        af_pseudonym_append_method(r->text, r->key, class_name, name);
    } else if (class_name == NULL) {
        append_plain(r, name);
    }
    if (arguments != NULL) {
        /* "(int, Cart)" from the signature of the method, whose classes are known in full. */
        g_autoptr(GString) signature = g_string_new(NULL);
        if (m->signature != NULL &&
            af_pseudonym_append_signature(signature, r->key, m->signature)) {
            const af_method bare = {.defined = TRUE, .signature = signature->str};
            af_method_append_full(r->text, &bare);
        }
    }
    g_string_append(r->text, end);
}

static void redact_label(const redaction *r, const af_profile *profile, af_label *label)
{
    const af_method *m = &profile->methods[label->method];
    begin_text(r);
    if (label->methods == 0) {
        /* "… 9 framework frames": the number and the last word */
        const char *number = strpbrk(label->text, "0123456789");
        const int n = number == NULL ? 0 : (int)strspn(number, "0123456789,");
        g_string_append_printf(r->text, "\u2026 %.*s folded frame%s", n,
                               number != NULL ? number : "", n == 1 && *number == '1' ? "" : "s");
    } else if (!m->defined) {
        append_proxy(r, m->proxy);
        label->class_length = label->method_at = 0;
    } else {
        append_label(r, profile, label);
    }
    label->text = take_text(r);
    label->length = (uint32_t)r->text->len;
}

/* A pseudonym for the words of the name, and a number for its numbers, so that numbered threads of
 * two redacted recordings pair like the original ones. */
static const char *replace_thread(const redaction *r, const char *name)
{
    const size_t length = strlen(name);
    g_autoptr(GString) words = g_string_new(NULL);
    for (const char *at = name; *at != '\0';) {
        const size_t digits = strspn(at, "0123456789");
        const size_t others = strcspn(at + digits, "0123456789");
        g_string_append(words, digits > 0 ? "#" : "");
        g_string_append_len(words, at + digits, (gssize)others);
        at += digits + others;
    }
    af_pseudonym_append(begin_text(r), r->key, "thread-", words->str, words->len);
    if (strpbrk(name, "0123456789") != NULL) {
        g_string_append_printf(r->text, "-%" G_GUINT64_FORMAT,
                               af_pseudonym_number(r->key, "thread-", name, length) % 100000000);
    }
    return take_text(r);
}

/* A waker has the same name as its thread, with its id. */
static gboolean redact_wakers(const redaction *r, af_profile *profile)
{
    const char **names =
        af_arena_alloc(profile->arena, sizeof *names * ((size_t)profile->n_wakers + 1));
    for (uint32_t i = 0; names != NULL && i < profile->n_wakers; i++) {
        names[i] = profile->wakers[i] == NULL ? NULL : replace_thread(r, profile->wakers[i]);
    }
    profile->wakers = names;
    return names != NULL;
}

static const char *redact_thread(const redaction *r, const af_thread *thread)
{
    g_autofree char *plain = g_strdup_printf("Thread %" G_GUINT64_FORMAT, thread->id);
    const gboolean stays = strcmp(thread->name, "main") == 0 || strcmp(thread->name, plain) == 0;
    return stays ? thread->name : replace_thread(r, thread->name);
}

static void redact_processes(const redaction *r, af_profile *profile)
{
    af_profile_process *to =
        af_arena_alloc(r->arena, sizeof *to * ((size_t)profile->n_processes + 1));
    for (uint32_t i = 0; to != NULL && i < profile->n_processes; i++) {
        to[i].id = profile->processes[i].id;
        to[i].name = replace(r, "process-", profile->processes[i].name);
        if (strspn(to[i].id, "0123456789") != strlen(to[i].id)) {
            to[i].id = replace(r, "process-", to[i].id);
        }
    }
    profile->processes = to;
}

static void redact_markers(const redaction *r, af_profile *profile)
{
    for (uint32_t i = 0; i < profile->markers.n_series; i++) {
        af_marker_series *series = (af_marker_series *)&profile->markers.series[i];
        series->name = replace(r, "marker-", series->name);
    }
}

static void redact_layers(const redaction *r, af_profile *profile)
{
    for (size_t i = 0; i < profile->timeline.n; i++) {
        af_timeline_frame *frame = (af_timeline_frame *)&profile->timeline.frames[i];
        frame->layer = replace(r, "layer-", frame->layer);
    }
}

static void redact_keys(const redaction *r, af_facts *facts)
{
    static const char *const known[] = {"clock",
                                        "data-file-overflow",
                                        "elapsed-time-usec",
                                        "elapsed-time-nsec",
                                        "clock-call-overhead-nsec",
                                        "num-method-calls",
                                        "pid",
                                        "vm",
                                        NULL};
    af_fact *to = af_arena_alloc(r->arena, sizeof *to * ((size_t)facts->n_keys + 1));
    unsigned n = 0;
    for (unsigned i = 0; to != NULL && i < facts->n_keys; i++) {
        const char *value = facts->keys[i].value;
        if (g_strv_contains(known, facts->keys[i].key) &&
            strspn(value, "0123456789") == strlen(value)) {
            to[n++] = facts->keys[i];
        }
    }
    facts->keys = to;
    facts->n_keys = n;
}

static const char *redact_package(const redaction *r, const char *package)
{
    if (package == NULL) {
        return NULL;
    }
    af_pseudonym_append_package(begin_text(r), r->key, package);
    return take_text(r);
}

static void redact_facts(const redaction *r, af_facts *facts, const char *input)
{
    static const char *const clocks[] = {"dual", "wall", "thread-cpu", "global", NULL};
    static const char *const machines[] = {"art", "dalvik", NULL};
    facts->android.clock = keep_known(facts->android.clock, clocks);
    facts->android.vm = keep_known(facts->android.vm, machines);
    facts->format.producer = NULL;
    facts->weights.event = replace(r, "event-", facts->weights.event);
    facts->app = redact_package(r, facts->app);
    facts->saved.input = input;
    facts->saved.carrier_file = NULL;
    redact_keys(r, facts);
}

static void redact_mappings(const redaction *r, af_profile *profile)
{
    af_mapped_facts *to = af_arena_alloc(r->arena, sizeof *to * ((size_t)profile->n_mapped + 1));
    for (uint32_t i = 0; to != NULL && i < profile->n_mapped; i++) {
        to[i] = profile->mapped[i];
        to[i].path = "mapping.txt";
        to[i].compiler = to[i].version = to[i].id = NULL;
    }
    profile->mapped = to;
}

/* "--focus onBind" -> "--focus", whose message may quote names. */
static void redact_steps(const redaction *r, af_profile *profile)
{
    af_step_record *to = af_arena_alloc(r->arena, sizeof *to * ((size_t)profile->n_steps + 1));
    for (unsigned i = 0; to != NULL && i < profile->n_steps; i++) {
        to[i] = profile->steps[i];
        to[i].option = af_arena_copy(r->arena, to[i].option, strcspn(to[i].option, " ="));
        to[i].message = NULL;
    }
    profile->steps = to;
}

static gboolean is_of_platform(const af_profile *profile, uint32_t group)
{
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        const char *library = profile->methods[profile->labels[l].method].library;
        if (profile->labels[l].group == group + 1) {
            return library != NULL && is_platform_file(library);
        }
    }
    return FALSE;
}

static gboolean is_category(const char *title)
{
    for (unsigned i = 0; i < AF_CATEGORY_COUNT; i++) {
        if (strcmp(af_category_title((af_category)i), title) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Libraries of the platform and categories keep their titles. */
static void redact_groups(const redaction *r, af_profile *profile)
{
    af_group *to = af_arena_alloc(r->arena, sizeof *to * ((size_t)profile->n_groups + 1));
    for (uint32_t i = 0; to != NULL && i < profile->n_groups; i++) {
        to[i] = profile->groups[i];
        if (!is_category(to[i].title) && !is_of_platform(profile, i)) {
            to[i].title = redact_package(r, to[i].title);
        }
    }
    profile->groups = to;
}

static gboolean redact_own(redaction *r, af_profile *profile, const char *input)
{
    r->arena = profile->arena;
    const char *name = replace(r, "trace-", input);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        profile->threads[t].name = redact_thread(r, &profile->threads[t]);
    }
    redact_processes(r, profile);
    redact_facts(r, &profile->facts, name);
    redact_mappings(r, profile);
    redact_groups(r, profile);
    redact_steps(r, profile);
    profile->app = redact_package(r, profile->app);
    profile->keeps_methods = FALSE; /* stored now, because categories are derived from the names */
    return redact_wakers(r, profile) && !af_arena_failed(profile->arena) &&
           af_profile_title_threads(profile);
}

/* The sums of runs have their own names, so only the number of runs stays. */
static gboolean drop_run_names(af_profile *profile)
{
    if (profile->run_sums == NULL) {
        return TRUE;
    }
    af_run_sums *bare = af_arena_alloc(profile->arena, sizeof *bare);
    if (bare != NULL) {
        *bare = (af_run_sums){.n_runs = profile->run_sums->n_runs};
        profile->run_sums = bare;
    }
    return bare != NULL;
}

gboolean af_profile_redact_names(af_profile *profile, const char *input,
                                 const af_pseudonym_key *key)
{
    redaction r = {.key = key, .text = g_string_new(NULL)};
    gboolean ok = TRUE;
    const af_label *labels = NULL;
    for (af_profile *p = profile; ok && p != NULL; p = (af_profile *)p->base) {
        r.arena = p->arena;
        for (uint32_t l = 0; p->labels != labels && l < p->n_labels; l++) {
            redact_label(&r, p, &p->labels[l]);
        }
        labels = p->labels;
        ok = redact_own(&r, p, input) && drop_run_names(p);
    }
    /* methods and markers are shared by all; labels were made from the names as they were */
    r.arena = profile->arena;
    for (uint32_t m = 0; ok && m < profile->n_methods; m++) {
        redact_method(&r, &profile->methods[m]);
    }
    redact_markers(&r, profile);
    redact_layers(&r, profile);
    g_string_free(r.text, TRUE);
    return ok && !af_arena_failed(profile->arena);
}
