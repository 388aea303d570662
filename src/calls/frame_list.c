#include "calls/frame_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory_error.h"
#include "base/tally.h"
#include "base/textmap.h"
#include "calls/profile_walk.h"

#define NO_FRAME SIZE_MAX

/* Frames that are open at the same time on one thread. Apps work on two or three; more are damage,
 * and the calls of the later ones are not added up. */
#define MOST_WINDOWS 16u

typedef enum { NOT_DRAWING, DO_FRAME, DRAW_FRAMES, ROLES } role;

/* What the name of a label says about frames. */
typedef struct {
    role role;
    gboolean has_token;
    int64_t token;
} label_facts;

/* The part of a thread's time that fills a frame. */
typedef struct {
    size_t frame; /* NO_FRAME = all of the picture */
    uint32_t picture;
    int64_t from_ns, to_ns;
    uint32_t depth;   /* of its slice in the stack, from 1; 0 = it ends by time */
    af_tally self_ns; /* by label */
} window;

typedef struct {
    role role; /* of the slices that are this thread's work on frames */
    gboolean has_pid;
    int64_t pid;
    int64_t last_ns;
    af_array stack; /* of uint32_t: labels of the open calls */
    window windows[MOST_WINDOWS];
    unsigned n_windows;
    size_t next; /* the next frame that begins by time */
} thread_state;

typedef enum { NOT_GRADED, GOOD, NEITHER, LATE } grade;

typedef struct {
    int64_t pid, token;
    uint64_t call; /* the number of a call without a token, else 0 */
} picture_key;

/* The frames with a token: several if the app has several layers. It is late if one of them is, and
 * good if all are. */
typedef struct {
    const af_timeline_frame *expected;
    af_frame_part parts[AF_FRAME_PARTS];
    unsigned n_parts;
    grade grade;
} picture;

/* The time of a window. */
typedef struct {
    uint32_t picture;
    af_frame_span span;
} found_span;

typedef struct {
    const af_profile *profile;
    uint64_t frame_time_ns;
    label_facts *labels;    /* by label */
    af_idmap tokens[ROLES]; /* those that names of slices have */
    thread_state *threads;  /* by thread */
    af_array frames;        /* of af_listed_frame */
    af_arena *arena;        /* of picture_key */
    af_textmap keys;        /* numbers of pictures */
    af_array pictures;      /* of picture */
    af_array spans;         /* of found_span */
    gboolean from_calls, refused;
} listing;

/* Whether a name is `word`, or ends in it after a dot. */
static gboolean is_method(const char *text, const char *word)
{
    const size_t length = strlen(text), n = strlen(word);
    return length >= n && strcmp(text + length - n, word) == 0 &&
           (length == n || text[length - n - 1] == '.');
}

static label_facts read_label(const char *text)
{
    static const struct {
        const char *begin;
        role role;
    } slices[] = {{"Choreographer#doFrame", DO_FRAME}, {"DrawFrames", DRAW_FRAMES}};
    label_facts facts = {NOT_DRAWING, FALSE, 0};
    if (is_method(text, "Choreographer.doFrame")) {
        facts.role = DO_FRAME;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(slices); i++) {
        const size_t n = strlen(slices[i].begin);
        if (strncmp(text, slices[i].begin, n) == 0 && (text[n] == '\0' || text[n] == ' ')) {
            char *end;
            facts.role = slices[i].role;
            facts.token = g_ascii_strtoll(text + n, &end, 10);
            facts.has_token = text[n] == ' ' && end != text + n && *end == '\0';
        }
    }
    return facts;
}

/* The number of a process; FALSE if its id is none. */
static gboolean parse_pid(const af_profile *profile, uint32_t process, int64_t *pid)
{
    char *end;
    if (process >= profile->n_processes) {
        *pid = (int64_t)profile->facts.pid;
        return profile->facts.has_pid;
    }
    *pid = g_ascii_strtoll(profile->processes[process].id, &end, 10);
    return *end == '\0' && end != profile->processes[process].id;
}

