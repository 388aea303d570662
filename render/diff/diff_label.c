/* The texts of frames: their labels, and the details of both sides. */
#include <string.h>

#include "render/diff/diff_parts.h"
#include "render/face.h"

/* " +12.3 ms (3.1x)", " -4.0 ms (gone)", " +2.0 ms (+5.0 %)?", " ~"; `brief`: without the parentheses. */
static void write_suffix(const af_diff *diff, const af_diff_tree *tree, uint32_t node,
                         gboolean brief, char *text, size_t size)
{
    const uint8_t status = tree->status[node];
    char change[AF_NUMBER_SIZE], ratio[AF_NUMBER_SIZE];
    const uint64_t before = af_diff_path_time(tree, AF_BEFORE, node);
    const uint64_t after = af_diff_path_time(tree, AF_AFTER, node);
    if (af_diff_is_pale(status)) {
        g_strlcpy(text, status == AF_DIFF_NOISE && !brief ? " ~" : "", size);
        return;
    }
    af_number_change(change, before, after, &diff->unit);
    static const char *const words[AF_DIFF_STATUSES] = {AF_SAY_DIFF_STATUSES};
    const char *reason = status == AF_DIFF_NEW || status == AF_DIFF_GONE || status == AF_DIFF_MOVED
                             ? words[status]
                             : af_number_ratio(ratio, before, after);
    const char *doubt = status == AF_DIFF_UNSURE ? "?" : "";
    if (brief || reason[0] == '\0') {
        g_snprintf(text, size, " %s%s", change, doubt);
    } else {
        g_snprintf(text, size, " %s (%s)%s", change, reason, doubt);
    }
}

static af_label borrow_label(const af_diff_label *label)
{
    return (af_label){.text = label->text,
                      .length = label->length,
                      .class_length = label->class_length,
                      .method_at = label->method_at,
                      .category = label->category,
                      .shade = label->shade};
}

/* The label followed by `suffix`; no text unless at least the name of the method fits. */
static af_label_form fit_both(const af_label *label, const char *suffix, int32_t width_max)
{
    const int32_t behind = af_face_advance(FALSE, AF_LABEL_C, suffix, strlen(suffix));
    af_label_form fitted = {0};
    if (behind < width_max) {
        fitted = af_label_fit(label, AF_LABEL_C, width_max - behind);
    }
    if (fitted.text == NULL || af_label_is_cut(&fitted, label)) {
        g_free(fitted.text);
        return (af_label_form){0};
    }
    char *text = g_strconcat(fitted.text, suffix, NULL);
    g_free(fitted.text);
    fitted.text = text;
    fitted.advance += behind;
    fitted.simple = fitted.simple && af_face_is_simple(FALSE, suffix, strlen(suffix));
    return fitted;
}

af_label_form af_diff_label_fit(const af_sheet *page, const af_panel *panel, const af_frame *frame)
{
    const af_diff_sheet *sheet = (const af_diff_sheet *)page;
    const int32_t width_max = frame->x1 - frame->x0 - AF_GAP_C - 2 * AF_INSET_C;
    if (frame->nodes > 0 || width_max < AF_LABEL_MIN_C) {
        return (af_label_form){0};
    }
    const af_diff_tree *tree = &sheet->diff->threads[panel->thread].tree;
    const af_label label = borrow_label(&sheet->diff->labels[tree->label[frame->node]]);
    char suffix[3 * AF_NUMBER_SIZE];
    for (unsigned brief = 0; brief < 2; brief++) {
        write_suffix(sheet->diff, tree, frame->node, brief == 1, suffix, sizeof suffix);
        const af_label_form fitted = fit_both(&label, suffix, width_max);
        if (fitted.text) {
            return fitted;
        }
    }
    return af_label_fit(&label, AF_LABEL_C, width_max);
}

void af_diff_append_change(GString *to, uint64_t before, uint64_t after, const af_unit *unit)
{
    char text[AF_NUMBER_SIZE];
    g_string_append(to, af_number_change(text, before, after, unit));
    if (*af_number_ratio(text, before, after) != '\0') {
        g_string_append_printf(to, " (%s)", text);
    }
}

static const char *const sides[AF_SIDES] = {"before", "after"};

