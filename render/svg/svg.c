/* Writes SVG by hand: text stays text, every frame has a tooltip, and nothing needs a script. A
 * frame costs about a hundred bytes plus its title. */
#include <string.h>

#include "base/markup.h"
#include "base/memory_error.h"
#include "base/number.h"
#include "render/svg/hairlines.h"
#include "render/svg/svg_parts.h"
#include "render/words.h"
#include "render/sizes.h"

typedef struct {
    af_out out;
    const af_scene *scene;
    gboolean script;
    gboolean dark;            /* of the colours in attributes */
    int32_t pointed_at_from;  /* af_svg_pointed_at_from() */
    af_hairlines lines, feet; /* feet: bars at the feet of frames, on top of all of them */
    /* A frame's group that was started but not written yet: it may become a hairline. */
    const af_scene_group *held;
    const af_scene_rect *held_rects[2];
    unsigned n_held_rects;
    gboolean in_frame;
    GArray *labels;   /* const af_scene_text *: of frames that become hairlines, on top of these */
    unsigned pages;   /* number of pages so far */
    int64_t page_top; /* of the current page: pages follow below each other */
    int64_t next_top;
    /* Panels below the first screen, which follow the data. NULL = none yet. */
    GByteArray *later;
    af_write_func write; /* where the file goes */
    void *user;
} svg;

/* The XML form of a byte; NULL = the byte itself. */
static const char *find_entity(unsigned char byte)
{
    if (byte >= 0x20) {
        return af_markup_entity(byte);
    }
    return byte == '\t' ? "&#9;" : byte == '\n' ? "&#10;" : "\xef\xbf\xbd";
}

void af_svg_escape(af_out *out, const char *text)
{
    const char *end = text + strlen(text), *from = text;
    for (const char *at = text; at < end;) {
        const char *instead = NULL;
        const char *next = at + 1;
        if ((unsigned char)*at < 0x80) {
            instead = find_entity((unsigned char)*at);
        } else {
            const gunichar c = g_utf8_get_char_validated(at, end - at);
            if (c == (gunichar)-1 || c == (gunichar)-2 || c == 0xFFFE || c == 0xFFFF) {
                instead = "\xef\xbf\xbd";
            }
            if (c != (gunichar)-1 && c != (gunichar)-2) {
                next = g_utf8_next_char(at);
            }
        }
        if (instead) {
            af_out_bytes(out, from, (size_t)(at - from));
            af_out_text(out, instead);
            from = next;
        }
        at = next;
    }
    af_out_bytes(out, from, (size_t)(end - from));
}

void af_svg_number(af_out *out, const char *name, int64_t hundredths)
{
    af_out_texts(out, " ", name, "=\"");
    af_out_hundredths(out, hundredths);
    af_out_char(out, '"');
}

void af_svg_string(af_out *out, const char *name, const char *value)
{
    if (value) {
        af_out_texts(out, " ", name, "=\"");
        af_svg_escape(out, value);
        af_out_char(out, '"');
    }
}

/* A viewer that lacks the face must not draw past the frame's edge either. Browsers stretch a text as
 * a whole in half the time that they take to space its letters. */
static void write_length(af_out *out, int64_t advance)
{
    af_svg_number(out, "textLength", advance);
    af_out_text(out, " lengthAdjust=\"spacingAndGlyphs\"");
}

/* Moves a group down. */
static void write_moved(af_out *out, int64_t hundredths)
{
    if (hundredths > 0) {
        af_out_text(out, " transform=\"translate(0 ");
        af_out_hundredths(out, hundredths);
        af_out_text(out, ")\"");
    }
}

static void write_element(af_out *out, const char *name, const char *text)
{
    if (text) {
        af_out_texts(out, "<", name, ">");
        af_svg_escape(out, text);
        af_out_texts(out, "</", name, ">\n");
    }
}

/* The pixels of a frame's width, its solid and hatched part together; at most `most`. */
static unsigned measure_frame(const af_scene_command *commands, size_t *at, unsigned most)
{
    int64_t width_c = 0;
    for (; commands[*at].kind != AF_SCENE_POP; (*at)++) {
        if (commands[*at].kind == AF_SCENE_RECT && commands[*at].rect.paint != AF_PAINT_FOOT &&
            commands[*at].rect.texture == AF_TEXTURE_NONE) {
            width_c += commands[*at].rect.width;
        }
    }
    return (unsigned)MIN(width_c / 100, most);
}