static void choose_threads(listing *l)
{
    const af_profile *profile = l->profile;
    const uint32_t main = af_profile_find_main(profile);
    l->threads = g_try_new0(thread_state, (gsize)profile->n_threads + 1);
    for (uint32_t t = 0; l->threads != NULL && t < profile->n_threads; t++) {
        const af_thread *thread = &profile->threads[t];
        thread_state *state = &l->threads[t];
        state->has_pid = parse_pid(profile, thread->process, &state->pid);
        const gboolean is_main = thread->process == AF_NO_PROCESS
                                     ? t == main
                                     : state->has_pid && thread->id == (uint64_t)state->pid;
        state->role = thread->is_track                            ? NOT_DRAWING
                      : is_main                                   ? DO_FRAME
                      : strcmp(thread->name, "RenderThread") == 0 ? DRAW_FRAMES
                                                                  : NOT_DRAWING;
        state->last_ns = INT64_MIN;
        af_array_init(&state->stack, sizeof(uint32_t));
    }
    l->refused |= l->threads == NULL;
}

/* Whether the profile shows threads of the process. */
static gboolean has_process(const listing *l, int32_t pid)
{
    for (uint32_t t = 0; t < l->profile->n_threads; t++) {
        if (l->threads[t].has_pid && l->threads[t].pid == pid) {
            return TRUE;
        }
    }
    return l->profile->n_threads == 0;
}

/* NULL if memory is refused. */
static picture *reach_picture(listing *l, const picture_key *key, uint32_t *number)
{
    *number = af_textmap_keep(&l->keys, l->arena, (const char *)key, sizeof *key);
    picture *reached = af_array_slot(&l->pictures, *number);
    l->refused |= reached == NULL;
    return reached;
}

static void add_timeline(listing *l)
{
    const af_frame_timeline *timeline = &l->profile->timeline;
    const af_time_range range = af_profile_range(l->profile);
    const gboolean is_part = l->profile->facts.part.has_range;
    uint32_t number;
    for (size_t i = 0; i < timeline->n; i++) {
        const af_timeline_frame *frame = &timeline->frames[i];
        picture *of = frame->kind == AF_EXPECTED_SURFACE_FRAME
                          ? reach_picture(l, &(picture_key){frame->pid, frame->token, 0}, &number)
                          : NULL;
        if (of != NULL) {
            of->expected = frame;
        }
    }
    for (size_t i = 0; i < timeline->n; i++) {
        const af_timeline_frame *actual = &timeline->frames[i];
        const gboolean is_outside = is_part && (actual->end_ns <= (int64_t)range.from_ns ||
                                                actual->begin_ns >= (int64_t)range.to_ns);
        if (actual->kind != AF_ACTUAL_SURFACE_FRAME || is_outside || !has_process(l, actual->pid)) {
            continue;
        }
        af_listed_frame *frame = af_array_add(&l->frames, 1);
        const picture *of =
            reach_picture(l, &(picture_key){actual->pid, actual->token, 0}, &number);
        if (frame == NULL || of == NULL) {
            break;
        }
        const af_timeline_frame *expected = of->expected;
        *frame = (af_listed_frame){.actual = actual,
                                   .has_pid = TRUE,
                                   .has_token = TRUE,
                                   .has_late =
                                       expected != NULL && !expected->is_open && !actual->is_open,
                                   .is_open = actual->is_open != 0,
                                   .pid = actual->pid,
                                   .token = actual->token,
                                   .picture = number,
                                   .begin_ns = actual->begin_ns,
                                   .end_ns = actual->end_ns,
                                   .fault = af_fault_of_frame(actual),
                                   .thread = UINT32_MAX};
        if (frame->has_late) {
            frame->late_ns = (uint64_t)MAX(actual->end_ns - expected->end_ns, 0);
        }
    }
}

/* Ties are broken by thread and name, so that the result does not depend on the order. */
static gboolean is_longer(const af_profile *profile, const af_frame_part *a, const af_frame_part *b)
{
    if (a->self_ns != b->self_ns || a->thread != b->thread) {
        return a->self_ns != b->self_ns ? a->self_ns > b->self_ns : a->thread < b->thread;
    }
    return strcmp(profile->labels[a->label].text, profile->labels[b->label].text) < 0;
}

