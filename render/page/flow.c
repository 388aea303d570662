/* Text of the sheet: fitted lines, lines of pieces, numbers with their units. */
#include <string.h>

#include "base/number.h"
#include "model/labels.h"
#include "render/face.h"
#include "render/label.h"
#include "render/page/sheet_parts.h"

int32_t af_sheet_form(af_sheet *sheet, int32_t x, int32_t baseline, int32_t size, int32_t width_max,
                      gboolean bold, af_paint paint, af_label_form fitted)
{
    if (fitted.text) {
        af_scene_text_add(sheet->scene, &(af_scene_text){.x = x,
                                                         .baseline = baseline,
                                                         .size = size,
                                                         .width_max = width_max,
                                                         .bold = bold,
                                                         .paint = paint,
                                                         .advance = fitted.advance,
                                                         .simple = fitted.simple,
                                                         .text = fitted.text});
        g_free(fitted.text);
    }
    return fitted.advance;
}

void af_sheet_rect(const af_sheet *sheet, int32_t x, int32_t y, int32_t width, int32_t height,
                   af_paint paint)
{
    if (width > 0) {
        af_scene_rect_add(
            sheet->scene,
            &(af_scene_rect){.x = x, .y = y, .width = width, .height = height, .paint = paint});
    }
}

int32_t af_sheet_text(af_sheet *sheet, int32_t x, int32_t baseline, int32_t size, int32_t width_max,
                      gboolean bold, af_paint paint, const char *text)
{
    return af_sheet_form(sheet, x, baseline, size, width_max, bold, paint,
                         af_text_fit(text, bold, size, width_max));
}

void af_sheet_muted(af_sheet *sheet, int32_t below_c, const char *text)
{
    af_sheet_text(sheet, AF_MARGIN_C, sheet->y_c + below_c, AF_SMALL_C, sheet->graph_c, FALSE,
                  AF_PAINT_MUTED, text);
}

int32_t af_sheet_name(af_sheet *sheet, int32_t x, int32_t baseline, int32_t size, int32_t width_max,
                      gboolean bold, af_paint paint, const char *name)
{
    return af_sheet_form(sheet, x, baseline, size, width_max, bold, paint,
                         af_name_fit(name, bold, size, width_max));
}

/* Text that is broken into lines. */
typedef struct {
    af_sheet *sheet;
    const af_flow *flow;
    GString *line;
    int32_t x;
    unsigned lines;
} flowing;

static int32_t measure(const flowing *f, const char *text, size_t length)
{
    return af_face_advance(f->flow->bold, f->flow->size, text, length);
}

static void write_line(const flowing *f)
{
    af_sheet *sheet = f->sheet;
    const int32_t end = AF_MARGIN_C + sheet->graph_c;
    af_sheet_text(sheet, f->x, sheet->y_c, f->flow->size, end - f->x, f->flow->bold, f->flow->paint,
                  f->line->str);
}

static void add_piece(flowing *f, const char *piece, const char *separator)
{
    const int32_t end = AF_MARGIN_C + f->sheet->graph_c, left = AF_MARGIN_C + f->flow->indent_c;
    const gsize before = f->line->len;
    if (before > 0) {
        g_string_append(f->line, separator);
    }
    g_string_append(f->line, piece);
    const gboolean may_break = f->flow->lines_max == 0 || f->lines < f->flow->lines_max;
    if ((before > 0 || f->x > left) && may_break &&
        measure(f, f->line->str, f->line->len) > end - f->x) {
        g_string_truncate(f->line, before);
        write_line(f);
        g_string_assign(f->line, piece);
        f->sheet->y_c += f->flow->line_c;
        f->x = left;
        f->lines++;
    }
}

void af_sheet_flow(af_sheet *sheet, const af_flow *flow, const GPtrArray *pieces)
{
    const char *separator = flow->separator ? flow->separator : " \xc2\xb7 ";
    const int32_t left = AF_MARGIN_C + flow->indent_c;
    flowing f = {sheet, flow, g_string_new(NULL), left + flow->first_c, 1};
    for (guint i = 0; i < pieces->len; i++) {
        const char *piece = pieces->pdata[i];
        if (measure(&f, piece, strlen(piece)) <= AF_MARGIN_C + sheet->graph_c - left) {
            add_piece(&f, piece, separator);
            continue;
        }
        g_auto(GStrv) words = g_strsplit(piece, " ", -1);
        for (unsigned w = 0; words[w]; w++) {
            add_piece(&f, words[w], w == 0 ? separator : " ");
        }
    }
    write_line(&f);
    g_string_free(f.line, TRUE);
}

