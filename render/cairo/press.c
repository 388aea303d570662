#include "render/cairo/press.h"

#include <libdeflate.h>
#include <string.h>
#include <zlib.h>
#include "base/workers.h"

/* A thread uses two to three megabytes. */
#define MOST_JOBS 8

/* Measured on flame graphs of 1 to 23 million pixels: unfiltered rows are smaller than filtered
 * ones and as fast, because most rows repeat the previous row or themselves, and deflate finds that
 * itself as long as two rows fit into its window of 32 KiB; wider rows need the filter. Level 3
 * takes a tenth longer for 5 % less, higher levels take twice the time for a tenth of the size;
 * level 1 is hardly faster, and larger. With tables one size below zlib's default, more of them fit
 * into the processor's cache: 5 % faster. */
#define DEFLATE_LEVEL  2
#define DEFLATE_MEMORY 7
#define DEFLATE_WINDOW 32768

enum { FILTER_NONE = 0, FILTER_UP = 2 };

/* The state of a band. */
typedef struct {
    unsigned char *bytes; /* NULL until the band is finished */
    size_t length, capacity;
    size_t plain_length;
    uint32_t checksum;
} pressed_band;

/* The resources of a thread. */
typedef struct {
    af_press *press;
    gboolean open;
    af_strip strip;
    af_colour_set *set; /* while colours are counted */
    z_stream z;
    unsigned char *row, *above, *filtered; /* RGB or indices, each row after its filter type */
} press_worker;

struct af_press {
    const af_bands *bands;
    af_letter_case letters;
    af_colour_table *colours; /* NULL: pixels are RGB */
    size_t row_length;        /* with the filter type */
    gboolean filter_up;
    unsigned n_workers; /* the first one is the calling thread */
    press_worker workers[MOST_JOBS];
    af_work others; /* while bands are compressed */
    GMutex lock;    /* protects the following fields */
    GCond changed;
    pressed_band *done;
    unsigned next;  /* the next band to start, first for collecting colours, then for compressing */
    unsigned given; /* number of bands returned */
    gboolean stopped;
    cairo_status_t status; /* the first error */
};

static gboolean open_worker(press_worker *worker)
{
    const size_t row = (size_t)worker->press->bands->width * 3 + 1;
    worker->open = TRUE;
    af_strip_open(&worker->strip, worker->press->bands, &worker->press->letters);
    worker->row = g_try_malloc0(row);
    worker->above = g_try_malloc0(row);
    worker->filtered = g_try_malloc0(row);
    return worker->row != NULL && worker->above != NULL && worker->filtered != NULL &&
           deflateInit2(&worker->z, DEFLATE_LEVEL, Z_DEFLATED, -MAX_WBITS, DEFLATE_MEMORY,
                        Z_DEFAULT_STRATEGY) == Z_OK;
}

static void close_worker(press_worker *worker)
{
    if (worker->open) {
        deflateEnd(&worker->z);
        g_free(worker->row);
        g_free(worker->above);
        g_free(worker->filtered);
        af_strip_clear(&worker->strip);
    }
    g_free(worker->set);
}

static void copy_row(unsigned char *to, const uint32_t *pixels, int width)
{
    int x = 0;
    for (; x + 4 <= width; x += 4, to += 12) {
        /* converts 0x00RRGGBB to 0x00BBGGRR; four of these are three words in the file's byte
         * order */
        uint32_t p[4], words[3];
        for (int i = 0; i < 4; i++) {
            p[i] = GUINT32_SWAP_LE_BE(pixels[x + i]) >> 8;
        }
        words[0] = GUINT32_TO_LE(p[0] | p[1] << 24);
        words[1] = GUINT32_TO_LE(p[1] >> 8 | p[2] << 16);
        words[2] = GUINT32_TO_LE(p[2] >> 16 | p[3] << 8);
        memcpy(to, words, sizeof words);
    }
    for (; x < width; x++, to += 3) {
        to[0] = (unsigned char)(pixels[x] >> 16);
        to[1] = (unsigned char)(pixels[x] >> 8);
        to[2] = (unsigned char)pixels[x];
    }
}

/* NULL for the first row of a band. */
static const uint32_t *row_above(const press_worker *worker, int row)
{
    return row == 0 ? NULL : af_strip_row(&worker->strip, row - 1);
}

