#include "base/number.h"

#include <string.h>
#include <aflame/error.h>

#include "base/wide.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)

/* Tooltips contain tens of thousands of these, so printf() would be too slow. */
static char *put_digits(char *to, uint64_t value, int least)
{
    char digits[20];
    int n = 0;
    for (; value > 0 || n < least; value /= 10) {
        digits[n++] = (char)('0' + value % 10);
    }
    while (n > 0) {
        *to++ = digits[--n];
    }
    return to;
}

/* Prints value / unit with `digits` (0 to 3) decimals, rounded to nearest. */
static void print_scaled(char *text, uint64_t value, uint64_t unit, int digits, const char *name)
{
    static const uint64_t power[] = {1, 10, 100, 1000};
    uint64_t whole = value / unit, rest = value % unit;
    uint64_t fraction = (rest * power[digits] + unit / 2) / unit;
    if (fraction == power[digits]) {
        whole++;
        fraction = 0;
    }
    text = put_digits(text, whole, 1);
    if (digits > 0) {
        *text++ = '.';
        text = put_digits(text, fraction, digits);
    }
    *text++ = ' ';
    strcpy(text, name);
}

char *af_number_time(char text[AF_NUMBER_SIZE], uint64_t ns)
{
    if (ns == 0) {
        g_strlcpy(text, "0", AF_NUMBER_SIZE);
    } else if (ns < US) {
        print_scaled(text, ns, 1, 0, "ns");
    } else if (ns < MS - US / 2) { /* a time that would round up to the next unit is shown in that
                                      unit */
        print_scaled(text, ns, US, ns % US == 0 || ns >= 100 * US ? 0 : 1, "µs");
    } else if (ns < S - 50 * US) {
        print_scaled(text, ns, MS, ns < 10 * MS ? 2 : 1, "ms");
    } else if (ns < 600 * S) {
        print_scaled(text, ns, S, ns < 100 * S - 5 * MS ? 2 : 1, "s");
    } else {
        uint64_t seconds = (ns - ns % S) / S + (ns % S >= S / 2);
        g_snprintf(text, AF_NUMBER_SIZE, "%" G_GUINT64_FORMAT " min %02d s", seconds / 60,
                   (int)(seconds % 60));
    }
    return text;
}

/* Appends a point and `rest` as `digits` decimals, without trailing zeros; nothing for 0. Returns
 * the end of the text. */
static char *put_rest(char *to, uint64_t rest, int digits)
{
    if (rest > 0) {
        *to++ = '.';
        to = put_digits(to, rest, digits);
        while (to[-1] == '0') {
            to--;
        }
    }
    return to;
}

/* Prints all digits, in the largest unit with a digit before the point. */
static char *print_exact(char *text, uint64_t ns, const char *const names[4])
{
    static const struct {
        uint64_t ns;
        int digits; /* decimals */
    } units[] = {{S, 9}, {MS, 6}, {US, 3}, {1, 0}};
    unsigned u = 0;
    while (ns > 0 && ns < units[u].ns) {
        u++;
    }
    char *to = put_digits(text, ns / units[u].ns, 1);
    strcpy(put_rest(to, ns % units[u].ns, units[u].digits), names[u]);
    return text;
}

char *af_number_exact(char text[AF_NUMBER_SIZE], uint64_t ns)
{
    static const char *const names[] = {" s", " ms", " µs", " ns"};
    return print_exact(text, ns, names);
}

char *af_number_typed(char text[AF_NUMBER_SIZE], uint64_t ns)
{
    static const char *const names[] = {"s", "ms", "us", "ns"};
    return ns == 0 ? strcpy(text, "0") : print_exact(text, ns, names);
}

char *af_number_count(char text[AF_NUMBER_SIZE], uint64_t count)
{
    char digits[24];
    const int n = (int)(put_digits(digits, count, 1) - digits);
    char *to = text;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) {
            *to++ = ',';
        }
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

