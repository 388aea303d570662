#include "render/cairo/paper.h"

#include <cairo-pdf.h>
#include <math.h>
#include <string.h>
#include "base/aflp.h"
#include "base/number.h"
#include "render/cairo/glyphs.h"
#include "render/cairo/pdf_attach.h"

/* A point is a 72nd of an inch, a pixel of the scene a 96th. */
#define POINTS_PER_C 0.0075

/* The longest side of a page, in points, that readers must accept (ISO 32000-1, annex C). */
#define MOST_POINTS 14400

static char *copy_plain(const char *text)
{
    char *copy = af_glyphs_without_noncharacters(text, strlen(text));
    return copy != NULL ? copy : g_strdup(text);
}

static void set_fact(cairo_surface_t *surface, cairo_pdf_metadata_t fact, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        g_autofree char *copy = copy_plain(text);
        cairo_pdf_surface_set_metadata(surface, fact, copy);
    }
}

/* Always sets both dates: cairo would use the present time. NULL removes them. */
static void set_dates(cairo_surface_t *surface, int64_t date_s)
{
    g_autoptr(GDateTime) date = date_s >= 0 ? g_date_time_new_from_unix_utc(date_s) : NULL;
    g_autofree char *text = date != NULL ? g_date_time_format(date, "%Y-%m-%dT%H:%M:%SZ") : NULL;
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, text);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_MOD_DATE, text);
}

static void set_facts(cairo_surface_t *surface, const af_scene_about *about,
                      const af_canvas_options *options)
{
    set_fact(surface, CAIRO_PDF_METADATA_TITLE, about->title);
    set_fact(surface, CAIRO_PDF_METADATA_AUTHOR, "aflame");
    /* cairo has no attribute for the alternative text (/Alt) of an element; that of the whole
     * document would replace the text of its pages for screen readers */
    set_fact(surface, CAIRO_PDF_METADATA_SUBJECT, about->description);
    set_fact(surface, CAIRO_PDF_METADATA_CREATOR, options->program);
    g_autoptr(GString) keywords = g_string_new("flame graph, Android, method trace");
    const char *const more[] = {about->input, about->app, about->clock, about->selection};
    for (unsigned i = 0; i < G_N_ELEMENTS(more); i++) {
        if (more[i] != NULL && more[i][0] != '\0') {
            g_string_append_printf(keywords, ", %s", more[i]);
        }
    }
    set_fact(surface, CAIRO_PDF_METADATA_KEYWORDS, keywords->str);
    set_dates(surface, options->date_s >= 0 ? options->date_s : about->date_s);
}

static af_canvas *begin(const af_scene *scene, const af_canvas_options *options,
                        af_write_func write, void *user, GError **error)
{
    af_canvas *canvas = af_paper_new(scene, options, write, user);
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(af_paper_write, canvas, 1, 1);
    if (!af_paper_lay(canvas, surface, POINTS_PER_C, error)) {
        return NULL;
    }
    /* The lowest version in which a letter can reference its text. From 1.17.6 on cairo then writes
     * streams of cross references, which the update for an attached file does not continue. */
    const gboolean plain =
        af_paper_profile(canvas) == NULL || cairo_version() < CAIRO_VERSION_ENCODE(1, 17, 6);
    cairo_pdf_surface_restrict_to_version(surface,
                                          plain ? CAIRO_PDF_VERSION_1_5 : CAIRO_PDF_VERSION_1_4);
    set_facts(surface, &scene->about, options);
    return canvas;
}

static void report_shrinking(const af_canvas *canvas, double longest)
{
    if (canvas->messages != NULL) {
        char from[AF_NUMBER_SIZE], to[AF_NUMBER_SIZE];
        g_ptr_array_add(canvas->messages,
                        g_strdup_printf("page %d is %s pt long; drawn smaller, as %s pt",
                                        canvas->page,
                                        af_number_count(from, (uint64_t)ceil(longest)),
                                        af_number_count(to, MOST_POINTS)));
    }
}

/* Creates a link target: cairo 1.16 links to a page by number only after it has begun that page,
 * but resolves names at the end. */
static void name_page(const af_canvas *canvas)
{
    char name[64];
    g_snprintf(name, sizeof name, "name='page-%d' x=0 y=0", canvas->page);
    cairo_tag_begin(canvas->cr, CAIRO_TAG_DEST, name);
    cairo_tag_end(canvas->cr, CAIRO_TAG_DEST);
}

/* Adds the page to the outline, and its label, which viewers show instead of the page number. */
static void list_page(const af_canvas *canvas, const af_scene_page *page)
{
    cairo_surface_t *surface = canvas->surface;
    if (page->label != NULL && page->label[0] != '\0') {
        g_autofree char *copy = copy_plain(page->label);
        cairo_pdf_surface_set_page_label(surface, copy);
    }
    if (page->title != NULL && page->title[0] != '\0') {
        char target[64];
        g_autofree char *copy = copy_plain(page->title);
        g_snprintf(target, sizeof target, "page=%d pos=[0 0]", canvas->page);
        cairo_pdf_surface_add_outline(surface, CAIRO_PDF_OUTLINE_ROOT, copy, target,
                                      CAIRO_PDF_OUTLINE_FLAG_OPEN);
    }
}

/* Ends the innermost tag and begins another, which may be NULL. Cairo 1.16 tags the content of
 * these only, not what follows them in a section. */