static void add_part(const af_profile *profile, af_frame_part parts[AF_FRAME_PARTS], unsigned *n,
                     const af_frame_part *part)
{
    unsigned at = *n;
    while (at > 0 && is_longer(profile, part, &parts[at - 1])) {
        at--;
    }
    if (at < AF_FRAME_PARTS) {
        *n = MIN(*n + 1, AF_FRAME_PARTS);
        memmove(&parts[at + 1], &parts[at], (*n - 1 - at) * sizeof *parts);
        parts[at] = *part;
    }
}

static window *open_window(thread_state *state, size_t frame, uint32_t number, int64_t from_ns,
                           int64_t to_ns)
{
    if (state->n_windows == MOST_WINDOWS) {
        return NULL;
    }
    window *w = &state->windows[state->n_windows++];
    *w = (window){.frame = frame, .picture = number, .from_ns = from_ns, .to_ns = to_ns};
    af_tally_init(&w->self_ns);
    return w;
}

static void close_window(listing *l, uint32_t thread, unsigned number)
{
    thread_state *state = &l->threads[thread];
    window *w = &state->windows[number];
    af_listed_frame *frame =
        w->frame == NO_FRAME ? NULL : &AF_ARRAY_AT(&l->frames, af_listed_frame, w->frame);
    picture *of = &AF_ARRAY_AT(&l->pictures, picture, w->picture);
    for (uint32_t i = 0; i < af_tally_size(&w->self_ns); i++) {
        const af_frame_part part = {thread, (uint32_t)af_tally_id(&w->self_ns, i),
                                    af_tally_count(&w->self_ns, i), state->role == DO_FRAME};
        add_part(l->profile, frame != NULL ? frame->parts : of->parts,
                 frame != NULL ? &frame->n_parts : &of->n_parts, &part);
    }
    found_span *span = af_array_add(&l->spans, 1);
    if (span != NULL) {
        const int64_t to_ns = w->to_ns == INT64_MAX ? state->last_ns : w->to_ns;
        *span = (found_span){
            w->picture, {thread, (uint64_t)MAX(w->from_ns, 0), (uint64_t)MAX(to_ns, 0), FALSE}};
    }
    af_tally_clear(&w->self_ns);
    state->windows[number] = state->windows[--state->n_windows];
}

/* The time of a thread up to `ns` belongs to its innermost call, and to the frames that are open. */
static void fill_windows(listing *l, uint32_t thread, int64_t ns)
{
    thread_state *state = &l->threads[thread];
    const size_t depth = state->stack.n;
    for (unsigned i = state->n_windows; i-- > 0;) {
        window *w = &state->windows[i];
        const int64_t from_ns = MAX(w->from_ns, state->last_ns), to_ns = MIN(w->to_ns, ns);
        if (depth > 0 && to_ns > from_ns) {
            const uint32_t label = AF_ARRAY_AT(&state->stack, uint32_t, depth - 1);
            l->refused |= !af_tally_add(&w->self_ns, label, to_ns - from_ns);
        }
        if (w->to_ns <= ns) {
            close_window(l, thread, i);
        }
    }
    state->last_ns = MAX(state->last_ns, ns);
}

/* Passes the time up to `ns`, in which frames begin that have no slice with their token. */
static void advance(listing *l, uint32_t thread, int64_t ns)
{
    thread_state *state = &l->threads[thread];
    for (; !l->from_calls && state->next < l->frames.n; state->next++) {
        const af_listed_frame *frame = &AF_ARRAY_AT(&l->frames, af_listed_frame, state->next);
        if (frame->begin_ns >= ns) {
            break;
        }
        if (frame->pid == state->pid &&
            af_idmap_find(&l->tokens[state->role], (uint64_t)frame->token) == AF_IDMAP_NONE) {
            fill_windows(l, thread, frame->begin_ns);
            open_window(state, state->next, frame->picture, frame->begin_ns, frame->end_ns);
        }
    }
    fill_windows(l, thread, ns);
}

static gboolean stop_if_refused(const listing *l, GError **error)
{
    return !(l->refused || l->frames.failed || l->spans.failed || l->pictures.failed) ||
           af_memory_error_set(error);
}

