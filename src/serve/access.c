#include "serve/access.h"

#include <arpa/inet.h>
#include <string.h>
#include <unistd.h>
#include "serve/trace.h"

typedef struct {
    char *hash; /* SHA-256, hex */
    gboolean rights[AF_RIGHTS];
} token;

struct af_access {
    const af_serve_options *options;
    GMutex lock;
    GPtrArray *tokens; /* of token */
    gboolean loopback;
    char *base_host; /* of --base-url; NULL = none */
    char machine[256];
};

static const char *const right_names[AF_RIGHTS] = {"upload", "list", "delete"};

static void free_token(gpointer user)
{
    g_autofree token *it = user;
    g_free(it->hash);
}

static void print(const af_serve_options *o, const char *name, char *text)
{
    o->host->print(name, text);
    g_free(text);
}

static gboolean read_rights(const af_serve_options *o, const char *group, char **words, token *into)
{
    for (char **word = words; word != NULL && *word != NULL; word++) {
        unsigned right = 0;
        while (right < AF_RIGHTS && strcmp(right_names[right], *word) != 0) {
            right++;
        }
        if (right == AF_RIGHTS) {
            print(o, o->tokens,
                  g_strdup_printf("[%s] may = %s: the rights are upload;list;delete, or some of "
                                  "these",
                                  group, *word));
            return FALSE;
        }
        into->rights[right] = TRUE;
    }
    return TRUE;
}

static token *read_token(const af_serve_options *o, GKeyFile *file, const char *group)
{
    token *it = g_new0(token, 1);
    g_auto(GStrv) words = g_key_file_get_string_list(file, group, "may", NULL, NULL);
    it->hash = g_key_file_get_string(file, group, "sha256", NULL);
    gboolean ok =
        it->hash != NULL && strlen(it->hash) == 64 && strspn(it->hash, "0123456789abcdef") == 64;
    if (!ok) {
        print(o, o->tokens,
              g_strdup_printf("[%s] needs sha256 = the SHA-256 of the token in lower-case hex: "
                              "printf %%s TOKEN | sha256sum",
                              group));
    } else {
        ok = read_rights(o, group, words, it);
    }
    if (!ok) {
        free_token(it);
        return NULL;
    }
    return it;
}

static GPtrArray *read_tokens(const af_serve_options *o)
{
    GPtrArray *tokens = g_ptr_array_new_with_free_func(free_token);
    GKeyFile *file = g_key_file_new();
    GError *error = NULL;
    gboolean ok =
        o->tokens == NULL || g_key_file_load_from_file(file, o->tokens, G_KEY_FILE_NONE, &error);
    if (!ok) {
        print(o, o->tokens, g_strdup(error->message));
        g_error_free(error);
    }
    g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);
    for (char **group = groups; ok && *group != NULL; group++) {
        token *it = read_token(o, file, *group);
        ok = it != NULL;
        if (ok) {
            g_ptr_array_add(tokens, it);
        }
    }
    g_key_file_unref(file);
    if (!ok) {
        g_clear_pointer(&tokens, g_ptr_array_unref);
    }
    return tokens;
}

/* The host of "https://host:port/path". */
static char *find_host(const char *url)
{
    const char *begin = url == NULL ? NULL : strstr(url, "://");
    return begin == NULL ? NULL : g_strndup(begin + 3, strcspn(begin + 3, "/"));
}

af_access *af_access_new(const af_serve_options *options, gboolean loopback)
{
    GPtrArray *tokens = read_tokens(options);
    if (tokens == NULL) {
        return NULL;
    }
    af_access *access = g_new0(af_access, 1);
    access->options = options;
    access->loopback = loopback;
    access->tokens = tokens;
    access->base_host = find_host(options->base_url);
    g_mutex_init(&access->lock);
    if (gethostname(access->machine, sizeof access->machine - 1) != 0) {
        access->machine[0] = '\0';
    }
    return access;
}

void af_access_free(af_access *access)
{
    if (access != NULL) {
        g_ptr_array_unref(access->tokens);
        g_mutex_clear(&access->lock);
        g_free(access->base_host);
        g_free(access);
    }
}