int32_t af_svg_pointed_at_from(const af_scene *scene, gboolean script)
{
    enum { LEAST = 8, MOST = 1000, FRAMES_MAX = 600, FRAMES_MIN = 300 };
    if (!script) {
        return 100;
    }
    const af_scene_command *commands = scene->commands;
    uint32_t frames[MOST + 1] = {0}; /* by width */
    for (size_t i = 0; i < scene->n_commands; i++) {
        if (commands[i].kind == AF_SCENE_PUSH && commands[i].group->kind == AF_GROUP_FRAME) {
            frames[measure_frame(commands, &i, MOST)]++;
        }
    }
    unsigned limit = MOST;
    uint32_t wider = frames[MOST];
    while (limit > LEAST && (wider < FRAMES_MIN || wider + frames[limit - 1] <= FRAMES_MAX)) {
        wider += frames[--limit];
    }
    return (int32_t)limit * 100;
}

static void write_head(svg *self, const af_canvas_options *options)
{
    af_out *out = &self->out;
    const af_scene_about *about = &self->scene->about;
    int64_t width, height;
    af_scene_measure(self->scene, &width, &height);
    af_out_text(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"aflame");
    af_out_texts(out, options->fluid ? " fluid" : "",
                 "\" role=\"img\" xml:space=\"preserve\" fill=\"");
    af_svg_colour(out, AF_PAINT_LABEL, self->dark);
    af_out_text(out, "\" stroke-width=\".4\" font-family=\"" AF_SVG_FONTS "\" font-size=\"11.5\"");
    af_svg_number(out, "width", width);
    af_svg_number(out, "height", height);
    af_out_text(out, " viewBox=\"0 0 ");
    af_out_hundredths(out, width);
    af_out_char(out, ' ');
    af_out_hundredths(out, height);
    af_out_char(out, '"');
    af_svg_string(out, "preserveAspectRatio", af_svg_breaks_pages(self->scene) ? "xMidYMin" : NULL);
    af_svg_string(out, "data-program", options->program);
    af_svg_string(out, "data-input", about->input);
    af_svg_string(out, "data-app", about->app);
    af_svg_string(out, "data-clock", about->clock);
    af_svg_string(out, "data-unit", about->unit.name);
    af_svg_string(out, "data-threads", about->selection);
    af_svg_string(out, "data-thread-word", about->thread_word);
    af_svg_string(out, "data-accounts", about->accounts);
    af_svg_string(out, "data-view",
                  about->in_time    ? "chart"
                  : about->compared ? "diff"
                  : about->linked   ? "callgraph"
                                    : NULL);
    af_svg_string(out, "data-callers-above", about->callers_above ? "1" : NULL);
    if (self->script) {
        af_svg_grid(out, self->scene, width);
    }
    af_svg_profile(out, self->scene);
    af_out_text(out, ">\n");
    write_element(out, "title", about->title ? about->title : "Method trace");
    write_element(out, "desc", about->description);
    af_svg_style(out, self->scene, options, self->pointed_at_from);
    af_out_text(out, "<rect");
    af_svg_paint(out, "", AF_PAINT_PAGE, NULL, self->dark);
    af_out_text(out, " width=\"100%\" height=\"100%\"/>\n");
}

static af_canvas *begin_svg(const af_scene *scene, const af_canvas_options *options,
                            af_write_func write, void *user, GError **error)
{
    svg *self = g_try_new0(svg, 1);
    if (!self) {
        af_memory_error_set(error);
        return NULL;
    }
    af_out_open(&self->out, write, user);
    self->write = write;
    self->user = user;
    self->scene = scene;
    self->script = options->script;
    self->dark = options->dark && !options->both_themes;
    self->pointed_at_from = af_svg_pointed_at_from(scene, options->script);
    /* the script draws all frames again, so that tenths of a pixel are enough */
    af_hairlines_init(&self->lines, self->dark, self->script ? 10 : 1);
    af_hairlines_init(&self->feet, self->dark, self->script ? 10 : 1);
    self->labels = g_array_new(FALSE, FALSE, sizeof(const af_scene_text *));
    write_head(self, options);
    return (af_canvas *)self;
}

/* "12 calls" */
static void write_count(af_out *out, uint64_t n, const char *one, const char *many)
{
    char number[AF_NUMBER_SIZE];
    af_out_texts(out, af_number_count(number, n), " ", n == 1 ? one : many);
}

