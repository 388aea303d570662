/* `aflame send`: uploads traces to a server. */
#include "serve/serve.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_DONE = 0, EXIT_USAGE = 2, EXIT_INPUT = 3, EXIT_OUTPUT = 5 };
enum { CREATED = 201, UNPROCESSABLE = 422 };

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
    (void)user;
    const ssize_t length = read(STDIN_FILENO, bytes, size * n);
    return length < 0 ? CURL_READFUNC_ABORT : (size_t)length;
}

static int show_progress(void *user, curl_off_t down_total, curl_off_t down, curl_off_t up_total,
                         curl_off_t up)
{
    const sending *s = user;
    (void)down_total, (void)down;
    if (s->options->progress != NULL && up_total > 0) {
        s->options->progress(s->options->progress_user, (uint64_t)up, (uint64_t)up_total);
    }
    return 0;
}

/* ---- the form ---- */

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

static gboolean add_files(sending *s, curl_mime *form)
{
    const af_send_options *o = s->options;
    for (const char *const *file = o->files; *file != NULL; file++) {
        if (!add_file(s, form, "trace_file", *file)) {
            return FALSE;
        }
    }
    return o->mapping == NULL || add_file(s, form, "mapping", o->mapping);
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

static struct curl_slist *make_headers(const sending *s, gboolean *ok)
{
    struct curl_slist *headers = curl_slist_append(NULL, "Accept: text/plain");
    headers = curl_slist_append(headers, "Expect:");
    if (s->options->token != NULL) {
        char *token = read_token(s);
        char *line = g_strdup_printf("Authorization: Bearer %s", token != NULL ? token : "");
        headers = curl_slist_append(headers, line);
        *ok = token != NULL;
        g_free(line);
        g_free(token);
    }
    return headers;
}

/* ---- sending ---- */

static char *make_url(const char *to)
{
    const size_t length = strlen(to);
    return g_strdup_printf("%s%.*s/upload_trace", strstr(to, "://") == NULL ? "http://" : "",
                           (int)(length - (g_str_has_suffix(to, "/") ? 1 : 0)), to);
}

/* Prints the links, or what the server answered instead. */
static int finish(const sending *s, CURLcode code, long status, const char *reason)
{
    g_strchomp(s->answer->str);
    if (code != CURLE_OK) {
        print(s, s->options->to, g_strdup(reason[0] != '\0' ? reason : curl_easy_strerror(code)));
        return EXIT_OUTPUT;
    }
    if (status != CREATED) {
        char *text = g_utf8_make_valid(s->answer->str, -1);
        g_strdelimit(text, "\r\n", ' ');
        print(s, s->options->to, g_strdup_printf("%s (status %ld)", text, status));
        g_free(text);
        return status == UNPROCESSABLE ? EXIT_INPUT : EXIT_OUTPUT;
    }
    return puts(s->answer->str) == EOF ? EXIT_OUTPUT : EXIT_DONE;
}

static int send_form(sending *s, CURL *curl, curl_mime *form, struct curl_slist *headers)
{
    char reason[CURL_ERROR_SIZE] = "";
    long status = 0;
    char *url = make_url(s->options->to);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_S);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_MIMEPOST, form);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, s);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, show_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, s);
    const CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    g_free(url);
    if (s->options->progress_end != NULL) {
        s->options->progress_end(s->options->progress_user);
    }
    return finish(s, code, status, reason);
}

__attribute__((visibility("default"))) int af_send_run(const af_send_options *options)
{
    sending s = {.options = options, .answer = g_string_new(NULL)};
    int result = EXIT_INPUT;
    gboolean ok = TRUE;
    CURL *curl = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? curl_easy_init() : NULL;
    curl_mime *form = curl == NULL ? NULL : curl_mime_init(curl);
    struct curl_slist *headers = make_headers(&s, &ok);
    if (form == NULL) {
        print(&s, NULL, g_strdup("cannot start libcurl"));
        result = EXIT_OUTPUT;
    } else if (ok && add_files(&s, form)) {
        result = send_form(&s, curl, form, headers);
    }
    curl_slist_free_all(headers);
    curl_mime_free(form);
    curl_easy_cleanup(curl);
    curl_global_cleanup();
    g_string_free(s.answer, TRUE);
    return result;
}