/* A slice of a frame begins: its window, and without timelines the frame itself. */
static void begin_slice(listing *l, uint32_t thread, const label_facts *facts, int64_t ns)
{
    thread_state *state = &l->threads[thread];
    for (unsigned i = 0; i < state->n_windows; i++) {
        if (state->windows[i].depth > 0) {
            return; /* within another one */
        }
    }
    const gboolean is_frame = l->from_calls && facts->role == DO_FRAME;
    const picture_key key = {state->pid, facts->token, facts->has_token ? 0 : l->frames.n + 1};
    uint32_t number;
    if ((!is_frame && !facts->has_token) || reach_picture(l, &key, &number) == NULL) {
        return;
    }
    if (is_frame && !af_array_append(&l->frames, &(af_listed_frame){.has_pid = state->has_pid,
                                                                    .pid = state->pid,
                                                                    .has_token = facts->has_token,
                                                                    .token = facts->token,
                                                                    .picture = number,
                                                                    .begin_ns = ns,
                                                                    .thread = thread})) {
        return;
    }
    window *w = open_window(state, is_frame ? l->frames.n - 1 : NO_FRAME, number, ns, INT64_MAX);
    if (w != NULL) {
        w->depth = (uint32_t)state->stack.n;
    }
}

static bool enter_call(void *user, const af_call_event *edge, GError **error)
{
    listing *l = user;
    thread_state *state = &l->threads[edge->thread];
    const label_facts *facts = &l->labels[edge->label];
    const int64_t ns = (int64_t)edge->time_ns[AF_WALL];
    advance(l, edge->thread, ns);
    if (!af_array_append(&state->stack, &edge->label)) {
        return af_memory_error_set(error);
    }
    if (facts->role != NOT_DRAWING && facts->role == state->role) {
        begin_slice(l, edge->thread, facts, ns);
    }
    return stop_if_refused(l, error);
}

static bool leave_call(void *user, const af_call_event *edge, GError **error)
{
    listing *l = user;
    thread_state *state = &l->threads[edge->thread];
    advance(l, edge->thread, (int64_t)edge->time_ns[AF_WALL]);
    for (unsigned i = state->n_windows; i-- > 0;) {
        const window *w = &state->windows[i];
        if (w->depth > 0 && w->depth == state->stack.n) {
            if (w->frame != NO_FRAME) {
                af_listed_frame *frame = &AF_ARRAY_AT(&l->frames, af_listed_frame, w->frame);
                frame->end_ns = (int64_t)edge->time_ns[AF_WALL];
                frame->is_open = edge->end == AF_CALL_OPEN;
                const uint64_t duration_ns = (uint64_t)(frame->end_ns - frame->begin_ns);
                frame->has_late = TRUE;
                frame->late_ns = duration_ns - MIN(duration_ns, l->frame_time_ns);
                frame->fault = frame->late_ns > 0 ? AF_FAULT_APP : AF_FAULT_NONE;
            }
            close_window(l, edge->thread, i);
        }
    }
    state->stack.n -= state->stack.n > 0;
    return stop_if_refused(l, error);
}

static gboolean walk(listing *l, GError **error)
{
    const af_observer observer = {enter_call, leave_call, NULL, l, NULL};
    const af_call_walk_options options = AF_CALL_WALK_OPTIONS_INIT;
    guint8 *wanted = g_try_malloc0((gsize)l->profile->n_threads + 1);
    if (wanted == NULL) {
        return af_memory_error_set(error);
    }
    for (uint32_t t = 0; t < l->profile->n_threads; t++) {
        wanted[t] = l->threads[t].role != NOT_DRAWING;
    }
    const gboolean ok = af_profile_walk_threads(l->profile, wanted, &observer, &options, error);
    g_free(wanted);
    for (uint32_t t = 0; t < l->profile->n_threads; t++) {
        while (l->threads[t].n_windows > 0) {
            close_window(l, t, l->threads[t].n_windows - 1);
        }
    }
    return ok && stop_if_refused(l, error);
}

/* Gives frames the parts of their pictures. */
static void join_parts(listing *l)
{
    for (size_t i = 0; i < l->frames.n; i++) {
        af_listed_frame *frame = &AF_ARRAY_AT(&l->frames, af_listed_frame, i);
        const picture *of = &AF_ARRAY_AT(&l->pictures, picture, frame->picture);
        for (unsigned p = 0; p < of->n_parts; p++) {
            add_part(l->profile, frame->parts, &frame->n_parts, &of->parts[p]);
        }
    }
}

