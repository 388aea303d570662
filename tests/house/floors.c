/* Which folder may include what. An include that this table lacks is a defect of the house. */
#include "house.h"

#include <string.h>

#define DRAWN        "base/ render/scene.h render/canvas.h render/paint.h aflame/output.h "
#define FOR_CANVASES DRAWN "render/palette.h render/face.h render/sizes.h render/words.h "

#define FOR_READERS                                                                                \
    "base/ read/ build/event.h build/sink.h build/chunk.h model/warning.h aflame/cancel.h "        \
    "aflame/error.h "
/* Names and facts, but no profile and no tree. */
#define VISIBLE_TO_READERS                                                                         \
    "model/annotation.h model/facts.h model/frame_timeline.h model/markers.h aflame/cancel.h "     \
    "aflame/clock.h aflame/open.h aflame/output.h aflame/visibility.h"
#define ANYTHING      "*"
#define PUBLIC_ERRORS "aflame/output.h aflame/visibility.h"

typedef struct {
    const char *path;    /* prefix of the files in the folder; the longest match counts */
    const char *headers; /* of the project, from src/ or the top; a whole folder if it ends in / */
    const char *libraries; /* in addition to `everywhere` */
    const char *through;   /* other headers that those may include */
} floor_rule;

static const char everywhere[] =
    "glib.h math.h stdarg.h stdbool.h stddef.h stdint.h stdlib.h string.h";

static const floor_rule floors[] = {
    {"include/aflame/", "aflame/", NULL, NULL},
    {"src/base/", "base/ aflame/cancel.h aflame/error.h aflame/output.h",
     "errno.h fcntl.h locale.h pthread.h sched.h sys/mman.h sys/types.h unistd.h zlib.h",
     "aflame/visibility.h"},
    {"src/base/system_linux.c", "base/",
     "fcntl.h limits.h linux/filter.h linux/landlock.h linux/seccomp.h malloc.h signal.h stdio.h "
     "sys/eventfd.h sys/mman.h sys/prctl.h sys/resource.h sys/syscall.h unistd.h",
     NULL},
    {"src/model/", "base/ model/ aflame/error.h aflame/mapping.h aflame/profile.h", NULL,
     "aflame/"},
    {"src/build/", "base/ model/ build/ aflame/clock.h aflame/open.h aflame/profile.h", NULL,
     "aflame/"},
    {"src/calls/", "base/ model/ build/ calls/ aflame/calls.h", NULL, "aflame/"},
    {"src/read/", FOR_READERS,
     "errno.h fcntl.h float.h gelf.h libiberty/demangle.h minizip/unzip.h setjmp.h sys/stat.h "
     "unistd.h zlib.h zstd.h",
     VISIBLE_TO_READERS},
    {"src/read/aflp.c", FOR_READERS "build/finished.h ", "libdeflate.h", VISIBLE_TO_READERS},
    {"src/read/perf/", FOR_READERS, "errno.h fcntl.h unistd.h zstd.h", VISIBLE_TO_READERS},
    {"src/transform/", "base/ model/ calls/ transform/ aflame/reshape.h", NULL, "build/ aflame/"},
    {"src/compare/", "base/ model/ calls/ compare/ aflame/budget.h aflame/diff.h aflame/error.h",
     NULL, "build/ aflame/"},
    {"src/finding/",
     "base/ model/ calls/ finding/ aflame/calls.h aflame/explain.h aflame/mapping.h", NULL,
     "build/ aflame/"},
    {"src/mapping/", "base/ model/ calls/ mapping/ aflame/mapping.h", NULL, "build/ aflame/"},
    {"src/report/",
     "base/ model/ calls/ report/ compare/diff.h finding/finding.h build/consumer.h "
     "build/walk_plan.h aflame/error.h aflame/profile.h aflame/report.h",
     "stdio.h", "build/ aflame/"},
    {"src/export/", "base/ model/ calls/ export/", "libdeflate.h protobuf-c/protobuf-c.h",
     "build/ aflame/"},
    {"src/api/",
     "base/ model/ build/ calls/ read/ mapping/ transform/ compare/ finding/ report/ export/ api/ "
     "render/ aflame/",
     "elfutils/version.h hb.h libdeflate.h png.h protobuf-c/protobuf-c.h sys/stat.h zlib.h zstd.h",
     ANYTHING},
    {"src/cli/", "cli/ serve/serve.h aflame/aflame.h api/autoptr.h api/command.h",
     "dlfcn.h errno.h fcntl.h glob.h limits.h locale.h signal.h stdatomic.h stdio.h sys/ioctl.h "
     "sys/resource.h sys/stat.h unistd.h",
     "aflame/ base/markdown.h base/named.h base/nearest.h base/number.h base/system.h base/unit.h"},
    {"src/cli/manual/examples/", "aflame/aflame.h", "cairo.h stdio.h", "aflame/"},
    {"src/serve/", "base/ serve/ aflame/ api/command.h",
     "arpa/inet.h curl/curl.h errno.h fcntl.h linux/tcp.h microhttpd.h netdb.h poll.h sched.h "
     "seccomp.h libpq-fe.h signal.h spawn.h sqlite3.h stdio.h sys/mman.h sys/prctl.h sys/random.h "
     "sys/sendfile.h sys/resource.h sys/socket.h sys/stat.h sys/wait.h unistd.h zlib.h zstd.h",
     "aflame/"},
    {"src/graphviz/", "graphviz/ aflame/graph_layout.h",
     "graphviz/gvc.h sanitizer/lsan_interface.h", "aflame/visibility.h"},
    {"render/scene.", DRAWN, NULL, "aflame/"},
    {"render/canvas.", DRAWN, NULL, "aflame/"},
    {"render/paint.", DRAWN, NULL, "aflame/"},
    {"render/svg/", FOR_CANVASES "render/svg/", "hb-subset.h libdeflate.h", "aflame/"},
    {"render/cairo/", FOR_CANVASES "render/cairo/ aflame/error.h",
     "cairo-ft.h cairo-pdf.h cairo-svg.h cairo.h fontconfig/fontconfig.h ft2build.h hb-ot.h hb.h "
     "libdeflate.h pango/pango.h pango/pangocairo.h png.h zlib.h",
     "aflame/"},
    {"render/",
     "base/ model/ calls/ render/boxes.h render/scene.h render/canvas.h render/paint.h "
     "render/palette.h render/face.h render/label.h render/sizes.h render/thread_rank.h "
     "render/words.h render/graph/ render/chart/ render/page/ render/packed/ render/diff/ "
     "render/callgraph/ render/ticket/ compare/diff.h finding/finding.h aflame/graph_layout.h "
     "aflame/output.h",
     "hb-ot.h hb.h libdeflate.h", "build/ aflame/"},
};

