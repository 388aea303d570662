#include <string.h>

#include "base/utf8.h"
#include "render/face.h"
#include "render/label.h"

#define ELLIPSIS "\xe2\x80\xa6"

enum {
    LETTERS_MIN = 7,         /* of a method's name next to the ellipsis; fewer would mean nothing */
    END_MIN = 3,             /* of any other text */
    MIDDLE_BYTES_MAX = 1024, /* longer names are cut at their end, which costs only as much as
                                remains */
    PARTS_BYTES_MAX = 8192,  /* longer labels are not split into their parts again for each frame */
};

typedef struct {
    const char *text;
    size_t length;
} slice;

static gboolean is_extender(gunichar c)
{
    const GUnicodeType type = g_unichar_type(c);
    return type == G_UNICODE_NON_SPACING_MARK || type == G_UNICODE_ENCLOSING_MARK ||
           type == G_UNICODE_SPACING_MARK || c == 0x200C || c == 0x200D ||
           (c >= 0x1F3FB && c <= 0x1F3FF) || (c >= 0xE0020 && c <= 0xE007F);
}

static gboolean is_regional(gunichar c)
{
    return c >= 0x1F1E6 && c <= 0x1F1FF;
}

/* Hangul syllables may be written letter by letter: L* V* T*. */
static gboolean joins_hangul(gunichar before, gunichar c)
{
    const GUnicodeBreakType a = g_unichar_break_type(before), b = g_unichar_break_type(c);
    const gboolean a_is_lead = a == G_UNICODE_BREAK_HANGUL_L_JAMO;
    const gboolean a_ends_in_vowel =
        a == G_UNICODE_BREAK_HANGUL_V_JAMO || a == G_UNICODE_BREAK_HANGUL_LV_SYLLABLE;
    if (b == G_UNICODE_BREAK_HANGUL_T_JAMO) {
        return a_ends_in_vowel || a == G_UNICODE_BREAK_HANGUL_T_JAMO ||
               a == G_UNICODE_BREAK_HANGUL_LVT_SYLLABLE;
    }
    if (b == G_UNICODE_BREAK_HANGUL_V_JAMO) {
        return a_is_lead || a_ends_in_vowel;
    }
    return a_is_lead &&
           (b == G_UNICODE_BREAK_HANGUL_L_JAMO || b == G_UNICODE_BREAK_HANGUL_LV_SYLLABLE ||
            b == G_UNICODE_BREAK_HANGUL_LVT_SYLLABLE);
}

static gboolean joins(gunichar before, gunichar c, unsigned regionals)
{
    if (is_extender(c)) {
        return TRUE;
    }
    if (before == 0x200D && g_unichar_type(c) == G_UNICODE_OTHER_SYMBOL) {
        return TRUE;
    }
    if (is_regional(before) && is_regional(c)) {
        return regionals % 2 == 1;
    }
    return joins_hangul(before, c);
}

/* The length of the first grapheme cluster in bytes, by the rules of Unicode's annex 29 as far as
 * GLib's character tables support them. */
static size_t find_cluster(const char *text, const char *end)
{
    const guchar *bytes = (const guchar *)text;
    if (end - text == 1 || (end - text > 1 && bytes[0] < 0x80 && bytes[1] < 0x80)) {
        return 1;
    }
    const char *at = text;
    gunichar before = 0;
    unsigned regionals = 0;
    while (at < end) {
        gunichar c = g_utf8_get_char_validated(at, end - at);
        const gboolean valid = c != (gunichar)-1 && c != (gunichar)-2;
        if (!valid) {
            c = 0xFFFD;
        }
        if (at > text && !joins(before, c, regionals)) {
            break;
        }
        regionals += is_regional(c) ? 1 : 0;
        before = c;
        at = valid ? g_utf8_next_char(at) : at + 1;
    }
    return (size_t)(at - text);
}

/* The maximum length in bytes of a text with this width: without it, any number of zero-width marks
 * would fit, in each of thousands of frames. Letters of the scripts with the most bytes for their
 * width need a third of that. */
static size_t count_bytes_max(int32_t width_max)
{
    return 64 + (size_t)MAX(width_max, 0) / 100 * 16;
}