static grade grade_frame(const af_listed_frame *frame)
{
    return frame->has_late && frame->late_ns > 0              ? LATE
           : frame->has_late && frame->fault == AF_FAULT_NONE ? GOOD
                                                              : NEITHER;
}

static int compare_spans(const void *a, const void *b)
{
    const af_frame_span *x = a, *y = b;
    return x->thread != y->thread     ? (x->thread < y->thread ? -1 : 1)
           : x->from_ns != y->from_ns ? (x->from_ns < y->from_ns ? -1 : 1)
                                      : (x->to_ns > y->to_ns) - (x->to_ns < y->to_ns);
}

/* Sorts the spans and gives time that two of them share to the first one. */
static void part_spans(af_frame_list *list)
{
    size_t n = 0;
    if (list->n_spans > 0) {
        qsort(list->spans, list->n_spans, sizeof *list->spans, compare_spans);
    }
    for (size_t i = 0; i < list->n_spans; i++) {
        af_frame_span span = list->spans[i];
        if (n > 0 && list->spans[n - 1].thread == span.thread) {
            span.from_ns = MAX(span.from_ns, list->spans[n - 1].to_ns);
        }
        if (span.from_ns < span.to_ns) {
            list->spans[n++] = span;
        }
    }
    list->n_spans = n;
}

/* Grades the pictures, and keeps the spans of late and good ones. */
static void grade_spans(const listing *l, af_frame_list *list)
{
    picture *pictures = l->pictures.items;
    for (size_t i = 0; i < l->frames.n; i++) {
        const af_listed_frame *frame = &AF_ARRAY_AT(&l->frames, af_listed_frame, i);
        pictures[frame->picture].grade = MAX(pictures[frame->picture].grade, grade_frame(frame));
    }
    for (size_t i = 0; i < l->pictures.n; i++) {
        list->n_late += pictures[i].grade == LATE;
        list->n_good += pictures[i].grade == GOOD;
    }
    list->spans = g_new(af_frame_span, l->spans.n + 1);
    for (size_t i = 0; i < l->spans.n; i++) {
        const found_span *found = &AF_ARRAY_AT(&l->spans, found_span, i);
        const grade g = pictures[found->picture].grade;
        if (g == LATE || g == GOOD) {
            list->spans[list->n_spans] = found->span;
            list->spans[list->n_spans++].is_late = g == LATE;
        }
    }
    part_spans(list);
}

static int compare_lateness(const void *a, const void *b)
{
    const af_listed_frame *x = a, *y = b;
    const int64_t x_ns = x->end_ns - x->begin_ns, y_ns = y->end_ns - y->begin_ns;
    if (x->has_late != y->has_late) {
        return x->has_late ? -1 : 1;
    }
    if (x->late_ns != y->late_ns) {
        return x->late_ns > y->late_ns ? -1 : 1;
    }
    return x_ns != y_ns                 ? (x_ns > y_ns ? -1 : 1)
           : x->begin_ns != y->begin_ns ? (x->begin_ns < y->begin_ns ? -1 : 1)
           : x->actual != y->actual     ? (x->actual < y->actual ? -1 : 1)
                                        : (x->thread > y->thread) - (x->thread < y->thread);
}

static void sort_frames(listing *l)
{
    if (l->frames.n > 0) {
        qsort(l->frames.items, l->frames.n, sizeof(af_listed_frame), compare_lateness);
    }
}

static void refuse(const listing *l, GError **error)
{
    const af_timeline_frame *frames = l->profile->timeline.frames;
    for (size_t i = 0; i < l->profile->timeline.n; i++) {
        if (frames[i].kind == AF_ACTUAL_SURFACE_FRAME) {
            g_set_error(error, AF_ERROR, AF_ERROR_NOTHING,
                        "no frames of the processes and the part that are shown; others, such as "
                        "process %d, have some (--process, --from)",
                        frames[i].pid);
            return;
        }
    }
    g_set_error_literal(error, AF_ERROR, AF_ERROR_NOTHING,
                        "no frames: neither frame timelines nor calls of Choreographer.doFrame");
}