void af_sheet_flow_facts(af_sheet *sheet, int32_t advance, const GPtrArray *facts)
{
    af_sheet_flow(sheet,
                  &(af_flow){.first_c = advance + AF_NAME_TO_FACTS_C,
                             .size = AF_FACTS_C,
                             .line_c = AF_FACTS_LINE_C,
                             .paint = AF_PAINT_MUTED},
                  facts);
}

static gboolean runs_from_right(gunichar c)
{
    return (c >= 0x0590 && c <= 0x08FF) || c == 0x200F || (c >= 0xFB1D && c <= 0xFDFF) ||
           (c >= 0xFE70 && c <= 0xFEFE) || (c >= 0x10800 && c <= 0x10FFF) ||
           (c >= 0x1E800 && c <= 0x1EFFF);
}

char *af_sheet_isolate(const char *name)
{
    GString *text = g_string_new(NULL);
    gboolean turns = FALSE;
    for (const char *at = name; *at && (size_t)(at - name) < AF_NAME_MAX;
         at = g_utf8_next_char(at)) {
        const gunichar c = g_utf8_get_char(at);
        const gboolean is_control = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        turns = turns || runs_from_right(c);
        g_string_append_unichar(text, is_control ? 0xFFFD : c);
    }
    if (turns) {
        /* NOLINTNEXTLINE(misc-misleading-bidirectional): the isolate ends below */
        g_string_prepend(text, "\xe2\x81\xa8"); /* U+2068 first strong isolate */
        g_string_append(text, "\xe2\x81\xa9");  /* U+2069 pop it */
    }
    return g_string_free(text, FALSE);
}

void af_sheet_rule(af_sheet *sheet)
{
    af_sheet_rect(sheet, AF_MARGIN_C, sheet->y_c, sheet->graph_c, AF_PX, AF_PAINT_RULE);
    sheet->y_c += AF_PX;
}

/* A name as stored in the scene, cut between characters if it exceeds the limit for names. */
static const char *keep_name(af_sheet *sheet, const char *text, size_t length)
{
    if (length <= AF_NAME_MAX) {
        return af_scene_string(sheet->scene, text);
    }
    g_autofree char *cut = g_strdup_printf("%.*s…", (int)af_name_length(text, length), text);
    return af_scene_string(sheet->scene, cut);
}

const char *af_sheet_label(af_sheet *sheet, uint32_t label)
{
    const af_label *l = &sheet->profile->labels[label];
    if (sheet->names[label]) {
        return sheet->names[label];
    }
    if (l->length > AF_NAME_MAX) {
        sheet->names[label] = keep_name(sheet, l->text, l->length);
    } else if (l->methods == 1) {
        g_autoptr(GString) name = g_string_new(NULL);
        af_method_append_full(name, &sheet->profile->methods[l->method]);
        sheet->names[label] = keep_name(sheet, name->str, name->len);
    } else {
        sheet->names[label] = l->text;
    }
    return sheet->names[label];
}

const char *af_sheet_thread_name(af_sheet *sheet, const af_thread *thread)
{
    return keep_name(sheet, thread->title, strlen(thread->title));
}

void af_sheet_append_name(GString *to, const char *name)
{
    enum { CHARACTERS_MAX = 160 };
    const char *end = name, *cut = name;
    for (unsigned n = 0; n < CHARACTERS_MAX && *end != '\0'; n++) {
        cut = end;
        end = g_utf8_next_char(end);
    }
    if (*end == '\0') {
        g_string_append(to, name);
        return;
    }
    g_string_append_len(to, name, cut - name);
    g_string_append(to, "…");
}

char *af_sheet_count(uint64_t n, const char *one, const char *many)
{
    char text[AF_NUMBER_SIZE];
    return g_strdup_printf("%s %s", af_number_count(text, n), n == 1 ? one : many);
}