static void write_times(af_out *out, const af_scene_about *about, const af_scene_group *group)
{
    const af_unit *unit = &about->unit;

    static const char *const names[AF_SCENE_CLOCKS] = {AF_SAY_CLOCKS};
    char number[AF_NUMBER_SIZE];
    for (unsigned clock = 0; clock < AF_SCENE_CLOCKS; clock++) {
        const gboolean asked = clock != AF_SCENE_WAIT || clock == group->clock;
        if (!(group->clocks >> clock & 1u) || (!asked && group->inclusive_ns[clock] == 0)) {
            continue;
        }
        af_out_char(out, '\n');
        af_svg_escape(out, af_number_amount_exact(number, group->inclusive_ns[clock], unit));
        af_out_texts(out, unit->name ? "" : " ", unit->name ? "" : names[clock]);
        if (group->kind == AF_GROUP_FRAME && asked) {
            af_out_text(out, ", self ");
            af_svg_escape(out, af_number_amount_exact(number, group->self_ns[clock], unit));
        }
        if (clock == AF_SCENE_WAIT && group->has_runnable) {
            af_out_text(out, ", ");
            af_svg_escape(out, af_number_amount_exact(number, group->runnable_ns, unit));
            af_out_text(out, " " AF_SAY_FOR_PROCESSOR);
        }
        /* `word`: what the file has instead of threads; NULL = threads. */
        if (clock == group->clock && group->share_of_ns > 0) {
            char share[AF_NUMBER_SIZE];
            af_out_text(out, ", ");
            af_svg_escape(out,
                          af_number_share(share, group->inclusive_ns[clock], group->share_of_ns));
            af_out_text(out, " of the ");
            af_svg_escape(out,
                          about->thread_word != NULL ? about->thread_word : AF_SAY_THREAD_WORD);
        }
    }
}

static void write_facts(af_out *out, const af_scene_about *about, const af_scene_group *group)
{
    char number[AF_NUMBER_SIZE];
    af_out_text(out, "<title>");
    if (group->kind == AF_GROUP_BLOCK) {
        if (group->samples > 0) {
            write_count(out, group->frames, AF_SAY_SAMPLES);
        } else if (group->slices) {
            write_count(out, group->frames, AF_SAY_SLICES);
        } else if (group->level > 0) {
            write_count(out, group->frames, AF_SAY_CALLS);
        } else {
            write_count(out, group->frames, AF_SAY_FRAMES);
        }
        af_out_text(out, group->level > 0 ? " " AF_SAY_TOO_SHORT : " " AF_SAY_TOO_NARROW);
    } else {
        af_svg_escape(out, group->name ? group->name : "");
    }
    if (group->details) {
        af_out_char(out, '\n');
        af_svg_escape(out, group->details);
    } else {
        write_times(out, about, group);
    }
    if (group->calls > 0) {
        af_out_char(out, '\n');
        write_count(out, group->calls, AF_SAY_CALLS);
    }
    if (group->samples > 0 && group->kind == AF_GROUP_FRAME) {
        af_out_char(out, '\n');
        write_count(out, group->samples, AF_SAY_SAMPLES);
    }
    if (group->level > 0) {
        af_out_texts(out, group->end_ns > 0 ? "\nfrom " : "\nstarts at ",
                     af_number_ms(number, group->start_ns));
        if (group->end_ns > 0) {
            af_out_texts(out, " to ", af_number_ms(number, group->end_ns));
        }
        af_out_text(out, ", depth ");
        af_out_u64(out, group->level);
    }
    if (group->waker) {
        af_out_text(out, "\n" AF_SAY_WOKEN_BY " ");
        af_svg_escape(out, group->waker);
    }
    if (group->source) {
        af_out_char(out, '\n');
        af_svg_escape(out, group->source);
    }
    af_out_text(out, "</title>");
}

static void write_rect(svg *self, const af_scene_rect *rect)
{
    af_out *out = &self->out;
    af_out_text(out, "<rect");
    af_svg_paint(out, rect->hatched ? "h" : "", rect->paint, NULL, self->dark);
    af_svg_number(out, "x", rect->x);
    af_svg_number(out, "y", rect->y);
    af_svg_number(out, "width", rect->width);
    af_svg_number(out, "height", rect->height);
    if (rect->radius > 0) {
        af_svg_number(out, "rx", rect->radius);
    }
    af_out_text(out, "/>");
}

/* The index of the first visible rectangle. The solid part of a frame that almost only waited is
 * invisible, and would be a tenth of the file in a trace of waiting threads. */
static unsigned find_visible(const svg *self)
{
    enum { VISIBLE_C = 10 };
    return self->n_held_rects == 2 && self->held_rects[0]->width < VISIBLE_C ? 1 : 0;
}

