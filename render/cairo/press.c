#include "render/cairo/press.h"

#include <libdeflate.h>
#include <string.h>
#include <zlib.h>

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
    GThread *thread; /* NULL: the calling thread */
    gboolean open;
    af_strip strip;
    z_stream z;
    unsigned char *row, *above, *filtered; /* RGB, each row after its filter type */
} press_worker;

struct af_press {
    const af_bands *bands;
    af_letter_case letters;
    gboolean filter_up;
    unsigned n_workers; /* the first one is the calling thread */
    press_worker workers[MOST_JOBS];
    GMutex lock; /* protects the following fields */
    GCond changed;
    pressed_band *done;
    unsigned next;  /* the next band to start */
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

/* The row as stored in the file, with its filter type. The first row of a band has no row above. */
static const unsigned char *filter_row(press_worker *worker, int row)
{
    const int width = worker->press->bands->width;
    const size_t length = (size_t)width * 3 + 1;
    unsigned char *above = worker->row;
    worker->row = worker->above;
    worker->above = above;
    copy_row(worker->row + 1, af_strip_row(&worker->strip, row), width);
    worker->row[0] = FILTER_NONE;
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
    const uInt length = (uInt)worker->press->bands->width * 3 + 1;
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

static cairo_status_t press_band(press_worker *worker, unsigned number, pressed_band *band)
{
    if (!worker->open && !open_worker(worker)) {
        return CAIRO_STATUS_NO_MEMORY;
    }
    af_strip_draw(&worker->strip, number);
    if (worker->strip.status == CAIRO_STATUS_SUCCESS &&
        !deflate_rows(worker, number + 1 == worker->press->bands->n, band)) {
        return CAIRO_STATUS_NO_MEMORY;
    }
    return worker->strip.status;
}

/* The functions below need the lock. */

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
    if (status != CAIRO_STATUS_SUCCESS && press->status == CAIRO_STATUS_SUCCESS) {
        press->status = status;
        press->stopped = TRUE;
    }
    g_cond_broadcast(&press->changed);
}

static gpointer work(gpointer user)
{
    press_worker *worker = user;
    af_press *press = worker->press;
    g_mutex_lock(&press->lock);
    while (!press->stopped && press->next < press->bands->n) {
        if (may_begin(press)) {
            begin_band(worker);
        } else {
            g_cond_wait(&press->changed, &press->lock);
        }
    }
    g_mutex_unlock(&press->lock);
    return NULL;
}

gboolean af_press_next(af_press *press, af_pressed *pressed)
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
        *pressed = (af_pressed){band->bytes, band->length, band->plain_length, band->checksum};
        g_cond_broadcast(&press->changed);
    }
    g_mutex_unlock(&press->lock);
    return ok;
}

cairo_status_t af_press_status(af_press *press)
{
    g_mutex_lock(&press->lock);
    const cairo_status_t status = press->status;
    g_mutex_unlock(&press->lock);
    return status;
}

af_press *af_press_new(const af_bands *bands, unsigned jobs)
{
    af_press *press = g_new0(af_press, 1);
    press->bands = bands;
    press->filter_up = bands->width * 3 + 1 > DEFLATE_WINDOW / 2;
    press->letters.letters = af_letters_new(bands->system_fonts, TRUE);
    g_mutex_init(&press->letters.lock);
    g_mutex_init(&press->lock);
    g_cond_init(&press->changed);
    press->done = g_new0(pressed_band, bands->n);
    jobs = jobs == 0 ? g_get_num_processors() : jobs;
    press->n_workers = MIN(MIN(jobs, MOST_JOBS), bands->n);
    for (unsigned i = 0; i < press->n_workers; i++) {
        press->workers[i].press = press;
    }
    for (unsigned i = 1; i < press->n_workers; i++) {
        /* without this thread the others do more */
        press->workers[i].thread = g_thread_try_new("aflame-band", work, &press->workers[i], NULL);
    }
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
    for (unsigned i = 1; i < press->n_workers; i++) {
        if (press->workers[i].thread != NULL) {
            g_thread_join(press->workers[i].thread);
        }
    }
    for (unsigned i = 0; i < press->n_workers; i++) {
        close_worker(&press->workers[i]);
    }
    for (unsigned i = 0; i < press->bands->n; i++) {
        g_free(press->done[i].bytes);
    }
    g_free(press->done);
    af_letters_free(press->letters.letters);
    g_mutex_clear(&press->letters.lock);
    g_mutex_clear(&press->lock);
    g_cond_clear(&press->changed);
    g_free(press);
}
