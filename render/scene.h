/* A scene: a picture as a flat list of commands, page after page.
 *
 * It contains nothing of a profile, so tests print it as text and compare it. Coordinates are
 * hundredths of a pixel, y downwards, (0, 0) the top left corner of the page. Colours are paints:
 * roles that a palette turns into a colour for a theme. All strings are UTF-8 without control
 * characters and belong to the scene.
 *
 * Groups nest; every push has its pop on the same page. The group of a frame contains its
 * rectangles and its label; a canvas may show its facts as a tooltip. */
#pragma once

#include <stdint.h>
#include <glib.h>
#include "base/array.h"
#include "base/unit.h"
#include "render/paint.h"

typedef enum {
    AF_SCENE_PAGE,
    AF_SCENE_RECT,
    AF_SCENE_TEXT,
    AF_SCENE_PUSH,
    AF_SCENE_POP,
    AF_SCENE_LINK,
    AF_SCENE_SHAPE,
} af_scene_kind;

typedef struct {
    int32_t width, height;
    const char *title; /* for outlines; NULL = no entry */
    const char *label; /* page label, e.g. the thread's name; may be NULL */
} af_scene_page;

/* What a rectangle shows in addition to its colour, so that no meaning depends on grey alone. */
typedef enum {
    AF_TEXTURE_NONE,
    AF_TEXTURE_DOTS,   /* just a row of dots along its top: idle */
    AF_TEXTURE_DASHES, /* just a dashed edge: several frames */
} af_texture;

typedef struct {
    int32_t x, y, width, height;
    af_paint paint;
    gboolean hatched; /* time in which the CPU ran something else */
    int32_t radius;   /* of the corners */
    af_texture texture;
} af_scene_rect;

typedef struct {
    int32_t x, baseline;
    int32_t size;      /* of the face */
    int32_t width_max; /* limit for the drawn width; 0 = no limit */
    int32_t advance;   /* its width in the bundled face */
    gboolean bold;
    gboolean simple; /* one glyph for each character, left to right, all in the bundled face */
    af_paint paint;
    const char *text;
} af_scene_text;

typedef enum {
    AF_GROUP_PART,   /* the head, the ruler, counters or the footer */
    AF_GROUP_PANEL,  /* the graph of one thread */
    AF_GROUP_FRAME,  /* one frame */
    AF_GROUP_BLOCK,  /* frames that are too narrow to draw, merged */
    AF_GROUP_ROWS,   /* the line that counts omitted rows */
    AF_GROUP_MARKER, /* an instant or a counter */
} af_group_kind;

/* The times of a group: wall, CPU and waiting. */
#define AF_SCENE_CLOCKS 3
#define AF_SCENE_WAIT   2

/* Facts about a group. Times are by clock, in nanoseconds. A fact that does not apply is 0 or
 * NULL. */
typedef struct {
    af_group_kind kind;
    const char *id;      /* unique in the scene, an XML name; NULL for frames */
    const char *name;    /* the full name, with its signature if known */
    const char *source;  /* source file, may be NULL */
    const char *details; /* FRAME, BLOCK of a comparison: lines instead of times and calls */
    unsigned clocks;     /* bit 1 << clock for each clock that the thread has */
    uint64_t self_ns[AF_SCENE_CLOCKS];
    uint64_t inclusive_ns[AF_SCENE_CLOCKS];
    gboolean has_runnable; /* whether `runnable` is known: the part of the waiting in which it could
                              run but had no processor */
    uint64_t runnable_ns;
    const char *waker;    /* the thread that ended the longest sleep of a single call */
    uint64_t calls;       /* 0 = unknown: samples are not calls */
    uint32_t level;       /* depth of a single call, including itself; 0 = not a single call */
    uint64_t start_ns;    /* start of a single call */
    uint64_t end_ns;      /* end of a slice of samples */
    uint64_t samples;     /* number of samples in a slice, whose depth is `level` */
    gboolean slices;      /* slices between samples, not calls */
    uint64_t frames;      /* BLOCK, ROWS: number of merged frames */
    uint64_t share_of_ns; /* the base of the share of inclusive_ns[clock]; 0 = no share */
    unsigned clock;       /* the clock that the widths show */
    uint64_t thread;      /* PANEL: id of the thread */
    int32_t y;            /* PART, PANEL: its top */
    int32_t lower_c;      /* PART "below": it is drawn lower by this, below "findings", unless a
                             script may run, which shows these only if asked */
    /* PART, PANEL: text for a viewer that lays out the sheet again, one fact a line. */
    const char *facts;       /* an empty line stands for facts that depend on the view */
    const char *graph_facts; /* those of a graph */
    const char *chart_facts; /* those of a chart */
    const char *health;      /* problems of the input */
} af_scene_group;

typedef struct {
    int32_t x, y, width, height;
    unsigned page;      /* target, from 0 */
    const char *target; /* id of a group on this page instead; NULL = the page */
} af_scene_link;

typedef struct {
    int32_t x, y;
} af_scene_point;

/* A filled polygon: the arrows of a call graph. */
typedef struct {
    af_paint paint;
    uint32_t n; /* corners, at least 3 */
    const af_scene_point *points;
} af_scene_shape;

typedef struct {
    af_scene_kind kind;
    union {
        af_scene_page page;
        af_scene_rect rect;
        af_scene_text text;
        const af_scene_group *group; /* out of line, because it is large and only one command in
                                        four has it */
        af_scene_link link;
        af_scene_shape shape;
    };
} af_scene_command;