/* Writes the held group, if any. */
static void write_held(svg *self)
{
    if (self->held) {
        af_out_text(&self->out, "<g>");
        write_facts(&self->out, &self->scene->about, self->held);
        for (unsigned i = find_visible(self); i < self->n_held_rects; i++) {
            write_rect(self, self->held_rects[i]);
        }
        self->held = NULL;
    }
}

static gboolean is_hairline(const svg *self)
{
    int32_t width = 0;
    for (unsigned i = 0; i < self->n_held_rects; i++) {
        width += self->held_rects[i]->width;
    }
    return width < self->pointed_at_from;
}

static void draw_rect(af_canvas *canvas, const af_scene_rect *rect)
{
    svg *self = (svg *)canvas;
    if (rect->texture != AF_TEXTURE_NONE) {
        af_hairlines_add_texture(&self->feet, rect);
    } else if (rect->paint == AF_PAINT_FOOT && self->in_frame) {
        af_hairlines_add(&self->feet, &self->out, rect);
    } else if (self->held && self->n_held_rects < G_N_ELEMENTS(self->held_rects)) {
        self->held_rects[self->n_held_rects++] = rect;
    } else {
        write_held(self);
        write_rect(self, rect);
    }
}

/* Writes the labels of one colour as a group, and short: there are thousands of them. */
static void flush_labels(svg *self, af_paint paint)
{
    af_out *out = &self->out;
    gboolean any = FALSE;
    for (guint i = 0; i < self->labels->len; i++) {
        const af_scene_text *text = g_array_index(self->labels, const af_scene_text *, i);
        if (text->paint != paint) {
            continue;
        }
        if (!any) {
            af_out_text(out, "<g");
            af_svg_paint(out, "", paint, NULL, self->dark);
            af_out_text(out, " pointer-events=\"none\">");
            any = TRUE;
        }
        af_out_text(out, "<text");
        af_svg_number(out, "x", text->x);
        af_svg_number(out, "y", text->baseline);
        write_length(out, text->advance);
        af_out_char(out, '>');
        af_svg_escape(out, text->text);
        af_out_text(out, "</text>");
    }
    af_out_text(out, any ? "</g>\n" : "");
}

static void flush_lines(svg *self)
{
    af_hairlines_flush(&self->lines, &self->out);
    af_hairlines_flush(&self->feet, &self->out);
    flush_labels(self, AF_PAINT_LABEL);
    flush_labels(self, AF_PAINT_LABEL_MUTED);
    g_array_set_size(self->labels, 0);
}

static void end_page(svg *self)
{
    flush_lines(self);
    if (self->pages > 0) {
        af_out_text(&self->out, "</g>\n");
    }
}

static void draw_page(af_canvas *canvas, const af_scene_page *page)
{
    svg *self = (svg *)canvas;
    end_page(self);
    self->page_top = self->next_top;
    self->next_top += page->height;
    af_out_text(&self->out, "<g id=\"page");
    af_out_u64(&self->out, ++self->pages);
    af_out_char(&self->out, '"');
    write_moved(&self->out, self->page_top);
    af_out_text(&self->out, ">\n");
}

static void draw_text(af_canvas *canvas, const af_scene_text *text)
{
    svg *self = (svg *)canvas;
    af_out *out = &self->out;
    if (self->held && self->script && is_hairline(self)) {
        g_array_append_val(self->labels, text);
        return;
    }
    write_held(self);
    af_out_text(out, "<text");
    af_svg_paint(out, "", text->paint, text->bold ? "B" : NULL, self->dark);
    af_out_text(out, text->bold ? " font-weight=\"700\"" : "");
    af_svg_number(out, "x", text->x);
    af_svg_number(out, "y", text->baseline);
    if (text->size != AF_SMALL_C) {
        af_svg_number(out, "font-size", text->size);
    }
    if (text->width_max > 0 && text->advance > 0) {
        write_length(out, text->advance);
    }
    af_out_char(out, '>');
    af_svg_escape(out, text->text);
    af_out_text(out, "</text>");
}

static void draw_shape(af_canvas *canvas, const af_scene_shape *shape)
{
    svg *self = (svg *)canvas;
    af_out *out = &self->out;
    write_held(self);
    af_out_text(out, "<path class=\"");
    af_svg_class(out, shape->paint);
    af_out_text(out, "\" d=\"M");
    for (uint32_t i = 0; i < shape->n; i++) {
        af_out_text(out, i > 0 ? " " : "");
        af_out_hundredths(out, shape->points[i].x);
        af_out_char(out, ' ');
        af_out_hundredths(out, shape->points[i].y);
    }
    af_out_text(out, "z\"/>");
}