static const floor_rule *find_floor(const char *path)
{
    const floor_rule *found = NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(floors); i++) {
        if (g_str_has_prefix(path, floors[i].path) &&
            (found == NULL || strlen(floors[i].path) > strlen(found->path))) {
            found = &floors[i];
        }
    }
    return found;
}

/* Whether a list names the header or a folder above it. */
static gboolean lists(const char *list, const char *header)
{
    if (list == NULL) {
        return FALSE;
    }
    for (const char *end = header + strlen(header); end != NULL;
         end = g_strrstr_len(header, end - header, "/")) {
        if (house_has_word(list, header, (gsize)(end - header) + (*end == '/'))) {
            return TRUE;
        }
    }
    return FALSE;
}

/* A reader in a folder may include the shared parts of all readers, but no other reader. */
static gboolean joins_readers(const char *path, const char *header)
{
    const char *folder = g_str_has_prefix(header, "read/") ? strchr(header + 5, '/') : NULL;
    return folder != NULL && g_str_has_prefix(path, "src/read/") &&
           strncmp(path + 4, header, (gsize)(folder + 1 - header)) != 0;
}

/* Calls `each` with the header of every #include line, relative to src/ or the top. */
typedef void include_function(gpointer data, const source *s, gsize offset, const char *header,
                              gboolean quoted);

