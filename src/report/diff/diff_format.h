/* A format of comparisons: one const struct in a file of its own and one row of
 * AF_DIFF_FORMATS. */
#pragma once

#include "base/out.h"
#include "report/diff/diff_table.h"

typedef struct {
    const char *name;      /* "json": word of --format */
    const char *extension; /* "json" */
    const char *title;     /* "JSON" */
    gboolean complete;     /* without --by it has all tables except trees */
    gboolean linked;       /* without --by it also has the callers and callees of changed methods */
    gboolean methods;      /* it always has the tables of threads and methods */
    gboolean alone;        /* it has no tables */
    gboolean carries;      /* it carries both sides */
    /* `carried`: the bytes of both sides, or NULL; only for a format that carries them */
    gboolean (*write)(const af_diff *diff, const GPtrArray *tables, const af_diff_tables *wanted,
                      GBytes *carried, af_out *out, GError **error);
} af_diff_format;

/* The formats, in the order of the help. */
/* clang-format off */
#define AF_DIFF_FORMATS(FORMAT) \
    FORMAT(text) \
    FORMAT(json) \
    FORMAT(csv) \
    FORMAT(html) \
    FORMAT(markdown) \
    FORMAT(folded)
/* clang-format on */

#define AF_DECLARE_DIFF_FORMAT(name) extern const af_diff_format af_diff_format_##name;
AF_DIFF_FORMATS(AF_DECLARE_DIFF_FORMAT)

/* NULL past the end, NULL if no format has the name. */
const af_diff_format *af_diff_format_at(unsigned number);
const af_diff_format *af_diff_format_lookup(const char *name);

/* The tables that a format needs, of af_diff_table. Free with g_ptr_array_unref(). NULL with
 * AF_ERROR_USAGE, _NOTHING or _MEMORY. */
GPtrArray *af_diff_tables_make(const af_diff *diff, const af_diff_tables *wanted,
                               const af_diff_format *format, GError **error);

/* ---- words that several formats share ---- */

/* "+12.3 ms", "-4 samples", "0". Free with g_free(). */
char *af_diff_say_change(const af_diff *diff, int64_t change);

/* "12.3 ms". Free with g_free(). */
char *af_diff_say_amount(const af_diff *diff, uint64_t amount);

/* "+31.0 %", "3.1x", "" for new and gone. Free with g_free(). */
char *af_diff_say_ratio(uint64_t before, uint64_t after);

/* "new", "gone", "changed", ... */
const char *af_diff_status_word(af_diff_status status);

/* "more calls", "slower", "both", "new", ..., "~" for noise, "" for equal numbers. */
const char *af_diff_say_cause(const af_diff_row *row);

/* "0.008", "<0.001", "~", "". Free with g_free(). */
char *af_diff_say_p(const af_diff_row *row);

/* "old.trace → new.trace", "5 runs → 4 runs", without folders that all inputs have in common. Free
 * with g_free(). */
char *af_diff_say_sides(const af_diff *diff);

/* The comparison in a sentence, without a full stop: "After takes 12.0 ms more than before:
 * ...". Free with g_free(). */
char *af_diff_say_verdict(const af_diff *diff);

/* Lines about the whole (inputs, totals with their verdict, how differences were judged), about the
 * largest causes, and both. As a GPtrArray of char *; free with g_ptr_array_unref(). */
GPtrArray *af_diff_describe_whole(const af_diff *diff);
GPtrArray *af_diff_describe_causes(const af_diff *diff);
GPtrArray *af_diff_describe(const af_diff *diff);

/* The unit in keys and columns: "ns" or the name of the unit. */
const char *af_diff_unit_id(const af_diff *diff);

/* What the sides have: "thread" or "heaps", for example. */
const char *af_diff_thread_word(const af_diff *diff, uint64_t n);
