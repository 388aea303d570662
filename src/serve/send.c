/* `aflame send`: uploads traces to a server. */
#include "serve/serve.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_DONE = 0, EXIT_USAGE = 2, EXIT_INPUT = 3, EXIT_OUTPUT = 5 };
enum { CREATED = 201, NO_CONTENT = 204, UNPROCESSABLE = 422 };

#define MOST_ANSWER ((gsize)1 << 20)
#define CONNECT_S   30L

typedef struct {
    const af_send_options *options;
    GString *answer;
} sending;

static void print(const sending *s, const char *name, char *text)
{
    s->options->host->print(name, text);
    g_free(text);
}

static size_t take_answer(char *bytes, size_t size, size_t n, void *user)
{
    sending *s = user;
    const size_t length = size * n;
    if (s->answer->len + length > MOST_ANSWER) {
        return 0;
    }
    g_string_append_len(s->answer, bytes, (gssize)length);
    return length;
}

static size_t read_standard(char *bytes, size_t size, size_t n, void *user)
{
    const ssize_t length = read(STDIN_FILENO, bytes, size * n);
    return length < 0 ? CURL_READFUNC_ABORT : (size_t)length;
}

static int show_progress(void *user, curl_off_t down_total, curl_off_t down, curl_off_t up_total,
                         curl_off_t up)
{
    const sending *s = user;
    if (s->options->progress != NULL && up_total > 0) {
        s->options->progress(s->options->progress_user, (uint64_t)up, (uint64_t)up_total);
    }
    return 0;
}

static gboolean add_file(sending *s, curl_mime *form, const char *field, const char *path)
{
    struct stat status;
    curl_mimepart *part = curl_mime_addpart(form);
    curl_mime_name(part, field);
    if (strcmp(path, "-") == 0) {
        curl_mime_filename(part, "stdin");
        return curl_mime_data_cb(part, -1, read_standard, NULL, NULL, NULL) == CURLE_OK;
    }
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || access(path, R_OK) != 0) {
        print(s, path, g_strdup("cannot open this file"));
        return FALSE;
    }
    return curl_mime_filedata(part, path) == CURLE_OK;
}

static gboolean are_pair(const char *one, const char *other)
{
    const char *dot = strrchr(one, '.'), *other_dot = strrchr(other, '.');
    return dot != NULL && other_dot != NULL && dot - one == other_dot - other &&
           strncmp(one, other, (size_t)(dot - one)) == 0 &&
           ((g_ascii_strcasecmp(dot, ".key") == 0 && g_ascii_strcasecmp(other_dot, ".data") == 0) ||
            (g_ascii_strcasecmp(dot, ".data") == 0 && g_ascii_strcasecmp(other_dot, ".key") == 0));
}

/* The index of the other half of an old trace; -1 = none. */
static int find_partner(const af_send_options *o, int at)
{
    for (int i = 0; o->files[i] != NULL; i++) {
        if (are_pair(o->files[at], o->files[i])) {
            return i;
        }
    }
    return -1;
}

static void add_text(curl_mime *form, const char *field, const char *text)
{
    if (text != NULL) {
        curl_mimepart *part = curl_mime_addpart(form);
        curl_mime_name(part, field);
        curl_mime_data(part, text, CURL_ZERO_TERMINATED);
    }
}

static gboolean fill_form(sending *s, curl_mime *form, int at, int partner)
{
    const af_send_options *o = s->options;
    add_text(form, "name", o->name);
    add_text(form, "note", o->note);
    add_text(form, "tags", o->tags);
    return add_file(s, form, "trace_file", o->files[at]) &&
           (partner < 0 || add_file(s, form, "trace_file", o->files[partner])) &&
           (o->mapping == NULL || add_file(s, form, "mapping", o->mapping));
}

/* A token is much shorter. */
enum { MOST_TOKEN = 4096 };

