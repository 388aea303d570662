/* check_exports [-w WRITTEN] FORMAT TRACE|FOLDER...
 *
 * Exports each trace, also those in the folders, and compares the numbers with its call trees to
 * the ns. The reader of the export shares no code with the writer. FORMAT-trees exports trees,
 * after a step that changes nothing. FORMAT-again reopens the export as a trace, which must have
 * the same folded stacks in ns, or without calls an error that says that it is empty; annotations
 * survive in the format folded only. It must have the same threads if the format keeps those that
 * took no time. WRITTEN is read instead of a new export. gecko-again compares the samples. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../../src/api/autoptr.h"
#include "expected_rows.h"
#include "part.h"

typedef struct {
    const char *format; /* the name on the command line */
    char *name;         /* the name that aflame uses */
    gboolean trees, again;
    gsize longest;        /* bytes of a name */
    guint n_read, n_rows; /* rows of the largest file, or bytes of its stacks */
} checking;

/* Whether aflame refuses the export for a good reason. Takes the error. */
static gboolean is_excused(GError *error)
{
    static const char *const reasons[] = {"the input holds samples", "--any-size writes it",
                                          "nothing is left", "times are CPU time"};
    gboolean excused = FALSE;
    for (unsigned i = 0; i < G_N_ELEMENTS(reasons); i++) {
        excused = excused || strstr(error->message, reasons[i]) != NULL;
    }
    if (!excused) {
        fprintf(stderr, "export failed: %s\n", error->message);
    }
    g_error_free(error);
    return excused;
}

static bool append(void *user, const void *bytes, size_t length, GError **error)
{
    g_byte_array_append(user, bytes, (guint)length);
    return TRUE;
}

/* Folded stacks hold every ns. */
static af_convert_options choose_options(const af_profile *profile)
{
    af_convert_options options = AF_CONVERT_OPTIONS_INIT;
    options.folded_unit = af_profile_unit_is_count(profile) ? NULL : "ns";
    return options;
}

/* Returns NULL with *error set if the export fails. */
static GByteArray *write_export(const checking *c, const af_profile *profile, GError **error)
{
    const af_step step = {.kind = AF_STEP_MAX_DEPTH, .number = G_MAXUINT32};
    g_autoptr(af_profile) reshaped = c->trees ? af_profile_reshape(profile, &step, 1, error) : NULL;
    const af_convert_options options = choose_options(profile);
    GByteArray *bytes = g_byte_array_new();
    if ((c->trees && reshaped == NULL) ||
        !af_convert_write(c->trees ? reshaped : profile, c->name, &options, append, bytes, error)) {
        g_clear_pointer(&bytes, g_byte_array_unref);
    }
    return bytes;
}