static void walk_includes(const source *s, include_function *each, gpointer data)
{
    static GRegex *include;
    if (include == NULL) {
        include = g_regex_new("^ *# *include *([<\"])([^\">\n]+)[\">]", G_REGEX_MULTILINE, 0, NULL);
    }
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(include, s->text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *header = g_match_info_fetch(match, 2);
        gint start, sign;
        g_match_info_fetch_pos(match, 0, &start, NULL);
        g_match_info_fetch_pos(match, 1, &sign, NULL);
        each(data, s, (gsize)start, header, s->text[sign] == '"');
    }
}

static void check_include(gpointer data, const source *s, gsize offset, const char *header,
                          gboolean quoted)
{
    house *h = data;
    const floor_rule *r = find_floor(s->path);
    h->checked++;
    if (r == NULL) {
        house_complain(h, s, offset, "its folder is missing in tests/house/floors.c");
    } else if (joins_readers(s->path, header)) {
        house_complain(h, s, offset, "a reader must not include %s, which is another reader's",
                       header);
    } else if (quoted || g_str_has_prefix(header, "aflame/")) {
        if (!lists(r->headers, header) || quoted == g_str_has_prefix(header, "aflame/")) {
            house_complain(h, s, offset, "%s must not include %s", r->path, header);
        }
    } else if (!lists(everywhere, header) && !lists(r->libraries, header)) {
        house_complain(h, s, offset, "%s must not include <%s>", r->path, header);
    }
}

/* ---- headers that a file sees through its includes ---- */

typedef struct {
    house *h;
    GHashTable *files; /* path -> source */
    const source *from;
    const floor_rule *floor;
    GHashTable *reached; /* header -> itself */
    GPtrArray *chain;    /* of headers, from the file's own include line */
    gsize offset;        /* of that line */
} view;

static const source *find_header(const view *v, const char *header)
{
    static const char *const tops[] = {"src/", "", "include/"};
    for (gsize i = 0; i < G_N_ELEMENTS(tops); i++) {
        g_autofree char *path = g_strconcat(tops[i], header, NULL);
        const source *found = g_hash_table_lookup(v->files, path);
        if (found != NULL) {
            return found;
        }
    }
    return NULL; /* a library's, or generated */
}

static void look_through(gpointer data, const source *s, gsize offset, const char *header,
                         gboolean quoted)
{
    view *v = data;
    const source *found = find_header(v, header);
    if (found == NULL || !g_hash_table_add(v->reached, g_strdup(header))) {
        return;
    }
    if (s == v->from) {
        v->offset = offset;
    }
    if (v->chain->len > 0 && !lists(v->floor->headers, header) &&
        !lists(v->floor->through, header)) {
        g_ptr_array_add(v->chain, NULL);
        g_autofree char *chain = g_strjoinv(" -> ", (char **)v->chain->pdata);
        g_ptr_array_set_size(v->chain, (gint)v->chain->len - 1);
        house_complain(v->h, v->from, v->offset, "%s must not see %s, which it reaches through %s",
                       v->floor->path, header, chain);
        return;
    }
    g_ptr_array_add(v->chain, (gpointer)header);
    walk_includes(found, look_through, v);
    g_ptr_array_set_size(v->chain, (gint)v->chain->len - 1);
}

static void check_view(house *h, GHashTable *files, const source *s)
{
    view v = {.h = h, .files = files, .from = s, .floor = find_floor(s->path)};
    if (v.floor == NULL || g_strcmp0(v.floor->through, ANYTHING) == 0) {
        return;
    }
    v.reached = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    v.chain = g_ptr_array_new();
    walk_includes(s, look_through, &v);
    g_ptr_array_free(v.chain, TRUE);
    g_hash_table_destroy(v.reached);
}

void check_floors(house *h)
{
    g_autoptr(GHashTable) files = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < h->sources->len; i++) {
        source *s = h->sources->pdata[i];
        g_hash_table_insert(files, s->path, s);
    }
    for (guint i = 0; i < h->sources->len; i++) {
        const source *s = h->sources->pdata[i];
        if (s->language == SOURCE_C && !g_str_has_prefix(s->path, "tests/")) {
            walk_includes(s, check_include, h);
            check_view(h, files, s);
        }
    }
}