static void begin_tag(af_canvas *canvas, const char *tag)
{
    if (tag != canvas->tag) {
        if (canvas->tag != NULL) {
            cairo_tag_end(canvas->cr, canvas->tag);
        }
        if (tag != NULL) {
            cairo_tag_begin(canvas->cr, tag, NULL);
        }
        canvas->tag = tag;
    }
}

/* Each page of the scene is a page of the document. A page that is drawn smaller keeps its
 * width. */
static void begin_page(af_canvas *canvas, const af_scene_page *page)
{
    begin_tag(canvas, NULL);
    if (canvas->page++ > 0) {
        cairo_show_page(canvas->cr);
    }
    const double longest = MAX(1, MAX(page->width, page->height)) * POINTS_PER_C;
    canvas->unit = POINTS_PER_C;
    if (longest > MOST_POINTS) {
        canvas->unit *= MOST_POINTS / longest;
        report_shrinking(canvas, longest);
    }
    const double width = MIN(MAX(1, page->width) * POINTS_PER_C, MOST_POINTS);
    const double height = MAX(1, page->height) * canvas->unit;
    cairo_pdf_surface_set_size(canvas->surface, width, height);
    af_paper_ground(canvas, width, height); /* drops tags before it */
    if (canvas->page == 1) {
        cairo_tag_begin(canvas->cr, "Document", NULL);
    }
    list_page(canvas, page);
    name_page(canvas);
}

static void push(af_canvas *canvas, const af_scene_group *group)
{
    canvas->name = group->kind == AF_GROUP_FRAME ? group->name : NULL;
    if (canvas->depth++ == 0) {
        begin_tag(canvas, NULL);
        cairo_tag_begin(canvas->cr, "Sect", NULL);
        canvas->heading = group->kind == AF_GROUP_PANEL ? "H2" : "H1";
    }
}

static void pop(af_canvas *canvas)
{
    canvas->name = NULL;
    if (--canvas->depth == 0) {
        begin_tag(canvas, NULL);
        cairo_tag_end(canvas->cr, "Sect");
    }
}

/* A section may begin with a heading, in bold: the title or the name of a thread. Searches find
 * the full name of a frame whose label is shortened. An en space separates the label from its
 * numbers. */
static void draw_text(af_canvas *canvas, const af_scene_text *text)
{
    const char *end = strstr(text->text, "\xE2\x80\x82");
    const size_t length = end != NULL ? (size_t)(end - text->text) : strlen(text->text);
    begin_tag(canvas, text->bold && canvas->heading != NULL ? canvas->heading : "P");
    canvas->heading = NULL;
    if (canvas->name != NULL && strncmp(canvas->name, text->text, length) != 0) {
        g_autofree char *full = g_strconcat(canvas->name, end, NULL);
        af_letters_abbreviate(canvas->letters, full);
        af_paper_text(canvas, text);
    } else {
        af_paper_text(canvas, text);
    }
}

/* Numbers are part of a text that cairo parses with a decimal point in every locale. */
static void draw_link(af_canvas *canvas, const af_scene_link *link)
{
    const int32_t lengths[4] = {link->x, link->y, link->width, link->height};
    g_autoptr(GString) tag = g_string_new("rect=[");
    for (int i = 0; i < 4; i++) {
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append_printf(
            tag, "%s ", g_ascii_formatd(number, sizeof number, "%.3f", lengths[i] * canvas->unit));
    }
    g_string_append_printf(tag, "] dest='page-%u'", link->page + 1);
    begin_tag(canvas, NULL);
    cairo_tag_begin(canvas->cr, CAIRO_TAG_LINK, tag->str);
    cairo_tag_end(canvas->cr, CAIRO_TAG_LINK);
}

/* Without the profile if cairo wrote a document of a kind that cannot be updated. */
static void attach_profile(af_canvas *canvas, GBytes *profile)
{
    const af_spool *pdf = canvas->written;
    af_pdf_file file = {.name = AF_AFLP_FILE, .description = "the profile that this picture shows"};
    file.bytes = g_bytes_get_data(profile, &file.length);
    if (!af_pdf_attach(&canvas->out, pdf->bytes, pdf->length, &file) && canvas->messages != NULL) {
        g_ptr_array_add(canvas->messages,
                        g_strdup("this version of cairo writes a PDF that cannot carry a profile"));
    }
}

static gboolean finish(af_canvas *canvas, GError **error)
{
    if (canvas->page > 0) {
        begin_tag(canvas, NULL);
        cairo_tag_end(canvas->cr, "Document");
        cairo_show_page(canvas->cr);
    }
    if (!af_paper_end(canvas, error)) {
        return FALSE;
    }
    af_out_bytes(&canvas->out, canvas->written->bytes, canvas->written->length);
    GBytes *profile = af_paper_profile(canvas);
    if (profile != NULL) {
        attach_profile(canvas, profile);
    }
    return af_out_close(&canvas->out, error);
}

const af_canvas_class af_canvas_pdf = {
    .name = "pdf",
    .extension = "pdf",
    .title = "PDF document, a page for each thread",
    .paged = TRUE,
    .binary = TRUE,
    .selectable = TRUE,
    .begin = begin,
    .page = begin_page,
    .rect = af_paper_rect,
    .text = draw_text,
    .push = push,
    .pop = pop,
    .shape = af_paper_shape,
    .link = draw_link,
    .finish = finish,
    .free = af_paper_free,
};