static gboolean has_longer(const char *line, gsize longest)
{
    for (const char *at = line, *end; at != NULL; at = end == NULL ? NULL : end + 1) {
        end = strchr(at, ';');
        if ((end == NULL ? strlen(at) : (gsize)(end - at)) > longest) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Removes the "_[k]" that folded stacks append to a label; other formats write only the label. A
 * label can end this way itself, if two frames differ in nothing else. */
static void drop_annotation(char *name, GHashTable *labels)
{
    const size_t n = strlen(name);
    if (n > 4 && name[n - 4] == '_' && name[n - 3] == '[' && name[n - 1] == ']' &&
        !g_hash_table_contains(labels, name)) {
        name[n - 4] = '\0';
    }
}

/* Takes the line. */
static char *rewrite_names(char *line, gsize longest, GHashTable *labels)
{
    char *count = strrchr(line, ' ');
    *count = '\0';
    g_auto(GStrv) names = g_strsplit(line, ";", -1);
    for (char **name = names; *name != NULL; name++) {
        g_autofree char *whole = *name;
        if (labels != NULL) {
            drop_annotation(whole, labels);
        }
        *name = cut_name(whole, longest);
    }
    char *stack = g_strjoinv(";", names), *changed = g_strconcat(stack, " ", count + 1, NULL);
    g_free(stack);
    g_free(line);
    return changed;
}

/* Labels as folded stacks spell them. */
static GHashTable *collect_labels(const af_profile *profile)
{
    GHashTable *labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (uint32_t i = 0; i < af_profile_n_labels(profile); i++) {
        g_hash_table_add(labels, g_strdelimit(g_strdup(af_profile_label(profile, i)), ";", ':'));
    }
    return labels;
}

/* Folded stacks; empty if no time was recorded or the text would be too long. */
static GByteArray *fold(const af_profile *profile)
{
    const af_convert_options options = choose_options(profile);
    GByteArray *text = g_byte_array_new();
    GError *error = NULL;
    if (!af_convert_write(profile, "folded", &options, append, text, &error) &&
        !is_excused(error)) {
        refuse("cannot be folded");
    }
    return text;
}

/* The text; for Perfetto without the numbers that tell threads of one name apart, because its tracks
 * get new ones. */
static char *drop_numbers(const checking *c, const char *text, gsize length)
{
    g_autoptr(GRegex) number = g_regex_new(" \\[[0-9]+\\](?=;|$)", G_REGEX_RAW, 0, NULL);
    return strcmp(c->name, "perfetto") != 0
               ? g_strndup(text, length)
               : g_regex_replace_literal(number, text, (gssize)length, 0, "", 0, NULL);
}

/* The lines as a table. Readers ignore leading blanks. Names are truncated to `c->longest` bytes; with
 * `labels`, annotations that are not part of a label are removed. */
static GHashTable *split(const checking *c, const GByteArray *folded, GHashTable *labels)
{
    g_autofree char *text = drop_numbers(c, (const char *)folded->data, folded->len);
    GHashTable *lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (char *at = text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        char *line = g_strchug(g_strndup(at, (gsize)(end - at)));
        const gboolean same =
            !has_longer(line, c->longest) && (labels == NULL || strstr(line, "_[") == NULL);
        g_hash_table_add(lines, same ? line : rewrite_names(line, c->longest, labels));
    }
    return lines;
}

static guint count_others(const char *mark, GHashTable *lines, GHashTable *others)
{
    GHashTableIter at;
    gpointer line;
    guint n = 0;
    g_hash_table_iter_init(&at, lines);
    while (g_hash_table_iter_next(&at, &line, NULL)) {
        if (!g_hash_table_contains(others, line) && n++ < 10) {
            fprintf(stderr, "%s %.1000s\n", mark, (const char *)line);
        }
    }
    return n;
}

/* The same export, read by aflame. Stacks of one frame need the name; the other formats are
 * recognised by their content. */
static af_profile *open_written(const GByteArray *written, const char *unit, GError **error)
{
    g_autofree char *path = NULL;
    const int fd = g_file_open_tmp("written-XXXXXX.folded", &path, NULL);
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.unit = unit;
    if (write(fd, written->data, written->len) != (gssize)written->len) {
        refuse("the file cannot be stored");
    }
    close(fd);
    af_profile *profile = af_profile_open(path, &options, error);
    unlink(path);
    return profile;
}

static gboolean are_alike(const checking *c, const af_profile *profile, const GByteArray *before,
                          const GByteArray *after)
{
    g_autoptr(GHashTable) labels = strcmp(c->name, "folded") == 0 ? NULL : collect_labels(profile);
    g_autoptr(GHashTable) expected = split(c, before, labels);
    g_autoptr(GHashTable) got = split(c, after, NULL);
    const guint n = count_others("<", expected, got) + count_others(">", got, expected);
    return n == 0;
}

/* The stacks that come back: Perfetto's format holds 512 nested calls, and the time of deeper ones
 * belongs to the innermost of these. */
static GByteArray *fold_expected(const checking *c, const af_profile *profile)
{
    const af_step step = {.kind = AF_STEP_MAX_DEPTH, .number = 512};
    if (strcmp(c->name, "perfetto") != 0 || !af_profile_has_calls(profile)) {
        return fold(profile);
    }
    GError *error = NULL;
    g_autoptr(af_profile) reshaped = af_profile_reshape(profile, &step, 1, &error);
    if (reshaped == NULL) {
        refuse("the calls cannot be limited: %s", error->message);
    }
    return fold(reshaped);
}

/* Whether the format keeps threads that took no time, and the thread of each call. */
static gboolean keeps_threads(const checking *c)
{
    static const char *const formats[] = {"chrome", "firefox", "perfetto", "spall", NULL};
    return g_strv_contains(formats, c->name);
}

static gboolean have_same_threads(const checking *c, const af_profile *one, const af_profile *other)
{
    g_autoptr(GHashTable) titles = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    gboolean same = af_profile_n_threads(one) == af_profile_n_threads(other);
    for (unsigned i = 0; i < af_profile_n_threads(one); i++) {
        g_autofree char *title = cut_name(af_thread_title(one, i), c->longest);
        g_hash_table_add(titles, drop_numbers(c, title, strlen(title)));
    }
    for (unsigned i = 0; i < af_profile_n_threads(other); i++) {
        const char *given = af_thread_title(other, i);
        g_autofree char *title = drop_numbers(c, given, strlen(given));
        if (!g_hash_table_contains(titles, title)) {
            fprintf(stderr, "> thread %s\n", given);
            same = FALSE;
        }
    }
    if (!same) {
        fprintf(stderr, "%u threads, reopened %u\n", af_profile_n_threads(one),
                af_profile_n_threads(other));
    }
    return same;
}

static uint64_t count_calls(const af_profile *profile)
{
    uint64_t n = 0;
    for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
        for (uint32_t node = 1; node < af_tree_n_nodes(profile, t); node++) {
            n += af_thread_has_calls(profile, t) ? af_node_calls(profile, t, node) : 0;
        }
    }
    return n;
}

static gboolean compare_again(checking *c, const af_profile *profile, GByteArray *written)
{
    g_autoptr(GByteArray) before = fold_expected(c, profile);
    g_autoptr(GError) error = NULL;
    const char *unit = af_profile_unit_is_count(profile) ? NULL : "ns";
    g_autoptr(af_profile) again = open_written(written, unit, &error);
    gboolean ok = TRUE;
    if (again == NULL && (before->len > 0 || !g_str_has_prefix(error->message, "empty "))) {
        refuse("aflame does not reopen it: %s", error->message);
    }
    if (before->len > 0) {
        g_autoptr(GByteArray) after = fold(again);
        ok = (before->len == after->len && memcmp(before->data, after->data, after->len) == 0) ||
             are_alike(c, profile, before, after);
        c->n_rows = MAX(c->n_rows, before->len);
    }
    if (again != NULL && strcmp(c->name, "speedscope") == 0 &&
        count_calls(profile) != count_calls(again)) {
        fputs("another number of calls\n", stderr);
        ok = FALSE;
    }
    if (again != NULL && keeps_threads(c)) {
        ok = have_same_threads(c, profile, again) && ok;
    }
    c->n_read++;
    g_byte_array_unref(written);
    return ok;
}

/* A Gecko profile holds samples, whatever was exported: they come back one by one. */
static gboolean compare_samples(checking *c, GByteArray *written)
{
    export_rows *in_file = rows_new(), *got = rows_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(af_profile) again = open_written(written, NULL, &error);
    read_export(in_file, c->name, written);
    if (again == NULL && rows_count(in_file) > 0) {
        refuse("aflame does not reopen it: %s", error->message);
    }
    if (again != NULL) {
        expected_rows_add(got, c->format, again);
        c->n_rows = MAX(c->n_rows, rows_count(got));
        c->n_read++;
    }
    const gboolean ok = rows_equal(in_file, got);
    rows_free(in_file);
    rows_free(got);
    return ok;
}

static gboolean compare(checking *c, const af_profile *profile, GByteArray *written)
{
    export_rows *got = rows_new(), *expected = rows_new();
    gboolean ok = TRUE;
    read_export(got, c->name, written);
    if (expected_rows_add(expected, c->format, profile)) {
        ok = rows_equal(expected, got);
        c->n_rows = MAX(c->n_rows, rows_count(got));
        c->n_read++;
    }
    rows_free(got);
    rows_free(expected);
    return ok;
}

static gboolean check(checking *c, const char *path, GByteArray *written)
{
    const af_open_options options = {.size = sizeof options, .keep_input = TRUE};
    GError *error = NULL;
    refuse_of(path);
    af_profile *profile = af_profile_open(path, &options, &error);
    gboolean ok = FALSE;
    if (profile == NULL) {
        fprintf(stderr, "%s\n", error->message);
        g_error_free(error);
    } else {
        GByteArray *bytes = written != NULL ? written : write_export(c, profile, &error);
        const gboolean sampled = strcmp(c->format, "gecko-again") == 0;
        ok = bytes == NULL ? is_excused(error)
             : sampled     ? compare_samples(c, bytes)
             : c->again    ? compare_again(c, profile, bytes)
                           : compare(c, profile, bytes);
        af_profile_free(profile);
    }
    if (!ok) {
        fprintf(stderr, "%s as %s: see above\n", path, c->format);
    }
    return ok;
}

static gboolean check_all(checking *c, const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    gboolean ok = TRUE;
    if (folder == NULL) {
        return check(c, path, NULL);
    }
    for (const char *name; (name = g_dir_read_name(folder)) != NULL;) {
        g_autofree char *inside = g_build_filename(path, name, NULL);
        if (g_file_test(inside, G_FILE_TEST_IS_REGULAR) && !g_str_has_suffix(name, ".sec") &&
            test_part_takes_input(name)) {
            ok = check(c, inside, NULL) && ok;
        }
    }
    return ok;
}

static GByteArray *read_bytes(const char *path)
{
    char *text;
    gsize length;
    if (!g_file_get_contents(path, &text, &length, NULL)) {
        refuse("%s: cannot read it", path);
    }
    return g_byte_array_new_take((guint8 *)text, length);
}

int main(int argc, char **argv)
{
    const gboolean written = argc == 5 && strcmp(argv[1], "-w") == 0;
    const int first = written ? 3 : 1;
    gboolean ok = TRUE;
    if (argc < first + 2) {
        refuse("check_exports [-w WRITTEN] FORMAT TRACE|FOLDER...");
    }
    checking c = {.format = argv[first], .name = g_strdup(argv[first]), .longest = G_MAXSIZE};
    c.trees = g_str_has_suffix(c.name, "-trees");
    c.again = g_str_has_suffix(c.name, "-again");
    if (c.trees || c.again) {
        *strrchr(c.name, '-') = '\0';
    }
    c.longest = strcmp(c.name, "spall") == 0 ? 255 : c.longest;
    for (int i = first + 1; i < argc; i++) {
        ok = (written ? check(&c, argv[i], read_bytes(argv[2])) : check_all(&c, argv[i])) && ok;
    }
    g_free(c.name);
    printf("%u inputs, the largest of %u\n", c.n_read, c.n_rows);
    return ok && c.n_rows > 100 && (written || c.n_read > 50 / test_part()) ? 0 : 1;
}
