#include "base/number.h"

#include <string.h>

#include "base/wide.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)
#define S UINT64_C(1000000000)

/* Tooltips hold tens of thousands of these, so digits are made by hand. */
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

/* value / unit with `digits` (0 to 3) behind the point, rounded to nearest. */
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
    } else if (ns < MS - US / 2) { /* what would be rounded up to the next unit is shown in it */
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

char *af_number_ms(char text[AF_NUMBER_SIZE], uint64_t ns)
{
    print_scaled(text, ns, MS, 3, "ms");
    return text;
}