/* The first line of the file of the token. NULL after printing why not. */
static char *read_token(const sending *s)
{
    char line[MOST_TOKEN] = "";
    FILE *file = fopen(s->options->token, "re");
    const gboolean failed =
        file == NULL || (fgets(line, sizeof line, file) == NULL && ferror(file) != 0);
    if (failed) {
        print(s, s->options->token, g_strdup(g_strerror(errno)));
    }
    if (file != NULL) {
        fclose(file);
    }
    line[strcspn(line, "\r\n")] = '\0';
    return failed ? NULL : g_strdup(line);
}

/* ---- delete tokens: a file of the user's with "LINK TOKEN" in each line ---- */

static char *find_token_file(void)
{
    return g_build_filename(g_get_user_state_dir(), "aflame", "delete-tokens", NULL);
}

static void keep_token(const sending *s, const char *link, const char *token)
{
    g_autofree char *path = find_token_file(), *folder = g_path_get_dirname(path);
    g_autofree char *line = g_strdup_printf("%s %s\n", link, token);
    const int fd = g_mkdir_with_parents(folder, 0700) != 0
                       ? -1
                       : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, line, strlen(line)) != (ssize_t)strlen(line)) {
        print(s, path, g_strdup_printf("cannot keep the delete token: %s", g_strerror(errno)));
    }
    if (fd >= 0) {
        close(fd);
    }
}

/* The token of the link to delete. NULL after printing that it is unknown. */
static char *find_token(const sending *s)
{
    g_autofree char *path = find_token_file(), *text = NULL;
    char *token = NULL;
    g_autofree char *begin = g_strconcat(s->options->link, " ", NULL);
    (void)g_file_get_contents(path, &text, NULL, NULL);
    g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if (g_str_has_prefix(*line, begin)) {
            g_free(token);
            token = g_strdup(*line + strlen(begin));
        }
    }
    if (token == NULL) {
        print(s, s->options->link,
              g_strdup_printf("no delete token for this link in %s; --token FILE gives one", path));
    }
    return token;
}

static struct curl_slist *make_headers(const sending *s, gboolean *ok)
{
    struct curl_slist *headers = curl_slist_append(NULL, "Accept: text/plain");
    headers = curl_slist_append(headers, "Expect:");
    if (s->options->token != NULL || s->options->link != NULL) {
        g_autofree char *token = s->options->token != NULL ? read_token(s) : find_token(s);
        g_autofree char *line =
            g_strdup_printf("Authorization: Bearer %s", token != NULL ? token : "");
        headers = curl_slist_append(headers, line);
        *ok = token != NULL;
    }
    return headers;
}

/* Prints what the server answered instead of a link. */
static int report(const sending *s, CURLcode code, long status, const char *reason)
{
    const char *to = s->options->link != NULL ? s->options->link : s->options->to;
    if (code != CURLE_OK) {
        print(s, to, g_strdup(reason[0] != '\0' ? reason : curl_easy_strerror(code)));
        return EXIT_OUTPUT;
    }
    g_autofree char *text = g_utf8_make_valid(s->answer->str, -1);
    g_strdelimit(text, "\r\n", ' ');
    print(s, to, g_strdup_printf("%s (status %ld)", text, status));
    return status == UNPROCESSABLE ? EXIT_INPUT : EXIT_OUTPUT;
}

/* Whether a terminal can show it, and it fits into a line of the delete tokens. */
static gboolean is_link(const char *text)
{
    gboolean ok = g_utf8_validate(text, -1, NULL) &&
                  (g_str_has_prefix(text, "http://") || g_str_has_prefix(text, "https://"));
    for (; ok && *text != '\0'; text = g_utf8_next_char(text)) {
        ok = g_unichar_isgraph(g_utf8_get_char(text));
    }
    return ok;
}

