#include "render/cairo/press.h"

#include <libdeflate.h>
#include <string.h>
#include "base/capacity.h"
#include "base/workers.h"
#include "render/cairo/coder.h"

/* A thread uses two to three megabytes. */
#define MOST_JOBS 8

/* Items of bands that are kept from choosing the colours until they are coded; further bands are drawn
 * again, so that memory does not follow the size of the picture. */
#define ITEMS_MOST AF_CAPACITY((size_t)4 << 20, 64)

/* The state of a band. */
typedef struct {
    uint32_t *items; /* NULL if they are not kept */
    size_t n_items;
    unsigned char *bytes; /* NULL until the band is finished */
    size_t length;
    size_t plain_length;
    uint32_t checksum;
} pressed_band;

/* The resources of a thread. */
typedef struct {
    af_press *press;
    gboolean open;
    af_strip strip;
    af_colour_set *set; /* while colours are counted */
    af_repeats repeats;
    af_coder coder;
} press_worker;

struct af_press {
    const af_bands *bands;
    af_letter_case letters;
    af_colour_table *colours;
    af_coding coding;   /* all zero until the colours are known */
    uint32_t reach;     /* of items */
    unsigned n_workers; /* the first one is the calling thread */
    press_worker workers[MOST_JOBS];
    af_work others; /* while bands are compressed */
    GMutex lock;    /* protects the following fields */
    GCond changed;
    pressed_band *done;
    size_t n_stored; /* items */
    unsigned next;  /* the next band to start, first for collecting colours, then for compressing */
    unsigned given; /* number of bands returned */
    gboolean stopped;
    cairo_status_t status; /* the first error */
};

static void close_worker(press_worker *worker)
{
    if (worker->open) {
        af_strip_clear(&worker->strip);
    }
    af_repeats_clear(&worker->repeats);
    af_coder_clear(&worker->coder);
    g_free(worker->set);
}

/* Each row but the first becomes its difference from the row above, in each channel. */
static void subtract_rows(af_strip *strip, int width)
{
    for (int y = strip->rows - 1; y > 0; y--) {
        uint32_t *row = strip->pixels + (size_t)y * strip->stride;
        const uint32_t *above = row - strip->stride;
        for (int x = 0; x < width; x++) {
            const uint32_t even = (row[x] & 0xff00ff) + 0x1000100 - (above[x] & 0xff00ff);
            const uint32_t odd = (row[x] & 0xff00) + 0x10000 - (above[x] & 0xff00);
            row[x] = (even & 0xff00ff) | (odd & 0xff00);
        }
    }
}