/* "before 12.345 ms, self 1.000 ms, 3 calls" */
static void append_side(GString *to, const af_diff_sheet *sheet, const af_panel *panel,
                        uint32_t node, unsigned s)
{
    const af_diff *diff = sheet->diff;
    const af_diff_thread *thread = &diff->threads[panel->thread];
    const af_diff_tree *tree = &thread->tree;
    char number[AF_NUMBER_SIZE];
    if (!tree->present[s][node]) {
        g_string_append_printf(to, "%s: none", sides[s]);
        return;
    }
    char self[AF_NUMBER_SIZE];
    g_string_append_printf(
        to, "%s: %s, self %s", sides[s],
        af_number_amount_exact(number, af_diff_path_time(tree, s, node), &diff->unit),
        af_number_amount_exact(self, tree->self[s][diff->clock][node], &diff->unit));
    if (!thread->uncounted) {
        const uint64_t calls = tree->calls[s][node];
        g_string_append_printf(to, ", %s %s", af_number_count(number, calls),
                               calls == 1 ? "call" : "calls");
    }
}

static void append_verdict(GString *to, const af_diff *diff, const af_diff_tree *tree,
                           uint32_t node)
{
    static const char *const words[AF_DIFF_STATUSES] = {AF_SAY_DIFF_STATUSES};
    const uint64_t before = af_diff_path_time(tree, AF_BEFORE, node);
    const uint64_t after = af_diff_path_time(tree, AF_AFTER, node);
    if (before == after) {
        g_string_append(to, "\nequal");
        return;
    }
    g_string_append_c(to, '\n');
    af_diff_append_change(to, before, after, &diff->unit);
    g_string_append_printf(to, ", %s", words[tree->status[node]]);
    if (tree->p != NULL && tree->p[node] == AF_DIFF_FACT) {
        g_string_append(to, ", " AF_SAY_DIFF_FACT);
    } else if (tree->p != NULL && tree->p[node] >= 0) {
        char p[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append_printf(to, ", p = %s", g_ascii_formatd(p, sizeof p, "%.3f", tree->p[node]));
    }
}

/* "grown 12.345 ms, shrunk 1.000 ms" */
static void append_parts(GString *to, const af_diff *diff, const af_diff_parts *parts)
{
    char grown[AF_NUMBER_SIZE], shrunk[AF_NUMBER_SIZE];
    if (parts->grown > 0 || parts->shrunk > 0) {
        g_string_append_printf(to, "%s" AF_SAY_DIFF_PARTS, to->len > 0 ? "\n" : "",
                               af_number_amount_exact(grown, parts->grown, &diff->unit),
                               af_number_amount_exact(shrunk, parts->shrunk, &diff->unit));
    }
}

/* "moved, after: 3.000 ms, self 1.000 ms, 1 call, called by a.B.run: +0.20 ms (+7.1 %)": the
 * subtree at the other place, compared with this one. */
static void append_twin(GString *to, const af_diff_sheet *sheet, const af_panel *panel,
                        uint32_t node)
{
    const af_diff *diff = sheet->diff;
    const af_diff_tree *tree = &diff->threads[panel->thread].tree;
    const uint32_t twin = af_diff_path_twin(tree, node), parent = tree->parent[twin];
    if (tree->status[node] != AF_DIFF_MOVED || twin == node) {
        return;
    }
    const unsigned side = tree->present[AF_AFTER][twin] ? AF_AFTER : AF_BEFORE;
    const uint64_t there = af_diff_path_time(tree, side, twin);
    const uint64_t here = af_diff_path_time(tree, 1 - side, node);
    const uint64_t before = side == AF_AFTER ? here : there,
                   after = side == AF_AFTER ? there : here;
    g_string_append(to, "\nmoved, ");
    append_side(to, sheet, panel, twin, side);
    g_string_append_printf(
        to, ", called by %s: ", parent == 0 ? "nothing" : diff->labels[tree->label[parent]].text);
    if (before == after) {
        g_string_append(to, "equal");
    } else {
        af_diff_append_change(to, before, after, &diff->unit);
    }
}

const char *af_diff_details(const af_diff_sheet *sheet, const af_panel *panel,
                            const af_frame *frame)
{
    const af_diff_tree *tree = &sheet->diff->threads[panel->thread].tree;
    const af_diff_parts parts = af_diff_panel_parts(panel, tree, frame);
    g_autoptr(GString) text = g_string_new(NULL);
    if (frame->nodes == 0) {
        append_side(text, sheet, panel, frame->node, AF_BEFORE);
        g_string_append_c(text, '\n');
        append_side(text, sheet, panel, frame->node, AF_AFTER);
        append_verdict(text, sheet->diff, tree, frame->node);
        append_twin(text, sheet, panel, frame->node);
    }
    append_parts(text, sheet->diff, &parts);
    return af_scene_string(sheet->page.scene, text->str);
}