static void draw_link(af_canvas *canvas, const af_scene_link *link)
{
    svg *self = (svg *)canvas;
    af_out *out = &self->out;
    write_held(self);
    af_out_text(out, "<a href=\"#");
    if (link->target) {
        af_svg_escape(out, link->target);
    } else {
        af_out_text(out, "page");
        af_out_u64(out, link->page + 1);
    }
    af_out_text(out, "\"><rect fill=\"#000\" fill-opacity=\"0\"");
    af_svg_number(out, "x", link->x);
    af_svg_number(out, "y", link->y);
    af_svg_number(out, "width", link->width);
    af_svg_number(out, "height", link->height);
    af_out_text(out, "/></a>\n");
}

/* Browsers show the first megabyte of a file as soon as they have it. Panels that nobody sees without
 * scrolling would delay this, so they follow the data; the script, which removes them, runs before
 * browsers lay them out. */
#define FIRST_SCREEN INT64_C(160000)

static void push_group(af_canvas *canvas, const af_scene_group *group)
{
    svg *self = (svg *)canvas;
    af_out *out = &self->out;
    write_held(self);
    if (!group->id && (group->kind == AF_GROUP_FRAME || group->kind == AF_GROUP_BLOCK)) {
        self->held = group;
        self->n_held_rects = 0;
        self->in_frame = TRUE;
        return;
    }
    flush_lines(self);
    if (self->script && self->later == NULL && group->kind == AF_GROUP_PANEL &&
        self->page_top + group->y > FIRST_SCREEN) {
        self->later = g_byte_array_new();
        af_out_redirect(&self->out, af_out_to_array, self->later);
    }
    af_out_text(out, "<g");
    af_svg_string(out, "id", group->id);
    write_moved(out, group->lower_c);
    if (group->kind != AF_GROUP_PART && group->kind != AF_GROUP_PANEL) {
        af_out_char(out, '>');
        write_facts(out, &self->scene->about, group);
        return;
    }
    if (self->script && group->kind == AF_GROUP_PANEL) {
        af_out_text(out, " class=\"panel\"");
        af_out_number(out, " data-thread=\"", group->thread, "\"");
    }
    if (self->script) {
        af_svg_number(out, "data-y", group->y);
        af_svg_string(out, "data-facts", group->facts);
        af_svg_string(out, "data-graph-facts", group->graph_facts);
        af_svg_string(out, "data-chart-facts", group->chart_facts);
        af_svg_string(out, "data-health", group->health);
    }
    af_svg_string(out, "aria-label", group->name);
    af_out_text(out, ">\n");
}

static void pop_group(af_canvas *canvas)
{
    svg *self = (svg *)canvas;
    if (!self->in_frame) {
        flush_lines(self);
    }
    self->in_frame = FALSE;
    if (self->held && is_hairline(self)) {
        for (unsigned i = find_visible(self); i < self->n_held_rects; i++) {
            af_hairlines_add(&self->lines, &self->out, self->held_rects[i]);
        }
        self->held = NULL;
        return;
    }
    write_held(self);
    af_out_text(&self->out, "</g>\n");
}

static gboolean finish_svg(af_canvas *canvas, GError **error)
{
    svg *self = (svg *)canvas;
    end_page(self);
    if (self->script) {
        af_out *out = &self->out;
        if (self->later != NULL) {
            af_out_redirect(out, self->write, self->user);
        }
        af_svg_trees(out, self->scene);
        if (self->later != NULL && self->later->len > 0) { /* a failed output keeps nothing */
            af_out_bytes(out, self->later->data, self->later->len);
        }
        af_svg_script(out, self->scene);
    }
    af_out_text(&self->out, "</svg>\n");
    return af_out_close(&self->out, error);
}

static void free_svg(af_canvas *canvas)
{
    svg *self = (svg *)canvas;
    g_clear_error(&self->out.error);
    af_hairlines_clear(&self->lines);
    af_hairlines_clear(&self->feet);
    g_array_unref(self->labels);
    g_clear_pointer(&self->later, g_byte_array_unref);
    g_free(self);
}

const af_canvas_class af_canvas_svg = {
    .name = "svg",
    .extension = "svg",
    .title = "SVG picture: searchable text, values in tooltips",
    .selectable = TRUE,
    .begin = begin_svg,
    .page = draw_page,
    .rect = draw_rect,
    .text = draw_text,
    .push = push_group,
    .pop = pop_group,
    .link = draw_link,
    .shape = draw_shape,
    .finish = finish_svg,
    .free = free_svg,
};
