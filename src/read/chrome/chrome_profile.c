#include <string.h>

#include "base/idtable.h"
#include "read/chrome/chrome.h"

typedef struct {
    uint32_t frame, caller; /* + 1; 0 = unknown; the caller: of the node that lists it as a child */
} profile_node;

/* A profile that arrives in chunks. */
typedef struct {
    uint32_t of;      /* the sampled thread */
    gboolean started; /* `ns` is known */
    gboolean sampled; /* it has samples */
    int64_t ns;       /* of the last sample */
    af_idtable nodes; /* of profile_node */
    uint32_t last;    /* frame of the last sample other than garbage collection */
} profile;

struct af_chrome_profiles {
    af_chrome *chrome;
    af_textmap keys;
    af_array profiles; /* of profile, by index of the key */
    GString *name;
};

af_chrome_profiles *af_chrome_profiles_new(af_chrome *chrome)
{
    af_meter *const meter = af_sink_meter(chrome->sink);
    af_chrome_profiles *p = g_new0(af_chrome_profiles, 1);
    p->chrome = chrome;
    af_textmap_init_metered(&p->keys, meter);
    af_array_init_metered(&p->profiles, sizeof(profile), meter);
    p->name = g_string_new(NULL);
    return p;
}

void af_chrome_profiles_free(af_chrome_profiles *p)
{
    for (size_t i = 0; i < p->profiles.n; i++) {
        af_idtable_clear(&AF_ARRAY_AT(&p->profiles, profile, i).nodes);
    }
    af_array_clear(&p->profiles);
    af_textmap_clear(&p->keys);
    g_string_free(p->name, TRUE);
    g_free(p);
}

/* Returns the profile of an event, identified by process and id, or a new one without an id; NULL
 * if memory is refused. */
static profile *find_profile(af_chrome_profiles *p, const af_chrome_event *event, gboolean own)
{
    af_chrome *c = p->chrome;
    const af_pull_value *id = af_chrome_get(event, AF_FIELD_ID);
    const af_owner_id process = af_chrome_process_id(c, event);
    const af_owner_id thread = af_chrome_thread_id(c, event);
    g_string_printf(p->name, "%u ", af_owners_process(c->owners, &process));
    if (id != NULL) {
        af_span_append(p->name, id->text);
    }
    if (own) {
        g_string_append_printf(p->name, " own %zu", p->profiles.n);
    }
    const size_t known = p->profiles.n;
    const uint32_t number =
        af_textmap_keep(&p->keys, af_sink_arena(c->sink), p->name->str, p->name->len);
    profile *found = af_array_slot(&p->profiles, number);
    if (number >= known && found != NULL) {
        *found = (profile){.of = af_chrome_samples_of(c->samples, &process, &thread),
                           .last = AF_NO_FRAME};
        af_idtable_init(&found->nodes, sizeof(profile_node), af_sink_meter(c->sink));
    }
    return found;
}

/* "name", "(anonymous file.js:12)". */
static void write_name(af_chrome_profiles *p, af_span call)
{
    GString *buffer = p->chrome->buffer;
    af_pull_value value;
    int64_t line;
    g_string_truncate(p->name, 0);
    if (af_json_find_member(call, "functionName", &value) && value.kind == AF_PULL_STRING &&
        value.text.length > 0) {
        const af_span name = af_pull_text(&value, buffer);
        af_span_append(p->name, name);
        return;
    }
    g_string_append(p->name, "(anonymous");
    if (af_json_find_member(call, "url", &value) && value.kind == AF_PULL_STRING &&
        value.text.length > 0) {
        const af_span url = af_pull_text(&value, buffer);
        const char *slash = memrchr(url.bytes, '/', url.length);
        const char *file = slash == NULL ? url.bytes : slash + 1;
        g_string_append_c(p->name, ' ');
        g_string_append_len(p->name, file, url.bytes + url.length - file);
        if (af_json_find_member(call, "lineNumber", &value) && af_pull_whole(value.text, &line) &&
            line < INT32_MAX) {
            g_string_append_printf(p->name, ":%" G_GINT64_FORMAT, line + 1);
        }
    }
    g_string_append_c(p->name, ')');
}