/* Draws a band and finds its items. */
static cairo_status_t find_items(press_worker *worker, unsigned number)
{
    const af_press *press = worker->press;
    if (!worker->open) {
        worker->open = TRUE;
        af_strip_open(&worker->strip, press->bands, &worker->press->letters);
    }
    af_strip_draw(&worker->strip, number);
    if (worker->strip.status != CAIRO_STATUS_SUCCESS) {
        return worker->strip.status;
    }
    if (press->coding.subtracted) {
        subtract_rows(&worker->strip, press->bands->width);
    }
    af_repeats_find(&worker->repeats, worker->strip.pixels, worker->strip.stride,
                    press->bands->width, worker->strip.rows, press->reach);
    return worker->repeats.refused ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static cairo_status_t code_items(press_worker *worker, unsigned number, uint32_t *items, size_t n,
                                 pressed_band *band)
{
    const af_bands *bands = worker->press->bands;
    af_coder *coder = &worker->coder;
    const int rows = MIN(bands->rows, bands->height - (int)number * bands->rows);
    if (!af_coder_code(coder, &worker->press->coding, items, n, rows, number + 1 == bands->n)) {
        return CAIRO_STATUS_NO_MEMORY;
    }
    band->bytes = g_try_malloc(coder->length);
    if (band->bytes == NULL) {
        return CAIRO_STATUS_NO_MEMORY;
    }
    memcpy(band->bytes, coder->bytes, coder->length);
    band->length = coder->length;
    band->plain_length = coder->plain_length;
    band->checksum = libdeflate_adler32(1, coder->plain, coder->plain_length);
    return CAIRO_STATUS_SUCCESS;
}

static cairo_status_t press_band(press_worker *worker, unsigned number, pressed_band *band)
{
    cairo_status_t status = CAIRO_STATUS_SUCCESS;
    if (band->items != NULL) {
        status = code_items(worker, number, band->items, band->n_items, band);
        g_clear_pointer(&band->items, g_free);
        return status;
    }
    status = find_items(worker, number);
    return status != CAIRO_STATUS_SUCCESS
               ? status
               : code_items(worker, number, worker->repeats.items, worker->repeats.n, band);
}

/* Keeps the items that were found, if there is space. */
static void keep_items(press_worker *worker, pressed_band *band)
{
    af_press *press = worker->press;
    const size_t n = worker->repeats.n;
    g_mutex_lock(&press->lock);
    const gboolean fits = n <= ITEMS_MOST - press->n_stored;
    press->n_stored += fits ? n : 0;
    g_mutex_unlock(&press->lock);
    band->items = fits ? g_try_new(uint32_t, n) : NULL;
    if (band->items != NULL) {
        memcpy(band->items, worker->repeats.items, n * sizeof *band->items);
        band->n_items = n;
    }
}

/* The colours of a picture are those of its items: each is new where it appears first. */
static cairo_status_t collect_band(press_worker *worker, unsigned number)
{
    worker->set = worker->set != NULL ? worker->set : af_colour_set_new();
    if (worker->set == NULL) {
        return CAIRO_STATUS_NO_MEMORY;
    }
    const cairo_status_t status = find_items(worker, number);
    if (status != CAIRO_STATUS_SUCCESS) {
        return status;
    }
    for (size_t i = 0; i < worker->repeats.n; i++) {
        const uint32_t item = worker->repeats.items[i];
        if ((item & (AF_ITEM_REPEAT | AF_ITEM_FILTER)) == 0) {
            af_colour_set_add(worker->set, item);
        }
    }
    keep_items(worker, &worker->press->done[number]);
    return status;
}

/* The functions below need the lock. */

static void keep_status(af_press *press, cairo_status_t status)
{
    if (status != CAIRO_STATUS_SUCCESS && press->status == CAIRO_STATUS_SUCCESS) {
        press->status = status;
        press->stopped = TRUE;
    }
}

static gboolean may_begin(const af_press *press)
{
    /* each thread may have one band in progress and one finished band waiting */
    return press->next < press->bands->n && press->next < press->given + 2 * press->n_workers;
}

static void begin_band(press_worker *worker)
{
    af_press *press = worker->press;
    const unsigned number = press->next++;
    pressed_band band = press->done[number];
    g_mutex_unlock(&press->lock);
    const cairo_status_t status = press_band(worker, number, &band);
    g_mutex_lock(&press->lock);
    press->done[number] = band;
    keep_status(press, status);
    g_cond_broadcast(&press->changed);
}

/* Piece 0 is for the second thread: the calling one takes bands in af_press_next(). */
static void compress_bands(void *user, unsigned piece)
{
    af_press *press = user;
    press_worker *worker = &press->workers[piece + 1];
    g_mutex_lock(&press->lock);
    while (!press->stopped && press->next < press->bands->n) {
        if (may_begin(press)) {
            begin_band(worker);
        } else {
            g_cond_wait(&press->changed, &press->lock);
        }
    }
    g_mutex_unlock(&press->lock);
}

gboolean af_press_next(af_press *press, af_press_chunk *pressed)
{
    g_mutex_lock(&press->lock);
    if (press->given > 0) {
        g_free(press->done[press->given - 1].bytes);
        press->done[press->given - 1].bytes = NULL;
    }
    while (!press->stopped && press->done[press->given].bytes == NULL) {
        if (may_begin(press)) {
            begin_band(&press->workers[0]);
        } else {
            g_cond_wait(&press->changed, &press->lock);
        }
    }
    const gboolean ok = !press->stopped;
    if (ok) {
        const pressed_band *band = &press->done[press->given++];
        *pressed = (af_press_chunk){band->bytes, band->length, band->plain_length, band->checksum};
        g_cond_broadcast(&press->changed);
    }
    g_mutex_unlock(&press->lock);
    return ok;
}

const af_colour_table *af_press_colours(const af_press *press)
{
    return press->colours;
}

cairo_status_t af_press_status(af_press *press)
{
    g_mutex_lock(&press->lock);
    const cairo_status_t status = press->status;
    g_mutex_unlock(&press->lock);
    return status;
}

static void collect_bands(void *user, unsigned piece)
{
    af_press *press = user;
    press_worker *worker = &press->workers[piece];
    g_mutex_lock(&press->lock);
    while (!press->stopped && press->next < press->bands->n) {
        const unsigned number = press->next++;
        g_mutex_unlock(&press->lock);
        const cairo_status_t status = collect_band(worker, number);
        g_mutex_lock(&press->lock);
        keep_status(press, status);
    }
    g_mutex_unlock(&press->lock);
}

/* Draws the whole picture and keeps what it consists of. */
static void choose_colours(af_press *press)
{
    af_workers_run(press->n_workers, press->n_workers, collect_bands, press);
    af_colour_set *all = NULL;
    for (unsigned i = 0; i < press->n_workers; i++) {
        af_colour_set *set = g_steal_pointer(&press->workers[i].set);
        if (all == NULL) {
            all = set; /* a worker that came late has none */
        } else if (set != NULL) {
            af_colour_set_merge(all, set);
            g_free(set);
        }
    }
    if (!press->stopped && !af_colour_table_choose(all, press->bands->dark, &press->colours)) {
        keep_status(press, CAIRO_STATUS_NO_MEMORY);
    }
    g_free(all);
    press->next = 0;
    press->coding = (af_coding){.colours = press->colours, .width = press->bands->width};
    const uint32_t reach = af_coding_reach(&press->coding);
    press->coding.subtracted = press->colours == NULL && (uint32_t)press->bands->width >= reach;
    for (unsigned i = 0; i < press->bands->n && reach < press->reach; i++) {
        g_clear_pointer(&press->done[i].items, g_free); /* some have larger distances */
    }
    press->reach = reach;
}

af_press *af_press_new(const af_bands *bands, unsigned jobs)
{
    af_press *press = g_new0(af_press, 1);
    press->bands = bands;
    press->letters.letters = af_letters_new(bands->system_fonts, TRUE);
    g_mutex_init(&press->letters.lock);
    g_mutex_init(&press->lock);
    g_cond_init(&press->changed);
    press->done = g_new0(pressed_band, bands->n);
    jobs = jobs == 0 ? g_get_num_processors() : jobs;
    press->n_workers = CLAMP(bands->n, 1, MIN(jobs, MOST_JOBS));
    for (unsigned i = 0; i < press->n_workers; i++) {
        press->workers[i].press = press;
    }
    press->reach = AF_REPEAT_MOST / 2;
    choose_colours(press);
    af_work_begin(&press->others, press->n_workers - 1, press->n_workers, compress_bands, press);
    return press;
}

void af_press_free(af_press *press)
{
    if (press == NULL) {
        return;
    }
    g_mutex_lock(&press->lock);
    press->stopped = TRUE;
    g_cond_broadcast(&press->changed);
    g_mutex_unlock(&press->lock);
    af_work_end(&press->others);
    for (unsigned i = 0; i < press->n_workers; i++) {
        close_worker(&press->workers[i]);
    }
    for (unsigned i = 0; i < press->bands->n; i++) {
        g_free(press->done[i].bytes);
        g_free(press->done[i].items);
    }
    g_free(press->done);
    af_colour_table_free(press->colours);
    af_letters_free(press->letters.letters);
    g_mutex_clear(&press->letters.lock);
    g_mutex_clear(&press->lock);
    g_cond_clear(&press->changed);
    g_free(press);
}
