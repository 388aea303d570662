#include "cli/values.h"

#include <string.h>
#include "api/command.h"
#include "cli/memory.h"

gboolean af_read_flag(const af_setting *setting, void *target)
{
    *(bool *)target = true;
    return TRUE;
}

gboolean af_read_sheet(const af_setting *setting, void *target)
{
    *(int *)target = AF_VIEW_SHEET;
    return TRUE;
}

gboolean af_read_json(const af_setting *setting, void *target)
{
    *(const char **)target = "json";
    return TRUE;
}

gboolean af_read_markdown(const af_setting *setting, void *target)
{
    *(const char **)target = "markdown";
    return TRUE;
}

static const char *find_text(const af_setting *setting)
{
    return setting->path != NULL ? setting->path : setting->value;
}

gboolean af_read_title(const af_setting *setting, void *target)
{
    *(const char **)target = find_text(setting);
    return TRUE;
}

gboolean af_read_text(const af_setting *setting, void *target)
{
    if (setting->value[0] == '\0') {
        af_setting_complain(setting, ": the value is empty");
        return FALSE;
    }
    return af_read_title(setting, target);
}

gboolean af_read_folder(const af_setting *setting, void *target)
{
    if (!af_read_text(setting, target)) {
        return FALSE;
    }
    if (!g_file_test(find_text(setting), G_FILE_TEST_IS_DIR)) {
        af_setting_complain(setting, ": %s is not a folder", find_text(setting));
        return FALSE;
    }
    return TRUE;
}

gboolean af_read_list(const af_setting *setting, void *target)
{
    const char ***list = target;
    const guint n = *list == NULL ? 0 : g_strv_length((char **)(void *)*list);
    *list = g_renew(const char *, *list, n + 2);
    (*list)[n] = find_text(setting);
    (*list)[n + 1] = NULL;
    return TRUE;
}

/* The index of the value in `words`. If it is not among them, prints so and returns -1. */
static int find_word(const af_setting *setting, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], setting->value) == 0) {
            return i;
        }
    }
    g_autofree char *list = g_strjoinv(", ", (char **)(void *)words);
    const char *nearest = af_word_nearest(setting->value, words);
    if (nearest != NULL) {
        af_setting_complain(setting, "takes one of %s; did you mean %s?", list, nearest);
    } else {
        af_setting_complain(setting, "takes one of %s, not \"%s\"", list, setting->value);
    }
    return -1;
}

gboolean af_read_word(const af_setting *setting, void *target)
{
    const int found = find_word(setting, setting->option->words);
    if (found >= 0) {
        *(int *)target = found;
    }
    return found >= 0;
}

/* The value, if it is one of the option's words or choices. */
static const char *find_choice(const af_setting *setting)
{
    const char *const *words = setting->option->words;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (unsigned i = 0; words == NULL && setting->option->choice(i) != NULL; i++) {
        g_ptr_array_add(names, (gpointer)setting->option->choice(i));
    }
    g_ptr_array_add(names, NULL);
    const int found =
        find_word(setting, words != NULL ? words : (const char *const *)(void *)names->pdata);
    return found >= 0 ? find_text(setting) : NULL;
}

gboolean af_read_choice(const af_setting *setting, void *target)
{
    const char *found = find_choice(setting);
    if (found != NULL) {
        *(const char **)target = found;
    }
    return found != NULL;
}

gboolean af_read_choices(const af_setting *setting, void *target)
{
    return find_choice(setting) != NULL && af_read_list(setting, target);
}

gboolean af_read_number(const af_setting *setting, void *target)
{
    const af_option *o = setting->option;
    guint64 value;
    if (g_ascii_string_to_unsigned(setting->value, 10, o->least, o->most, &value, NULL)) {
        *(uint32_t *)target = (uint32_t)value;
        return TRUE;
    }
    if (o->most == UINT32_MAX) {
        af_setting_complain(setting, "takes a whole number from %u up, not \"%s\"", o->least,
                            setting->value);
    } else {
        af_setting_complain(setting, "takes a number from %u to %u, not \"%s\"", o->least, o->most,
                            setting->value);
    }
    return FALSE;
}

gboolean af_read_height(const af_setting *setting, void *target)
{
    if (strcmp(setting->value, "none") == 0) {
        *(int *)target = -1;
        return TRUE;
    }
    return af_read_number(setting, target);
}

/* A number with at most `digits` decimals, times 10 to their power; -1 = it is not one. */
static int64_t scan_decimal(const char *text, unsigned digits)
{
    const size_t whole = strspn(text, "0123456789");
    const size_t decimals = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
    const size_t end = whole + (text[whole] == '.' ? 1 + decimals : 0);
    if (text[end] != '\0' || whole + decimals == 0 || whole > 9 || decimals > digits) {
        return -1;
    }
    int64_t value = g_ascii_strtoll(text, NULL, 10);
    for (unsigned i = 0; i < digits; i++) {
        value = value * 10 + (i < decimals ? text[whole + 1 + i] - '0' : 0);
    }
    return value;
}

gboolean af_read_hundredths(const af_setting *setting, void *target)
{
    const af_option *o = setting->option;
    const int64_t value = scan_decimal(setting->value, 2);
    if (value < o->least || value > o->most) {
        af_setting_complain(setting, "takes a number from %g to %g, not \"%s\"", o->least / 100.0,
                            o->most / 100.0, setting->value);
        return FALSE;
    }
    *(int *)target = (int)value;
    return TRUE;
}

gboolean af_read_millionths(const af_setting *setting, void *target)
{
    char *end;
    const double number = g_ascii_strtod(setting->value, &end);
    if (end != setting->value && *end == '\0' && number >= 1e-6 && number <= 1000) {
        *(uint64_t *)target = (uint64_t)(number * 1e6 + 0.5);
        return TRUE;
    }
    af_setting_complain(setting, "takes a number from 0.000001 to 1000, not \"%s\"",
                        setting->value);
    return FALSE;
}