static void encode_row(press_worker *worker, int row)
{
    const af_press *press = worker->press;
    const uint32_t *pixels = af_strip_row(&worker->strip, row);
    const int width = press->bands->width;
    worker->row[0] = FILTER_NONE;
    if (press->colours == NULL) {
        copy_row(worker->row + 1, pixels, width);
    } else {
        af_colour_table_map(press->colours, pixels, row_above(worker, row), width, worker->row + 1,
                            worker->above + 1);
    }
}

/* The row as stored in the file, with its filter type. The first row of a band has no row above. */
static const unsigned char *filter_row(press_worker *worker, int row)
{
    const size_t length = worker->press->row_length;
    unsigned char *above = worker->row;
    worker->row = worker->above;
    worker->above = above;
    encode_row(worker, row);
    if (!worker->press->filter_up || row == 0) {
        return worker->row;
    }
    worker->filtered[0] = FILTER_UP;
    for (size_t i = 1; i < length; i++) {
        worker->filtered[i] = (unsigned char)(worker->row[i] - above[i]);
    }
    return worker->filtered;
}

/* FALSE if memory is refused. */
static gboolean deflate_all(z_stream *z, pressed_band *band, int flush)
{
    int status;
    do {
        if (band->length == band->capacity) {
            const size_t capacity = MAX((size_t)64 * 1024, 2 * band->capacity);
            unsigned char *bytes = g_try_realloc(band->bytes, capacity);
            if (bytes == NULL) {
                return FALSE;
            }
            band->bytes = bytes;
            band->capacity = capacity;
        }
        z->next_out = band->bytes + band->length;
        z->avail_out = (uInt)(band->capacity - band->length);
        status = deflate(z, flush);
        band->length = band->capacity - z->avail_out;
    } while (z->avail_out == 0 && status != Z_STREAM_END);
    return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR;
}

static gboolean deflate_rows(press_worker *worker, gboolean last, pressed_band *band)
{
    const uInt length = (uInt)worker->press->row_length;
    uint32_t checksum = 1; /* Adler-32 of an empty text */
    if (deflateReset(&worker->z) != Z_OK) {
        return FALSE;
    }
    for (int y = 0; y < worker->strip.rows; y++) {
        const unsigned char *row = filter_row(worker, y);
        checksum = libdeflate_adler32(checksum, row, length); /* many times faster than zlib */
        worker->z.next_in = (unsigned char *)row;
        worker->z.avail_in = length;
        if (!deflate_all(&worker->z, band, Z_NO_FLUSH)) {
            return FALSE;
        }
    }
    band->checksum = checksum;
    band->plain_length = (size_t)length * (size_t)worker->strip.rows;
    return deflate_all(&worker->z, band, last ? Z_FINISH : Z_FULL_FLUSH);
}

/* Returns FALSE if the band could not be drawn; *status says why. */
static gboolean draw_band(press_worker *worker, unsigned number, cairo_status_t *status)
{
    if (!worker->open && !open_worker(worker)) {
        *status = CAIRO_STATUS_NO_MEMORY;
        return FALSE;
    }
    af_strip_draw(&worker->strip, number);
    *status = worker->strip.status;
    return *status == CAIRO_STATUS_SUCCESS;
}

static cairo_status_t press_band(press_worker *worker, unsigned number, pressed_band *band)
{
    cairo_status_t status;
    if (draw_band(worker, number, &status) &&
        !deflate_rows(worker, number + 1 == worker->press->bands->n, band)) {
        return CAIRO_STATUS_NO_MEMORY;
    }
    return status;
}

static cairo_status_t collect_band(press_worker *worker, unsigned number)
{
    cairo_status_t status;
    worker->set = worker->set != NULL ? worker->set : af_colour_set_new();
    if (worker->set == NULL) {
        return CAIRO_STATUS_NO_MEMORY;
    }
    if (draw_band(worker, number, &status)) {
        for (int y = 0; y < worker->strip.rows; y++) {
            af_colour_set_add(worker->set, af_strip_row(&worker->strip, y), row_above(worker, y),
                              worker->press->bands->width);
        }
    }
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
    pressed_band band = {0};
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

/* Draws the whole picture once, which takes a small part of the time of compressing three bytes for
 * each pixel. */
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
    choose_colours(press);
    press->row_length = (size_t)bands->width * (press->colours == NULL ? 3 : 1) + 1;
    press->filter_up = press->row_length > DEFLATE_WINDOW / 2;
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
    }
    g_free(press->done);
    af_colour_table_free(press->colours);
    af_letters_free(press->letters.letters);
    g_mutex_clear(&press->letters.lock);
    g_mutex_clear(&press->lock);
    g_cond_clear(&press->changed);
    g_free(press);
}
