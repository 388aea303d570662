/* Stacks in a Perfetto trace, of inputs without single calls: one packet (StackSample) for each
 * sample, with its thread, its stack and its weight. Recorded samples have their times, in ns since
 * the first one. If there are only trees, each node with time of its own is one sample, in sequence,
 * as if it ran once.
 *
 * Functions, libraries and source files are written at the top, a stack in front of the first
 * sample that has it. A thread without samples gets one of weight 0, to keep it. What the weights
 * count is stated once, as a default: ns of a clock, or the event of the recording with its unit. */
#include "export/perfetto_form.h"

#include "base/memory_error.h"
#include "base/own_trace.h"
#include "base/textmap.h"
#include "export/calls.h"
#include "export/paths.h"
#include "export/slices.h"

/* Estimated size of a frame in a stack. */
#define FRAME_BYTES 2

/* The number of the mapping of functions whose library is unknown. */
#define NO_LIBRARY 1

/* Perfetto's name for the library of kernel functions. */
#define KERNEL "/kernel"

typedef struct {
    af_perfetto_form *form;
    af_textmap libraries, sources; /* the number of a text is its index + 1 */
    const af_tree *tree;           /* of the current thread */
    uint64_t *stacks;              /* by node of this tree: number of the stack, 0 = not written */
    uint64_t n_stacks;
    uint64_t *path; /* of the current stack: numbers of frames */
    char *unit;     /* NULL = ns */
    Af__Perfetto__StackSample__TaskContext context;
} samples;

static Af__Perfetto__InternedString make_string(uint64_t iid, const char *text)
{
    Af__Perfetto__InternedString string = AF__PERFETTO__INTERNED_STRING__INIT;
    string.has_iid = string.has_str = TRUE;
    string.iid = iid;
    string.str.data = (uint8_t *)text;
    string.str.len = strlen(text);
    return string;
}

/* The number of a text, 0 if memory is refused. */
static uint64_t find_text(af_textmap *map, const char *text, gboolean *is_new)
{
    const uint32_t known = map->n;
    const uint32_t number = af_textmap_add(map, text, strlen(text));
    *is_new = number != AF_TEXTMAP_NONE && number >= known;
    return number == AF_TEXTMAP_NONE ? 0 : number + UINT64_C(1);
}

/* The number of a mapping; writes a new one. 0 if memory is refused. */
static uint64_t find_library(samples *s, const char *library)
{
    gboolean is_new;
    const uint64_t iid = find_text(&s->libraries, library, &is_new);
    if (is_new) {
        uint64_t part = iid;
        Af__Perfetto__InternedString path = make_string(iid, library), *paths = &path;
        Af__Perfetto__Mapping mapping = AF__PERFETTO__MAPPING__INIT, *mappings = &mapping;
        Af__Perfetto__InternedData names = AF__PERFETTO__INTERNED_DATA__INIT;
        mapping.has_iid = TRUE;
        mapping.iid = iid;
        names.n_mappings = 1;
        names.mappings = &mappings;
        if (iid != NO_LIBRARY) {
            mapping.n_path_string_ids = 1;
            mapping.path_string_ids = &part;
            names.n_mapping_paths = 1;
            names.mapping_paths = &paths;
        }
        af_perfetto_form_put_names(s->form, &names);
    }
    return iid;
}

/* The same for a source file. */
static uint64_t find_source(samples *s, const char *source)
{
    gboolean is_new;
    const uint64_t iid = find_text(&s->sources, source, &is_new);
    if (is_new) {
        Af__Perfetto__InternedString path = make_string(iid, source), *paths = &path;
        Af__Perfetto__InternedData names = AF__PERFETTO__INTERNED_DATA__INIT;
        names.n_source_paths = 1;
        names.source_paths = &paths;
        af_perfetto_form_put_names(s->form, &names);
    }
    return iid;
}

/* The number of a frame is that of its label + 1. */
static gboolean put_frame(samples *s, uint32_t number)
{
    const af_profile *profile = s->form->profile;
    const uint32_t label = s->form->used.labels[number];
    const af_label *l = &profile->labels[label];
    const char *library = l->category == AF_CATEGORY_KERNEL ? KERNEL
                          : l->methods == 0                 ? NULL
                                                            : profile->methods[l->method].library;
    int32_t line;
    const char *source = af_label_source(profile, label, &line);
    Af__Perfetto__InternedString name = make_string(number + UINT64_C(1), l->text), *list = &name;
    Af__Perfetto__Frame frame = AF__PERFETTO__FRAME__INIT, *frames = &frame;
    Af__Perfetto__InternedData names = AF__PERFETTO__INTERNED_DATA__INIT;
    frame.has_iid = frame.has_function_name_id = frame.has_mapping_id = TRUE;
    frame.iid = frame.function_name_id = name.iid;
    frame.mapping_id = find_library(s, library != NULL ? library : "");
    frame.has_source_path_iid = source != NULL;
    frame.source_path_iid = source != NULL ? find_source(s, source) : 0;
    frame.has_line_number = source != NULL && line > 0;
    frame.line_number = frame.has_line_number ? (uint32_t)line : 0;
    names.n_function_names = names.n_frames = 1;
    names.function_names = &list;
    names.frames = &frames;
    af_perfetto_form_put_names(s->form, &names);
    return frame.mapping_id > 0 && (source == NULL || frame.source_path_iid > 0);
}

static gboolean put_frames(samples *s, GError **error)
{
    const af_perfetto_form *form = s->form;
    gboolean ok = find_library(s, "") == NO_LIBRARY;
    for (uint32_t i = 0; ok && i < form->used.n && form->out->error == NULL; i++) {
        ok = put_frame(s, i);
    }
    return ok || af_memory_error_set(error);
}