static gboolean member_number(af_span object, const char *key, int64_t *number)
{
    af_pull_value value;
    return af_json_find_member(object, key, &value) && af_pull_whole(value.text, number);
}

/* The node of an id, which may be unknown. */
static profile_node look_up(const profile *of, int64_t id)
{
    const profile_node *known = af_idtable_find(&of->nodes, (uint64_t)id);
    return known != NULL ? *known : (profile_node){0, 0};
}

/* Old profiles list the children of a node, not its parent. */
static void take_children(profile *of, af_span children, uint32_t frame)
{
    af_pull json = af_pull_into(children);
    af_pull_value child;
    int64_t id;
    while (af_pull_item(&json, &child)) {
        profile_node *listed =
            af_pull_whole(child.text, &id) ? af_idtable_item(&of->nodes, (uint64_t)id) : NULL;
        if (listed != NULL) {
            listed->caller = frame + 1;
        }
    }
}

/* Callers precede their callees. The root node is not a function. */
static void take_node(af_chrome_profiles *p, profile *of, af_span object)
{
    af_pull_value call, children;
    int64_t id, parent;
    if (!member_number(object, "id", &id)) {
        return;
    }
    const uint32_t caller = member_number(object, "parent", &parent) ? look_up(of, parent).frame
                                                                     : look_up(of, id).caller;
    const af_span none = {NULL, 0};
    write_name(p, af_json_find_member(object, "callFrame", &call) ? call.text : none);
    uint32_t frame = AF_NO_FRAME;
    if (strcmp(p->name->str, "(root)") != 0) {
        const uint32_t method = af_frames_name(&p->chrome->names, af_span_of_string(p->name));
        frame = af_chrome_samples_add_frame(p->chrome->samples, caller - 1, method);
    }
    profile_node *known = af_idtable_item(&of->nodes, (uint64_t)id);
    if (known != NULL) {
        known->frame = frame + 1;
    }
    if (af_json_find_member(object, "children", &children) && children.kind == AF_PULL_ARRAY) {
        take_children(of, children.text, frame);
    }
}

/* Garbage collection counts for the frame that ran before it. */
static uint32_t attach_collection(af_chrome_profiles *p, profile *of, uint32_t frame)
{
    static const char collector[] = "(garbage collector)";
    const uint32_t method =
        af_frames_name(&p->chrome->names, (af_span){collector, sizeof collector - 1});
    if (frame != af_chrome_samples_add_frame(p->chrome->samples, AF_NO_FRAME, method)) {
        of->last = frame;
        return frame;
    }
    return af_chrome_samples_add_frame(p->chrome->samples, of->last, method);
}

