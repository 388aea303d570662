/* Numbers as people read them, independent of the locale: a point for decimals, a comma for
 * thousands; and times as people type them. */
#pragma once

#include <stdint.h>
#include <glib.h>
#include "base/unit.h"

/* A capacity that is large enough for any of the texts below with its zero byte. */
#define AF_NUMBER_SIZE 72

/* A duration with three or four significant digits: "0", "12 µs", "1.50 ms", "320.9 ms", "15.31 s",
 * "71 min 35 s". Returns `text`. */
char *af_number_time(char text[AF_NUMBER_SIZE], uint64_t ns);

/* A value of a profile: a duration, or an amount with its unit: "12,345 cycles", "1.50 M samples",
 * "1 byte". Returns `text`. */
char *af_number_amount(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit);

/* The same without the unit of amounts that are no times: "5.49 G". Returns `text`. */
char *af_number_amount_bare(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit);

/* The singular of a unit's name: "cycle", "cache-miss". Returns `text`. */
char *af_number_singular(char text[AF_NUMBER_SIZE], const char *name);

/* The same for tooltips: milliseconds, or the amount with all its digits. */
char *af_number_amount_exact(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit);

/* An amount without its unit, for tables whose head names the unit: "12,345"; and for programs:
 * "12345". Returns `text`. */
char *af_number_amount_cell(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit);
char *af_number_amount_typed(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit);

/* A time with all its digits, which a user can type as an option: "0 s", "200 ms", "1.234567 s".
 * Returns `text`. */
char *af_number_exact(char text[AF_NUMBER_SIZE], uint64_t ns);

/* 31031 -> "31,031". */
char *af_number_count(char text[AF_NUMBER_SIZE], uint64_t count);

/* `part` of `whole` in percent with one decimal: "29.2 %". A share above 0 but below 0.1 % is "<0.1
 * %"; if `whole` is 0, the text is "0 %". */
char *af_number_share(char text[AF_NUMBER_SIZE], uint64_t part, uint64_t whole);

/* The change of an amount: "+12.3 ms", "-4 samples", "0". Returns `text`. */
char *af_number_change(char text[AF_NUMBER_SIZE], uint64_t before, uint64_t after,
                       const af_unit *unit);

/* The same in percent, or as a multiple from double on: "+31.0 %", "3.1x"; empty if either is 0.
 * Returns `text`. */
char *af_number_ratio(char text[AF_NUMBER_SIZE], uint64_t before, uint64_t after);

/* Nanoseconds as milliseconds with three decimals: "1234.567 ms", for tooltips and tables, where
 * users compare values. */
char *af_number_ms(char text[AF_NUMBER_SIZE], uint64_t ns);

/* Nanoseconds in the syntax of af_time_parse(), without loss: "1.5s", "300ms", "1.234567ms",
 * "0". */
char *af_number_typed(char text[AF_NUMBER_SIZE], uint64_t ns);

/* Parses "1.5s", "300ms", "20us", "20 µs", "1ns", "2min" or "0". A leading "-" counts back from the
 * end. The decimal point is "." in every locale; only 0 needs no unit; fractions of a nanosecond
 * are rejected. Fails with AF_ERROR_USAGE and then leaves *ns unchanged. */
gboolean af_time_parse(const char *text, int64_t *ns, GError **error);