static gboolean begin_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    samples *s = user;
    s->tree = s->form->profile->threads[thread].tree;
    s->stacks = g_try_new0(uint64_t, s->tree->n);
    s->context.has_pid = s->context.has_tid = TRUE;
    s->context.pid = s->form->selection->ids->pids[thread];
    s->context.tid = s->form->selection->ids->tids[thread];
    return s->stacks != NULL || af_memory_error_set(error);
}

static void put_stack(samples *s, uint32_t node)
{
    Af__Perfetto__Callstack stack = AF__PERFETTO__CALLSTACK__INIT, *stacks = &stack;
    Af__Perfetto__InternedData names = AF__PERFETTO__INTERNED_DATA__INIT;
    uint32_t depth = s->tree->depth[node];
    stack.has_iid = TRUE;
    stack.iid = s->stacks[node] = ++s->n_stacks;
    stack.n_frame_ids = depth;
    stack.frame_ids = s->path;
    for (uint32_t n = node; n != 0; n = s->tree->parent[n]) {
        s->path[--depth] = s->form->used.number_of[s->tree->label[n]] + UINT64_C(1);
    }
    names.n_callstacks = 1;
    names.callstacks = &stacks;
    af_perfetto_form_put_names(s->form, &names);
}

static gboolean put_sample(void *user, const af_export_slice *slice, GError **error)
{
    samples *s = user;
    Af__Perfetto__StackSample sample = AF__PERFETTO__STACK_SAMPLE__INIT;
    Af__Perfetto__TracePacket packet = AF__PERFETTO__TRACE_PACKET__INIT;
    if (s->stacks[slice->node] == 0) {
        put_stack(s, slice->node);
    }
    sample.task_context = &s->context;
    sample.has_callstack_iid = sample.has_primary_weight = TRUE;
    sample.callstack_iid = s->stacks[slice->node];
    sample.primary_weight = slice->end_ns - slice->begin_ns;
    packet.has_timestamp = packet.has_sequence_flags = TRUE;
    packet.timestamp = slice->begin_ns;
    packet.sequence_flags = AF_PERFETTO_NEEDS_STATE;
    packet.stack_sample = &sample;
    af_perfetto_form_put(s->form, &packet);
    return s->form->out->error == NULL || af_export_stop(error);
}

static gboolean end_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    samples *s = user;
    g_clear_pointer(&s->stacks, g_free);
    return TRUE;
}

static gboolean put_all(samples *s, GError **error)
{
    const af_export_slice_observer observer = {1, begin_thread, put_sample, end_thread, s};
    const af_profile *profile = s->form->profile;
    const af_unit *unit = &profile->facts.weights.unit;
    Af__Perfetto__StackSample__CounterDescriptor counter =
        AF__PERFETTO__STACK_SAMPLE__COUNTER_DESCRIPTOR__INIT;
    Af__Perfetto__StackSampleDefaults sample = AF__PERFETTO__STACK_SAMPLE_DEFAULTS__INIT;
    Af__Perfetto__TracePacketDefaults defaults = AF__PERFETTO__TRACE_PACKET_DEFAULTS__INIT;
    Af__Perfetto__TracePacket packet = AF__PERFETTO__TRACE_PACKET__INIT;
    counter.name = (char *)af_export_slices_measure(profile, s->form->selection);
    if (unit->counted) {
        counter.unit_str = s->unit;
    } else {
        counter.has_unit = TRUE;
        counter.unit = AF__PERFETTO__STACK_SAMPLE__COUNTER_DESCRIPTOR__UNIT__UNIT_TIME_NS;
    }
    sample.primary_descriptor = &counter;
    defaults.stack_sample_defaults = &sample;
    packet.trace_packet_defaults = &defaults;
    packet.has_sequence_flags = TRUE;
    packet.sequence_flags = AF_PERFETTO_NEEDS_STATE;
    af_perfetto_form_put(s->form, &packet);
    return put_frames(s, error) &&
           af_export_slices_walk_samples(s->form->profile, s->form->selection, &observer, error);
}

gboolean af_perfetto_samples_put(af_perfetto_form *form, GError **error)
{
    if (!af_paths_check(form->profile, form->selection, FRAME_BYTES, "stacks", error)) {
        return FALSE;
    }
    /* Weights are whole numbers, so fractions are counted in thousandths. NULL = ns. */
    samples s = {.form = form,
                 .unit = (!form->profile->facts.weights.unit.counted ? NULL
                          : form->profile->facts.weights.unit.digits == 0
                              ? g_strdup(form->profile->facts.weights.unit.name)
                              : g_strconcat(AF_TRACE_THOUSANDTHS,
                                            form->profile->facts.weights.unit.name, NULL))};
    s.context =
        (Af__Perfetto__StackSample__TaskContext)AF__PERFETTO__STACK_SAMPLE__TASK_CONTEXT__INIT;
    s.path = g_try_new(uint64_t, (size_t)af_profile_deepest(form->profile, form->selection->threads,
                                                            form->selection->n_threads) +
                                     1);
    af_textmap_init(&s.libraries);
    af_textmap_init(&s.sources);
    const gboolean ok = s.path != NULL ? put_all(&s, error) : af_memory_error_set(error);
    if (ok) {
        af_export_slices_report_untimed(form->selection, "Perfetto");
    }
    af_textmap_clear(&s.libraries);
    af_textmap_clear(&s.sources);
    g_free(s.stacks);
    g_free(s.path);
    g_free(s.unit);
    return ok;
}