static gboolean fill(listing *l, af_frame_list *list, GError **error)
{
    char *lack = af_profile_lacks_calls(l->profile, AF_WALL);
    list->has_parts = lack == NULL && af_profile_has(l->profile, AF_WALL);
    add_timeline(l);
    l->from_calls = l->frames.n == 0;
    gboolean ok = stop_if_refused(l, error);
    if (ok && l->from_calls && lack != NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "frames without frame timelines need single calls: %s", lack);
        ok = FALSE;
    } else if (ok && l->from_calls && !list->has_parts) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "frames need wall times, which the input lacks");
        ok = FALSE;
    }
    g_free(lack);
    ok = ok && (!list->has_parts || walk(l, error));
    if (ok && l->frames.n == 0) {
        refuse(l, error);
        ok = FALSE;
    }
    if (ok) {
        join_parts(l);
        grade_spans(l, list);
        sort_frames(l);
    }
    return ok;
}

/* FALSE with AF_ERROR_MEMORY. */
static gboolean begin(listing *l, GError **error)
{
    const af_profile *profile = l->profile;
    af_array_init(&l->frames, sizeof(af_listed_frame));
    l->arena = af_arena_new();
    af_textmap_init(&l->keys);
    af_array_init(&l->pictures, sizeof(picture));
    af_array_init(&l->spans, sizeof(found_span));
    for (unsigned i = 0; i < ROLES; i++) {
        af_idmap_init_hashed(&l->tokens[i], NULL);
    }
    l->labels = g_try_new0(label_facts, (gsize)profile->n_labels + 1);
    for (uint32_t i = 0; l->labels != NULL && i < profile->n_labels; i++) {
        l->labels[i] = read_label(profile->labels[i].text);
        if (l->labels[i].has_token) {
            af_idmap_number(&l->tokens[l->labels[i].role], (uint64_t)l->labels[i].token);
        }
    }
    l->refused |= l->labels == NULL || l->tokens[DO_FRAME].failed || l->tokens[DRAW_FRAMES].failed;
    choose_threads(l);
    return stop_if_refused(l, error);
}

static void take_frames(listing *l, af_frame_list *list)
{
    list->frames = l->frames.items;
    list->n = l->frames.n;
    list->from_calls = l->from_calls;
    af_array_init(&l->frames, sizeof(af_listed_frame));
}

static void end(listing *l)
{
    for (uint32_t t = 0; l->threads != NULL && t < l->profile->n_threads; t++) {
        af_array_clear(&l->threads[t].stack);
    }
    for (unsigned i = 0; i < ROLES; i++) {
        af_idmap_clear(&l->tokens[i]);
    }
    AF_ARRAYS_CLEAR(&l->frames, &l->pictures, &l->spans);
    af_textmap_clear(&l->keys);
    af_arena_free(l->arena);
    g_free(l->threads);
    g_free(l->labels);
}

af_frame_list *af_frame_list_new(const af_profile *profile, uint64_t frame_time_ns, GError **error)
{
    listing l = {.profile = profile,
                 .frame_time_ns = frame_time_ns == 0 ? AF_FRAME_TIME_NS : frame_time_ns};
    af_frame_list *list = g_new0(af_frame_list, 1);
    if (begin(&l, error) && fill(&l, list, error)) {
        take_frames(&l, list);
    } else {
        g_clear_pointer(&list, af_frame_list_free);
    }
    end(&l);
    return list;
}

af_frame_list *af_frame_list_new_timeline(const af_profile *profile)
{
    listing l = {.profile = profile};
    af_frame_list *list = g_new0(af_frame_list, 1);
    if (begin(&l, NULL)) {
        add_timeline(&l);
    }
    if (stop_if_refused(&l, NULL)) {
        sort_frames(&l);
        take_frames(&l, list);
    } else {
        g_clear_pointer(&list, af_frame_list_free);
    }
    end(&l);
    return list;
}

void af_frame_list_free(af_frame_list *list)
{
    if (list != NULL) {
        g_free(list->frames);
        g_free(list->spans);
        g_free(list);
    }
}
