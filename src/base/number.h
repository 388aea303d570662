/* Numbers as people read them. Never by locale: a point for fractions, a comma for thousands.
 * The other way round, a time as it is typed: af_time_parse() in aflame/times.h lives here too. */
#ifndef AF_BASE_NUMBER_H
#define AF_BASE_NUMBER_H

#include <stdint.h>
#include <glib.h>
#include "base/unit.h"

/* Room for any of the texts below with its zero byte. */
#define AF_NUMBER_SIZE 72

/* A duration with three or four telling digits: "0", "12 µs", "1.50 ms", "320.9 ms", "15.31 s",
 * "71 min 35 s". Returns `text`. */
char *af_number_time(char text[AF_NUMBER_SIZE], uint64_t ns);

/* What a profile measures: a duration, or so many of the unit: "12,345 cycles", "1.50 M samples",
 * "1 byte". Returns `text`. */
char *af_number_amount(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit);

/* The same for tooltips: milliseconds, or the number with all its digits. */
char *af_number_amount_exact(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit);

/* What is counted, for tables whose head names the unit: "12,345"; and as programs read it:
 * "12345". Returns `text`. */
char *af_number_amount_cell(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit);
char *af_number_amount_typed(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit);

/* A time with all its digits, so that it can be typed again: "0 s", "200 ms", "1.234567 s". Returns
 * `text`. */
char *af_number_exact(char text[AF_NUMBER_SIZE], uint64_t ns);

/* 31031 -> "31,031". */
char *af_number_count(char text[AF_NUMBER_SIZE], uint64_t count);

/* `part` of `whole` in percent with one digit behind the point: "29.2 %". What is above 0 but
 * below a tenth is "<0.1 %"; of nothing it is "0 %". */
char *af_number_share(char text[AF_NUMBER_SIZE], uint64_t part, uint64_t whole);

/* Nanoseconds as milliseconds with three digits behind the point: "1234.567 ms", for tooltips and
 * tables, where values are compared with each other. */
char *af_number_ms(char text[AF_NUMBER_SIZE], uint64_t ns);

/* Nanoseconds as af_time_parse() reads them, all of them: "1.5s", "300ms", "1.234567ms", "0". */
char *af_number_typed(char text[AF_NUMBER_SIZE], uint64_t ns);

#endif