static void take_samples(af_chrome_profiles *p, profile *of, const af_pull_value *samples,
                         const af_pull_value *deltas)
{
    af_pull ids = af_pull_into(samples->text);
    af_pull steps = af_pull_into(deltas->text);
    af_pull_value id, step;
    int64_t node, step_ns, ns;
    while (af_pull_item(&ids, &id) && af_pull_item(&steps, &step)) {
        if (!af_pull_whole(id.text, &node) || !af_chrome_length(&step, &step_ns) ||
            __builtin_add_overflow(of->ns, step_ns, &ns)) {
            af_sink_warn(p->chrome->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
            continue;
        }
        of->ns = ns;
        const uint32_t frame = attach_collection(p, of, look_up(of, node).frame - 1);
        af_chrome_samples_add(p->chrome->samples, of->of, ns, frame);
    }
}

/* Finds a member of `data` or, without one, of the tree, which may be NULL. */
static gboolean find_member(af_span data, const af_pull_value *tree, const char *key,
                            af_pull_value *value)
{
    return af_json_find_member(data, key, value) ||
           (tree != NULL && af_json_find_member(tree->text, key, value));
}

/* Takes the nodes and samples of `tree`, which may be cut short; the members of `data` come before
 * its own. Returns whether there are samples. */
static gboolean take_tree(af_chrome_profiles *p, profile *of, af_span data,
                          const af_pull_value *tree, gboolean cut)
{
    const af_span text = tree != NULL ? tree->text : (af_span){NULL, 0};
    gboolean sampled = FALSE;
    af_pull_value time, nodes, samples, deltas;
    int64_t end_ns, tree_ns = 0, shift_ns = 0;
    if (af_json_find_member(data, "startTime", &time) && af_chrome_ns(p->chrome, &time, &of->ns)) {
        of->started = TRUE;
    }
    const gboolean tree_started =
        af_json_find_member(text, "startTime", &time) && af_chrome_ns(p->chrome, &time, &tree_ns);
    if (!of->started && tree_started) {
        of->ns = tree_ns;
        of->started = TRUE;
    }
    /* the tree may have another clock than the event that holds it */
    if (!tree_started || of->sampled || __builtin_sub_overflow(of->ns, tree_ns, &shift_ns)) {
        shift_ns = 0;
    }
    if (af_json_find_member(text, "nodes", &nodes) && nodes.kind == AF_PULL_ARRAY) {
        af_pull json = af_pull_into(nodes.text);
        af_pull_value node;
        while (af_pull_item(&json, &node)) {
            take_node(p, of, node.text);
        }
    }
    if (af_json_find_member(text, "samples", &samples) && samples.kind == AF_PULL_ARRAY &&
        find_member(data, tree, "timeDeltas", &deltas) && deltas.kind == AF_PULL_ARRAY) {
        take_samples(p, of, &samples, &deltas);
        sampled = of->sampled = TRUE;
    }
    /* a truncated profile says nothing about the time after its last sample */
    if (!cut && find_member(data, tree, "endTime", &time) &&
        af_chrome_ns(p->chrome, &time, &end_ns) &&
        !__builtin_add_overflow(end_ns, af_json_find_member(data, "endTime", &time) ? 0 : shift_ns,
                                &end_ns) &&
        end_ns >= of->ns) {
        af_chrome_samples_add(p->chrome->samples, of->of, end_ns, AF_NO_FRAME);
    }
    return sampled;
}

static void take_data(af_chrome_profiles *p, profile *of, af_span data)
{
    af_pull_value tree;
    take_tree(p, of, data, af_json_find_member(data, "cpuProfile", &tree) ? &tree : NULL, FALSE);
}

gboolean af_chrome_profiles_take_file(af_chrome_profiles *p, const af_pull_value *tree,
                                      gboolean cut)
{
    const af_chrome_event none = {0};
    profile *of = find_profile(p, &none, TRUE);
    return of == NULL || take_tree(p, of, tree->text, tree, cut);
}

gboolean af_chrome_profiles_take_whole(af_chrome_profiles *p, const af_chrome_event *event)
{
    const af_pull_value *name = af_chrome_get(event, AF_FIELD_NAME);
    const af_pull_value *arguments = af_chrome_get(event, AF_FIELD_ARGUMENTS);
    af_pull_value data;
    if (name == NULL || !af_span_is(name->text, "CpuProfile") || arguments == NULL ||
        !af_json_find_member(arguments->text, "data", &data)) {
        return FALSE;
    }
    profile *of = find_profile(p, event, TRUE);
    if (of != NULL) {
        take_data(p, of, data.text);
    }
    return TRUE;
}

gboolean af_chrome_profiles_take(af_chrome_profiles *p, const af_chrome_event *event)
{
    const af_pull_value *name = af_chrome_get(event, AF_FIELD_NAME);
    const af_pull_value *arguments = af_chrome_get(event, AF_FIELD_ARGUMENTS);
    af_pull_value data;
    if (name == NULL ||
        (!af_span_is(name->text, "Profile") && !af_span_is(name->text, "ProfileChunk"))) {
        return FALSE;
    }
    profile *of = find_profile(p, event, FALSE);
    if (of == NULL || arguments == NULL || !af_json_find_member(arguments->text, "data", &data)) {
        return TRUE;
    }
    if (!of->started) {
        /* each chunk repeats its metadata, in case the first event is missing */
        of->started = af_chrome_ns(p->chrome, af_chrome_get(event, AF_FIELD_TIME), &of->ns);
    }
    take_data(p, of, data.text);
    return TRUE;
}