/* ---- amounts that are not times ---- */

static uint64_t unit_scale(const af_unit *unit)
{
    static const uint64_t power[] = {1, 10, 100, 1000};
    return power[MIN(unit->digits, 3)];
}

/* Appends the decimals of `amount`, without trailing zeros. */
static void append_rest(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit)
{
    *put_rest(text + strlen(text), amount % unit_scale(unit), MIN(unit->digits, 3)) = '\0';
}

char *af_number_amount_cell(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit)
{
    af_number_count(text, amount / unit_scale(unit));
    append_rest(text, amount, unit);
    return text;
}

char *af_number_amount_typed(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit)
{
    *put_digits(text, amount / unit_scale(unit), 1) = '\0';
    append_rest(text, amount, unit);
    return text;
}

/* Prints a large amount with three significant digits. FALSE if it is not large. */
static gboolean put_large(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit)
{
    static const struct {
        uint64_t size;
        const char *name;
    } sizes[] = {{UINT64_C(1000000000000), "T"}, {UINT64_C(1000000000), "G"}, {1000000, "M"}};
    const uint64_t whole = amount / unit_scale(unit);
    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        const uint64_t size = sizes[i].size;
        if (whole >= size - size / 2000) {
            print_scaled(text, whole, size,
                         whole < 10 * size - size / 200   ? 2
                         : whole < 100 * size - size / 20 ? 1
                                                          : 0,
                         sizes[i].name);
            return TRUE;
        }
    }
    return FALSE;
}

char *af_number_singular(char text[AF_NUMBER_SIZE], const char *name)
{
    size_t length = strlen(name);
    if (g_str_has_suffix(name, "sses") || g_str_has_suffix(name, "ches")) {
        length -= 2;
    } else if (length > 1 && name[length - 1] == 's' && name[length - 2] != 's') {
        length--;
    }
    length = MIN(length, AF_UNIT_NAME_MAX);
    memcpy(text, name, length);
    text[length] = '\0';
    return text;
}

static void append_unit(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit)
{
    char singular[AF_NUMBER_SIZE];
    const char *name =
        amount == unit_scale(unit) ? af_number_singular(singular, unit->name) : unit->name;
    const size_t length = MIN(strlen(name), AF_UNIT_NAME_MAX);
    char *to = text + strlen(text);
    *to++ = ' ';
    memcpy(to, name, length);
    to[length] = '\0';
}

char *af_number_amount_bare(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit)
{
    if (!unit->counted) {
        return af_number_time(text, amount);
    }
    if (!put_large(text, amount, unit)) {
        af_number_amount_cell(text, amount, unit);
    }
    return text;
}

char *af_number_amount(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit)
{
    af_number_amount_bare(text, amount, unit);
    if (unit->counted) {
        append_unit(text, amount, unit);
    }
    return text;
}

char *af_number_amount_exact(char text[AF_NUMBER_SIZE], uint64_t amount, const af_unit *unit)
{
    if (!unit->counted) {
        return af_number_ms(text, amount);
    }
    af_number_amount_cell(text, amount, unit);
    append_unit(text, amount, unit);
    return text;
}

char *af_number_share(char text[AF_NUMBER_SIZE], uint64_t part, uint64_t whole)
{
    if (part == 0 || whole == 0) {
        g_strlcpy(text, "0 %", AF_NUMBER_SIZE);
        return text;
    }
    af_u128 tenths = ((af_u128)part * 1000 + whole / 2) / whole;
    if (tenths == 0) {
        g_strlcpy(text, "<0.1 %", AF_NUMBER_SIZE);
    } else {
        const uint64_t t = tenths > UINT64_MAX ? UINT64_MAX : (uint64_t)tenths;
        print_scaled(text, t, 10, 1, "%");
    }
    return text;
}