gboolean af_read_size(const af_setting *setting, void *target)
{
    const uint32_t least_k = setting->option->least; /* 0 = 1M */
    if (af_memory_parse_size(setting->value, (uint64_t)(least_k > 0 ? least_k : 1024) * 1024,
                             target)) {
        return TRUE;
    }
    if (least_k > 0) {
        af_setting_complain(setting, "takes a size from %uK up, such as 500K or 2M, not \"%s\"",
                            least_k, setting->value);
    } else {
        af_setting_complain(setting, "takes a size from 1M up, such as 500M or 2G, not \"%s\"",
                            setting->value);
    }
    return FALSE;
}

gboolean af_read_time(const af_setting *setting, void *target)
{
    g_autoptr(GError) error = NULL;
    if (af_time_parse(setting->value, target, &error)) {
        return TRUE;
    }
    af_setting_complain(setting, ": %s", error->message);
    return FALSE;
}

gboolean af_read_dump(const af_setting *setting, void *target)
{
    const af_option *o = setting->option;
    af_dump dump = {.by_time = strspn(setting->value, "0123456789") < strlen(setting->value)};
    if (!dump.by_time) {
        return af_read_number(setting, &((af_dump *)target)->number);
    }
    g_autoptr(GError) error = NULL;
    if (!af_time_parse(setting->value, &dump.ns, &error) || dump.ns < 0) {
        af_setting_complain(setting,
                            "takes the number of a dump from %u to %u, or a time such as 5s, not "
                            "\"%s\"",
                            o->least, o->most, setting->value);
        return FALSE;
    }
    *(af_dump *)target = dump;
    return TRUE;
}

gboolean af_read_around(const af_setting *setting, void *target)
{
    af_around around = {.text = setting->value, .longest = strcmp(setting->value, "longest") == 0};
    guint64 number = 0;
    if (!around.longest &&
        !g_ascii_string_to_unsigned(setting->value, 10, 1, G_MAXUINT64, &number, NULL)) {
        af_setting_complain(setting, "takes the number of a call, or longest, not \"%s\"",
                            setting->value);
        return FALSE;
    }
    around.number = number;
    *(af_around *)target = around;
    return TRUE;
}

static gboolean read_step_number(const af_setting *setting, uint64_t *number)
{
    int order = 0;
    int64_t time_ns = 0;
    uint32_t depth = 0;
    gboolean ok = TRUE;
    af_step_kind_view step;
    af_step_kind_describe((unsigned)setting->option->step, &step);
    switch (step.value) {
    case AF_STEP_DEPTH:
        ok = af_read_number(setting, &depth);
        *number = depth;
        break;
    case AF_STEP_ORDER:
        ok = af_read_word(setting, &order);
        *number = (uint64_t)order;
        break;
    case AF_STEP_TIME:
        ok = af_read_time(setting, &time_ns);
        if (ok && time_ns < 0) {
            af_setting_complain(setting, ": the time \"%s\" is below 0", setting->value);
            ok = FALSE;
        }
        *number = (uint64_t)time_ns;
        break;
    default:
        break;
    }
    return ok;
}

gboolean af_read_step(const af_setting *setting, void *target)
{
    af_step step = {.kind = (af_step_kind)setting->option->step,
                    .text = setting->value,
                    .clock = AF_CLOCK_DEFAULT};
    g_autoptr(GError) error = NULL;
    if (!read_step_number(setting, &step.number)) {
        return FALSE;
    }
    if (!af_step_check(&step, &error)) {
        af_setting_complain(setting, ": %s", error->message);
        return FALSE;
    }
    g_array_append_val(*(GArray **)target, step);
    return TRUE;
}

/* "1%", "2ms", "500": a number without a unit counts what the inputs count. */
gboolean af_read_least(const af_setting *setting, void *target)
{
    const size_t length = strlen(setting->value);
    af_least least = {0};
    int64_t time_ns = 0;
    guint64 count = 0;
    gboolean ok = TRUE;
    if (length > 1 && setting->value[length - 1] == '%') {
        g_autofree char *number = g_strchomp(g_strndup(setting->value, length - 1));
        const int64_t ppm = scan_decimal(number, 4);
        ok = ppm >= 0 && ppm <= 1000000;
        least.ppm = ok ? (unsigned)ppm : 0;
    } else if (g_ascii_string_to_unsigned(setting->value, 10, 0, G_MAXINT64, &count, NULL)) {
        least.amount = count;
    } else {
        ok = af_time_parse(setting->value, &time_ns, NULL) && time_ns >= 0;
        least.amount = (uint64_t)time_ns;
    }
    if (!ok) {
        af_setting_complain(setting,
                            "takes a time such as 2ms, a percentage such as 1%%, or 0, not \"%s\"",
                            setting->value);
        return FALSE;
    }
    *(af_least *)target = least;
    return TRUE;
}

/* "90s", "12h", "30d", "4w". */
gboolean af_read_age(const af_setting *setting, void *target)
{
    static const struct {
        char letter;
        uint64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
    char *end;
    const guint64 number = g_ascii_strtoull(setting->value, &end, 10);
    for (unsigned i = 0; i < G_N_ELEMENTS(units); i++) {
        if (g_ascii_isdigit(setting->value[0]) && end[0] == units[i].letter && end[1] == '\0' &&
            number > 0 && number < 100000000) {
            *(uint64_t *)target = number * units[i].seconds;
            return TRUE;
        }
    }
    af_setting_complain(setting, "takes an age such as 90s, 15m, 12h, 30d or 4w, not \"%s\"",
                        setting->value);
    return FALSE;
}