/* Facts about the file, besides the drawing. Any may be NULL. */
typedef struct {
    const char *title;
    const char *input;       /* name of the trace */
    const char *clock;       /* "wall", "cpu", "wait"; NULL if times have no clock */
    af_unit unit;            /* of all times; all zero = ns of clocks */
    const char *selection;   /* the threads drawn */
    const char *thread_word; /* the word for threads if they are something else: "heap" */
    const char *description; /* one paragraph for people who cannot see the picture */
    const char *app;         /* package of the app */
    const char *accounts;    /* time that steps removed before drawing, one line each; NULL = no
                                steps */
    gboolean in_time;        /* a chart: frames are single calls in order of time */
    gboolean has_chart;      /* the data for the script has a chart */
    gboolean compared;       /* a comparison of two sides */
    gboolean linked;         /* a call graph */
    gboolean callers_above;  /* callers are above their callees */
    int64_t date_s;          /* seconds since 1970 of the recording; -1 = unknown */
} af_scene_about;

/* Settings of the sheet, for a viewer that lays it out again. */
typedef struct {
    int32_t min_width; /* hundredths of a pixel; narrower frames are grouped */
    gboolean inverted, full_depth;
    gboolean fluid;  /* the page may become as wide as the window */
    gboolean chosen; /* the user chose the threads */
    uint32_t n_tall; /* of a chart: panels after these show their first rows only; 0 = none do */
    uint32_t first_rows; /* most rows of a panel at first; 0 = AF_FIRST_ROWS (sizes.h) */
    /* Colours that do not mean their category: "a title", one a line; NULL = none. Lives as long as
     * the scene. */
    const char *hues;
    const char *method; /* of a sandwich; likewise */
} af_scene_grid;

/* Names of attachments: the call trees that the script of an SVG draws from, and the saved profile
 * (base/aflp.h) that every canvas embeds. */
#define AF_ATTACHED_TREES   "af-block"
#define AF_ATTACHED_PROFILE "af-profile"

/* A named block of bytes, which a canvas embeds if it can. */
typedef struct {
    const char *name;
    GBytes *bytes;
    size_t plain_length;         /* of a zlib stream; 0 = not deflated */
    GBytes *(*take)(void *user); /* NULL = `bytes` is set */
    void *user;
} af_scene_attachment;

/* Anyone may read it; only the functions below change it. */
typedef struct {
    af_scene_about about;
    af_scene_grid grid;
    gboolean has_grid; /* it is set */
    af_scene_command *commands;
    size_t n_commands, capacity;
    size_t last_page; /* command number; valid if n_pages > 0 */
    unsigned n_pages;
    GArray *attachments;                       /* of af_scene_attachment */
    gboolean needed_paints[2][AF_PAINT_COUNT]; /* solid, hatched */
    af_array needed_texts[2];                  /* of const char *; regular, bold */
    struct af_arena *arena;                    /* strings */
    gboolean failed; /* memory was refused; further commands are dropped */
} af_scene;

af_scene *af_scene_new(void);
void af_scene_free(af_scene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_scene, af_scene_free)

/* Copies the strings. */
void af_scene_set_about(af_scene *scene, const af_scene_about *about);
void af_scene_set_grid(af_scene *scene, const af_scene_grid *grid);

void af_scene_page_add(af_scene *scene, int32_t width, int32_t height, const char *title,
                       const char *label);
/* Sets the size of the page added last, once it is known. */
void af_scene_page_resize(af_scene *scene, int32_t width, int32_t height);
void af_scene_rect_add(af_scene *scene, const af_scene_rect *rect);
void af_scene_text_add(af_scene *scene, const af_scene_text *text);
/* Does not copy the strings of the group: they must live as long as the scene. */
void af_scene_push(af_scene *scene, const af_scene_group *group);
void af_scene_pop(af_scene *scene);
void af_scene_link_add(af_scene *scene, const af_scene_link *link);
/* Copies the points. */
void af_scene_shape_add(af_scene *scene, const af_scene_shape *shape);

/* Declares colours and letters that are not drawn, but that a viewer may need: a canvas that embeds
 * colours and letters embeds these, too. The text is not copied. */
void af_scene_need_paint(af_scene *scene, af_paint paint, gboolean hatched);
void af_scene_need_text(af_scene *scene, gboolean bold, const char *text);

/* Attaches bytes, taking a reference; `plain_length` = 0 if they are not deflated. */
void af_scene_attach(af_scene *scene, const char *name, GBytes *bytes, size_t plain_length);
/* For bytes that may not be ready yet, so that a canvas can draw in the meantime. `take` is called
 * at most once, when the bytes are needed, and keeps ownership of them; NULL = there are none. */
void af_scene_attach_later(af_scene *scene, const char *name, GBytes *(*take)(void *user),
                           void *user);
/* The attachment of that name; NULL = there is none. `plain_length` may be NULL. */
GBytes *af_scene_find_attachment(const af_scene *scene, const char *name, size_t *plain_length);

/* Copies a string into the scene. */
const char *af_scene_string(af_scene *scene, const char *text);

/* The size of all pages, placed below each other. */
void af_scene_measure(const af_scene *scene, int64_t *width, int64_t *height);

/* FALSE if memory was refused at any time: the scene is then incomplete. */
gboolean af_scene_ok(const af_scene *scene);

/* Something cannot be drawn because memory was refused. */
void af_scene_fail(af_scene *scene);