/* The number of bytes to measure at once: some of ASCII, otherwise a cluster. */
static size_t find_step(const char *at, const char *end)
{
    enum { AT_ONCE = 8 };
    const size_t ascii = af_utf8_span_ascii(at, MIN((size_t)(end - at), AT_ONCE));
    return ascii > 0 ? ascii : find_cluster(at, end);
}

/* Whether the whole text fits. Stops reading soon after it no longer does. */
static gboolean fits(slice s, gboolean bold, int32_t size, int32_t width_max)
{
    if (s.length > count_bytes_max(width_max)) {
        return FALSE;
    }
    const char *end = s.text + s.length;
    int64_t sum = 0, steps = 0;
    for (const char *at = s.text; at < end; steps++) {
        const size_t length = find_step(at, end);
        sum += af_face_advance(bold, size, at, length);
        /* each of them may have been rounded up */
        if (sum - steps > width_max) {
            return FALSE;
        }
        at += length;
    }
    return af_face_advance(bold, size, s.text, s.length) <= width_max;
}

static af_label_form make_fitted(char *text, gboolean bold, int32_t size)
{
    const size_t length = strlen(text);
    return (af_label_form){
        .text = text,
        .advance = af_face_advance(bold, size, text, length),
        .simple = af_face_is_simple(bold, text, length),
    };
}

/* The longest prefix that fits with an ellipsis after it. */
static af_label_form cut_end(slice s, gboolean bold, int32_t size, int32_t width_max)
{
    if (s.length > count_bytes_max(width_max)) {
        s.length = count_bytes_max(width_max);
        while (s.length > 0 && ((unsigned char)s.text[s.length] & 0xC0) == 0x80) {
            s.length--;
        }
    }
    const char *end = s.text + s.length;
    const int32_t ellipsis = af_face_advance(bold, size, ELLIPSIS, strlen(ELLIPSIS));
    size_t fitting = 0;
    unsigned clusters = 0;
    int64_t sum = ellipsis;
    while (fitting < s.length) {
        const size_t length = find_cluster(s.text + fitting, end);
        sum += af_face_advance(bold, size, s.text + fitting, length) + 1;
        if (sum > width_max) {
            break;
        }
        fitting += length;
        clusters++;
    }
    if (clusters < END_MIN) {
        return (af_label_form){0};
    }
    while (fitting > 0 && s.text[fitting - 1] == ' ') {
        fitting--;
    }
    return make_fitted(g_strdup_printf("%.*s" ELLIPSIS, (int)fitting, s.text), bold, size);
}

/* Finds the ends of the clusters of `s`. Returns their number. */
static unsigned find_clusters(slice s, uint16_t ends[MIDDLE_BYTES_MAX])
{
    unsigned n = 0;
    for (size_t at = 0; at < s.length;) {
        at += find_cluster(s.text + at, s.text + s.length);
        ends[n++] = (uint16_t)at;
    }
    return n;
}

/* The start and end of a name around an ellipsis, with slightly more of the start. */
static af_label_form cut_middle(slice s, gboolean bold, int32_t size, int32_t width_max)
{
    if (s.length > MIN(MIDDLE_BYTES_MAX, count_bytes_max(width_max))) {
        return cut_end(s, bold, size, width_max);
    }
    uint16_t ends[MIDDLE_BYTES_MAX];
    const unsigned n = find_clusters(s, ends);
    int64_t sum = af_face_advance(bold, size, ELLIPSIS, strlen(ELLIPSIS));
    unsigned head = 0, tail = 0;
    while (head + tail < n) {
        const gboolean at_head = head * 2 <= tail * 3;
        const unsigned cluster = at_head ? head : n - 1 - tail;
        const unsigned start = cluster ? ends[cluster - 1] : 0;
        sum += af_face_advance(bold, size, s.text + start, ends[cluster] - start) + 1;
        if (sum > width_max) {
            break;
        }
        head += at_head ? 1 : 0;
        tail += at_head ? 0 : 1;
    }
    if (head + tail < LETTERS_MIN || head + tail == n) {
        return (af_label_form){0};
    }
    const size_t back = tail ? ends[n - 1 - tail] : s.length;
    return make_fitted(g_strdup_printf("%.*s" ELLIPSIS "%.*s", (int)ends[head - 1], s.text,
                                       (int)(s.length - back), s.text + back),
                       bold, size);
}