char *af_number_change(char text[AF_NUMBER_SIZE], uint64_t before, uint64_t after,
                       const af_unit *unit)
{
    const uint64_t size = after < before ? before - after : after - before;
    char amount[AF_NUMBER_SIZE];
    af_number_amount(amount, size, unit);
    g_snprintf(text, AF_NUMBER_SIZE, "%s%s",
               after < before   ? "-"
               : after > before ? "+"
                                : "",
               amount);
    return text;
}

char *af_number_ratio(char text[AF_NUMBER_SIZE], uint64_t before, uint64_t after)
{
    text[0] = '\0';
    if (before == 0 || after == 0) {
        return text;
    }
    if (after / before >= 2) {
        const af_u128 tenths = ((af_u128)after * 10 + before / 2) / before;
        g_snprintf(text, AF_NUMBER_SIZE, "%" G_GUINT64_FORMAT ".%ux", (uint64_t)(tenths / 10),
                   (unsigned)(tenths % 10));
        return text;
    }
    const gboolean less = after < before;
    const uint64_t change = less ? before - after : after - before;
    const uint64_t tenths = (uint64_t)(((af_u128)change * 1000 + before / 2) / before);
    g_snprintf(text, AF_NUMBER_SIZE, "%s%" G_GUINT64_FORMAT ".%u %%",
               tenths == 0 ? ""
               : less      ? "-"
                           : "+",
               tenths / 10, (unsigned)(tenths % 10));
    return text;
}

char *af_number_ms(char text[AF_NUMBER_SIZE], uint64_t ns)
{
    print_scaled(text, ns, MS, 3, "ms");
    return text;
}

#define DIGITS_MAX 19 /* any 19 digits fit into 64 bits */

/* The unit in ns; 0 = unknown. */
static uint64_t find_unit(const char *name)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"ns", 1},  {"us", US}, {"\u00b5s", US}, {"\u03bcs", US},
                 {"ms", MS}, {"s", S},   {"min", 60 * S}};
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        if (strcmp(name, units[i].name) == 0) {
            return units[i].ns;
        }
    }
    return 0;
}

/* Scans "12", "1.5" or ".5": all digits as one number, and ten to the power of the number of
 * decimals. Returns the text after the number; NULL if the number is missing or too long for a
 * time. */
static const char *scan_digits(const char *text, uint64_t *digits, uint64_t *scale)
{
    unsigned n = 0;
    gboolean in_decimals = FALSE;
    *digits = 0;
    *scale = 1;
    for (; g_ascii_isdigit(*text) || (*text == '.' && !in_decimals); text++) {
        if (*text == '.') {
            in_decimals = TRUE;
            continue;
        }
        *digits = *digits * 10 + (uint64_t)(*text - '0');
        *scale *= in_decimals ? 10 : 1;
        n++;
        if (n > DIGITS_MAX) {
            return NULL;
        }
    }
    return n > 0 ? text : NULL;
}

gboolean af_time_parse(const char *text, int64_t *ns, GError **error)
{
    const gboolean negative = text[0] == '-';
    uint64_t digits = 0, scale = 1;
    const char *end = scan_digits(text + negative, &digits, &scale);
    const char *name = end != NULL && *end == ' ' ? end + 1 : end;
    const uint64_t unit_ns = name == NULL ? 0 : digits == 0 && *end == '\0' ? 1 : find_unit(name);
    const af_u128 scaled = (af_u128)digits * unit_ns;
    if (unit_ns == 0 && end != NULL && *end == '\0') {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "the time \"%s\" has no unit; write %sms, or ns, us, s, min", text, text);
    } else if (unit_ns == 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "\"%s\" is not a valid time; write it like 1.5s, 300ms, 20us or 1ns", text);
    } else if (scaled % scale != 0 || scaled / scale > INT64_MAX) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "the time \"%s\" is %s", text,
                    scaled % scale != 0 ? "finer than a nanosecond" : "too long");
    } else {
        *ns = negative ? -(int64_t)(scaled / scale) : (int64_t)(scaled / scale);
        return TRUE;
    }
    return FALSE;
}