void af_access_reload(af_access *access)
{
    GPtrArray *tokens = read_tokens(access->options);
    if (tokens != NULL) {
        g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&access->lock);
        g_ptr_array_unref(access->tokens);
        access->tokens = tokens;
    }
}

gboolean af_access_is_equal(const char *a, const char *b)
{
    unsigned differences = 0;
    const size_t length = strlen(a);
    if (strlen(b) != length) {
        return FALSE;
    }
    for (size_t i = 0; i < length; i++) {
        differences |= (unsigned)(a[i] ^ b[i]);
    }
    return differences == 0;
}

/* AF_RIGHTS: any right or none. */
static gboolean has_right(af_access *access, const char *text, af_right right)
{
    g_autofree char *hash = af_trace_hash(text);
    gboolean found = FALSE;
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&access->lock);
    for (guint i = 0; i < access->tokens->len; i++) {
        const token *it = access->tokens->pdata[i];
        const gboolean has = right == AF_RIGHTS || it->rights[right];
        found = (af_access_is_equal(it->hash, hash) && has) || found;
    }
    return found;
}

gboolean af_access_allows(af_access *access, const char *text, af_right right)
{
    const af_serve_options *o = access->options;
    const gboolean trusted = access->loopback && (o->tokens == NULL || o->trust_loopback);
    const gboolean given = text != NULL && text[0] != '\0';
    if (given && !has_right(access, text, AF_RIGHTS)) {
        return FALSE; /* a wrong token is a mistake, even where none is needed */
    }
    const gboolean open = (right == AF_MAY_UPLOAD && (trusted || o->open_uploads)) ||
                          (right == AF_MAY_LIST && (trusted || o->list));
    return open || (given && has_right(access, text, right));
}

gboolean af_access_knows_token(af_access *access, const char *text)
{
    return has_right(access, text, AF_RIGHTS);
}

gboolean af_access_has_tokens(const af_access *access)
{
    return access->options->tokens != NULL;
}

static gboolean is_address(const char *name)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, name, bytes) == 1 || inet_pton(AF_INET6, name, bytes) == 1;
}

/* Without the port, and without the brackets of an IPv6 address. */
static char *strip_port(const char *host)
{
    if (host[0] == '[') {
        return g_strndup(host + 1, strcspn(host + 1, "]"));
    }
    return g_strndup(host, strcspn(host, ":"));
}

static gboolean is_listed(const char *const *names, const char *name)
{
    for (; names != NULL && *names != NULL; names++) {
        if (g_ascii_strcasecmp(*names, name) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean af_access_knows_host(const af_access *access, const char *host)
{
    if (host == NULL) {
        return FALSE;
    }
    g_autofree char *name = strip_port(host);
    g_autofree char *base = access->base_host == NULL ? NULL : strip_port(access->base_host);
    return is_address(name) || g_ascii_strcasecmp(name, "localhost") == 0 ||
           (access->machine[0] != '\0' && g_ascii_strcasecmp(name, access->machine) == 0) ||
           (base != NULL && g_ascii_strcasecmp(name, base) == 0) ||
           is_listed(access->options->hosts, name);
}

gboolean af_access_trusts_origin(const af_access *access, const char *host, const char *origin,
                                 const char *fetch_site)
{
    const gboolean same = g_strcmp0(fetch_site, "same-origin") == 0;
    if (fetch_site != NULL && !same && strcmp(fetch_site, "none") != 0) {
        return FALSE;
    }
    /* pages with the policy no-referrer send forms with the origin "null" */
    if (origin == NULL || (same && strcmp(origin, "null") == 0)) {
        return TRUE;
    }
    g_autofree char *from = find_host(origin);
    return from != NULL &&
           ((host != NULL && g_ascii_strcasecmp(from, host) == 0) ||
            (access->base_host != NULL && g_ascii_strcasecmp(from, access->base_host) == 0));
}

gboolean af_access_knows_viewer(const af_access *access, const char *origin)
{
    return origin != NULL && is_listed(access->options->viewers, origin);
}