const char *af_sheet_thread_word(const af_profile *profile)
{
    const char *word = profile->facts.format.thread;
    return word != NULL ? word : AF_SAY_THREAD_WORD;
}

char *af_sheet_count_threads(const af_profile *profile, uint64_t n, const char *before)
{
    char text[AF_NUMBER_SIZE];
    return g_strdup_printf("%s %s%s%s", af_number_count(text, n), before,
                           af_sheet_thread_word(profile), n == 1 ? "" : "s");
}

char *af_sheet_list_thread(const char *name, const char *time, gboolean last)
{
    const af_label_form fitted = af_name_fit(name, FALSE, AF_SMALL_C, AF_NAME_WIDTH_MAX_C);
    g_autofree char *isolated = af_sheet_isolate(fitted.text ? fitted.text : AF_SAY_NO_NAME);
    g_free(fitted.text);
    g_autofree char *text =
        time != NULL ? g_strdup_printf(AF_SAY_THREAD_TIME, isolated, time) : g_strdup(isolated);
    return g_strconcat(text, last ? "" : ",", NULL);
}

void af_sheet_texture(af_sheet *sheet, const af_scene_rect *bar, af_texture texture)
{
    if (bar->width >= AF_TEXTURE_MIN_C) {
        af_scene_rect rect = *bar;
        rect.hatched = FALSE;
        rect.radius = 0;
        rect.texture = texture;
        rect.paint = texture == AF_TEXTURE_DOTS ? AF_PAINT_LABEL_MUTED : AF_PAINT_MUTED;
        af_scene_rect_add(sheet->scene, &rect);
    }
}

char *af_sheet_amount(const af_sheet *sheet, char text[AF_NUMBER_SIZE], uint64_t amount)
{
    return af_number_amount(text, amount, &sheet->profile->facts.weights.unit);
}

char *af_sheet_clocked(const af_sheet *sheet, uint64_t amount, af_clock clock)
{
    static const char *const names[] = {AF_SAY_CLOCKS};
    const gboolean clocked = af_profile_has_clocks(sheet->profile);
    char text[AF_NUMBER_SIZE];
    return g_strconcat(af_sheet_amount(sheet, text, amount), clocked ? " " : "",
                       clocked ? names[clock] : "", NULL);
}

const char *af_sheet_lines(af_sheet *sheet, const GPtrArray *facts)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    for (guint i = 0; i < facts->len; i++) {
        g_string_append(lines, i > 0 ? "\n" : "");
        g_string_append(lines, facts->pdata[i]);
    }
    return facts->len > 0 ? af_scene_string(sheet->scene, lines->str) : NULL;
}

uint64_t af_panel_time_ns(const af_sheet *sheet, const af_panel *panel)
{
    return af_thread_time_ns(sheet->profile, panel->thread, sheet->options->clock);
}

af_entry_words af_sheet_name_entries(const af_sheet *sheet, const uint32_t *threads, uint32_t first,
                                     uint32_t n)
{
    static const af_entry_words words[] = {{AF_SAY_CALLS}, {AF_SAY_SLICES}, {AF_SAY_CALLS_SLICES}};
    gboolean counted = FALSE, uncounted = FALSE;
    for (uint32_t i = first; i < first + n; i++) {
        const uint32_t thread = threads ? threads[i] : i;
        const gboolean counts =
            af_thread_counts_calls(sheet->profile, &sheet->profile->threads[thread]);
        counted = counted || counts;
        uncounted = uncounted || !counts;
    }
    return words[!uncounted ? 0 : !counted ? 1 : 2];
}

gboolean af_sheet_shows_waiting(const af_sheet *sheet)
{
    return sheet->options->clock == AF_WALL && af_profile_has(sheet->profile, AF_WAIT) &&
           af_sheet_options_have_panels(sheet->options);
}

void af_sheet_append_short(GString *to, const af_label *label)
{
    const char *name = label->text;
    for (uint32_t i = 0; i < label->class_length; i++) {
        name = label->text[i] == '.' || label->text[i] == '/' ? label->text + i + 1 : name;
    }
    af_sheet_append_name(to, name);
}