/* Prints the link as soon as it is known. */
static int take_link(const sending *s, CURL *curl)
{
    struct curl_header *header = NULL;
    const char *link = s->answer->str;
    const char *token =
        curl_easy_header(curl, AF_SERVE_TOKEN_HEADER, 0, CURLH_HEADER, -1, &header) == CURLHE_OK
            ? header->value
            : NULL;
    const gboolean printed = puts(link) != EOF && fflush(stdout) == 0;
    if (token != NULL) {
        keep_token(s, link, token);
    }
    if (s->options->open_browser) {
        g_autofree char *address = g_strdup_printf("%s%s%s", link, token != NULL ? "#delete=" : "",
                                                   token != NULL ? token : "");
        af_serve_open_link(s->options->host, address);
    }
    return printed ? EXIT_DONE : EXIT_OUTPUT;
}

/* `form` = NULL: deletes. */
static int perform(sending *s, CURL *curl, const char *url, curl_mime *form,
                   struct curl_slist *headers)
{
    char reason[CURL_ERROR_SIZE] = "";
    long status = 0;
    g_string_truncate(s->answer, 0);
    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_S);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (form != NULL) {
        curl_easy_setopt(curl, CURLOPT_MIMEPOST, form);
    } else {
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "DELETE");
    }
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, s);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, show_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, s);
    const CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (s->options->progress_end != NULL) {
        s->options->progress_end(s->options->progress_user);
    }
    g_strchomp(s->answer->str);
    if (code == CURLE_OK && form != NULL && status == CREATED && is_link(s->answer->str)) {
        return take_link(s, curl);
    }
    return code == CURLE_OK && form == NULL && status == NO_CONTENT
               ? EXIT_DONE
               : report(s, code, status, reason);
}

/* Each trace is a request of its own, so that one that fails does not affect the others. The first
 * failure determines the exit code. */
static int send_all(sending *s, CURL *curl, struct curl_slist *headers)
{
    int result = EXIT_DONE;
    const char *to = s->options->to;
    const size_t length = strlen(to);
    g_autofree char *url =
        g_strdup_printf("%s%.*s/upload_trace", strstr(to, "://") == NULL ? "http://" : "",
                        (int)(length - (g_str_has_suffix(to, "/") ? 1 : 0)), to);
    for (int i = 0; s->options->files[i] != NULL; i++) {
        const int partner = find_partner(s->options, i);
        if (partner >= 0 && partner < i) {
            continue; /* sent with its other half */
        }
        curl_mime *form = curl_mime_init(curl);
        const int code =
            fill_form(s, form, i, partner) ? perform(s, curl, url, form, headers) : EXIT_INPUT;
        result = result == EXIT_DONE ? code : result;
        curl_mime_free(form);
    }
    return result;
}

/* "https://host/base/trace/ID" */
static int delete_link(sending *s, CURL *curl, struct curl_slist *headers)
{
    static const char part[] = "/trace/";
    const char *link = s->options->link, *at = g_strrstr(link, part);
    if (at == NULL || strcspn(at + strlen(part), "/?#") != strlen(at + strlen(part))) {
        print(s, link, g_strdup("not the link of an upload"));
        return EXIT_USAGE;
    }
    g_autofree char *url =
        g_strdup_printf("%.*s/api/v1/traces/%s", (int)(at - link), link, at + strlen(part));
    return perform(s, curl, url, NULL, headers);
}

__attribute__((visibility("default"))) int af_send_run(const af_send_options *options)
{
    sending s = {.options = options, .answer = g_string_new(NULL)};
    int result = EXIT_INPUT;
    gboolean ok = TRUE;
    CURL *curl = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? curl_easy_init() : NULL;
    struct curl_slist *headers = make_headers(&s, &ok);
    if (curl == NULL) {
        print(&s, NULL, g_strdup("cannot start libcurl"));
        result = EXIT_OUTPUT;
    } else if (ok) {
        result =
            options->link != NULL ? delete_link(&s, curl, headers) : send_all(&s, curl, headers);
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    curl_global_cleanup();
    g_string_free(s.answer, TRUE);
    return result;
}