/* The offset after the last package of the class. */
static size_t find_simple_class(const af_label *label)
{
    size_t at = label->class_length;
    while (at > 0 && label->text[at - 1] != '.' && label->text[at - 1] != '/') {
        at--;
    }
    return at;
}

/* The offset of the arguments; without arguments, the end of the label. */
static size_t find_arguments(const af_label *label)
{
    if (label->length > 0 && label->text[label->length - 1] == ')') {
        const char *at =
            memchr(label->text + label->method_at, '(', label->length - label->method_at);
        if (at && at > label->text + label->method_at) {
            return (size_t)(at - label->text);
        }
    }
    return label->length;
}

static slice cut_slice(const af_label *label, size_t from, size_t to)
{
    return (slice){label->text + from, to - from};
}

static gboolean is_constructor(slice method)
{
    return method.length > 0 && method.text[0] == '<' &&
           (g_str_has_prefix(method.text, "<init>") || g_str_has_prefix(method.text, "<clinit>"));
}

enum { FORMS_MAX = 4 };

/* Lists the forms of a label from the longest to the shortest. Returns their number. */
static unsigned list_forms(const af_label *label, slice forms[FORMS_MAX])
{
    unsigned n = 0;
    forms[n++] = cut_slice(label, 0, label->length);
    if (label->length > PARTS_BYTES_MAX || label->class_length == 0 ||
        label->class_length > label->length || label->method_at <= label->class_length ||
        label->method_at >= label->length) {
        return n;
    }
    const size_t class_at = find_simple_class(label), arguments = find_arguments(label);
    if (class_at > 0) {
        forms[n++] = cut_slice(label, class_at, label->length);
    }
    if (arguments < label->length) {
        forms[n++] = cut_slice(label, class_at, arguments);
    }
    const slice method = cut_slice(label, label->method_at, arguments);
    forms[n++] = is_constructor(method) ? cut_slice(label, class_at, label->class_length) : method;
    return n;
}

af_label_form af_label_fit(const af_label *label, int32_t size, int32_t width_max)
{
    slice forms[FORMS_MAX];
    if (label->length == 0 || width_max <= 0) {
        return (af_label_form){0};
    }
    const unsigned n = list_forms(label, forms);
    for (unsigned i = 0; i < n; i++) {
        if (fits(forms[i], FALSE, size, width_max)) {
            return make_fitted(g_strndup(forms[i].text, forms[i].length), FALSE, size);
        }
    }
    return cut_middle(forms[n - 1], FALSE, size, width_max);
}

gboolean af_label_is_cut(const af_label_form *form, const af_label *label)
{
    return form->text && strstr(form->text, ELLIPSIS) && !strstr(label->text, ELLIPSIS);
}

/* Fits `whole` as it is; without a text if it is too wide or empty. */
static af_label_form fit_whole(slice whole, gboolean bold, int32_t size, int32_t width_max)
{
    if (whole.length == 0 || !fits(whole, bold, size, width_max)) {
        return (af_label_form){0};
    }
    return make_fitted(g_strndup(whole.text, whole.length), bold, size);
}

static slice read_text(const char *text, int32_t width_max)
{
    /* only the start of a longer text matters */
    return (slice){text, strnlen(text, count_bytes_max(width_max) + 1)};
}

af_label_form af_text_fit(const char *text, gboolean bold, int32_t size, int32_t width_max)
{
    const slice whole = read_text(text, width_max);
    const af_label_form fitted = fit_whole(whole, bold, size, width_max);
    return fitted.text || width_max <= 0 ? fitted : cut_end(whole, bold, size, width_max);
}

af_label_form af_name_fit(const char *text, gboolean bold, int32_t size, int32_t width_max)
{
    const slice whole = read_text(text, width_max);
    const af_label_form fitted = fit_whole(whole, bold, size, width_max);
    if (fitted.text || whole.length == 0 || width_max <= 0) {
        return fitted;
    }
    const af_label_form cut = cut_middle(whole, bold, size, width_max);
    return cut.text ? cut : cut_end(whole, bold, size, width_max);
}

size_t af_name_length(const char *name, size_t length)
{
    if (length > AF_NAME_MAX) {
        length = AF_NAME_MAX;
        while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) {
            length--;
        }
    }
    return length;
}
