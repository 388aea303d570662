#include "model/waits.h"

#include <string.h>

/* The first match counts. A class or method that ends in '*' matches all names with that prefix.
 * From the runtime library and framework of Android, for Dalvik and ART. */
static const struct {
    const char *class_name, *method;
    af_waits kind;
    gboolean whole; /* its callees wait for the same reason; no other code runs inside it */
} positions[] = {
    /* it delivers input and callbacks itself, so its callees do other work */
    {"android.os.MessageQueue", "nativePollOnce", AF_WAITS_MESSAGE, FALSE},
    {"java.lang.Object", "wait*", AF_WAITS_MONITOR, TRUE},
    {"sun.misc.Unsafe", "park", AF_WAITS_LOCK, TRUE},
    {"jdk.internal.misc.Unsafe", "park", AF_WAITS_LOCK, TRUE},
    {"java.util.concurrent.locks.*", "*", AF_WAITS_LOCK, TRUE},
    {"java.lang.Thread", "parkFor*", AF_WAITS_LOCK, TRUE},
    {"java.lang.Thread", "parkUntil*", AF_WAITS_LOCK, TRUE},
    {"java.lang.Thread", "sleep*", AF_WAITS_SLEEP, TRUE},
    {"java.lang.VMThread", "sleep*", AF_WAITS_SLEEP, TRUE},
    {"android.os.SystemClock", "sleep", AF_WAITS_SLEEP, TRUE},
    /* a local object answers on the same thread */
    {"android.os.BinderProxy", "transact*", AF_WAITS_BINDER, FALSE},

    {"libcore.io.*", "accept*", AF_WAITS_NETWORK, TRUE},
    {"libcore.io.*", "connect*", AF_WAITS_NETWORK, TRUE},
    {"libcore.io.*", "recv*", AF_WAITS_NETWORK, TRUE},
    {"libcore.io.*", "send*", AF_WAITS_NETWORK, TRUE},
    {"libcore.io.*", "poll*", AF_WAITS_NETWORK, TRUE},
    {"libcore.io.*", "android_getaddrinfo", AF_WAITS_NETWORK, TRUE},
    {"libcore.io.*", "getaddrinfo", AF_WAITS_NETWORK, TRUE},
    {"libcore.io.*", "getnameinfo", AF_WAITS_NETWORK, TRUE},
    {"libcore.io.*", "socket*", AF_WAITS_NETWORK, TRUE},
    {"libcore.io.*", "shutdown", AF_WAITS_NETWORK, TRUE},
    {"java.net.PlainSocketImpl", "*", AF_WAITS_NETWORK, TRUE},
    {"java.net.PlainDatagramSocketImpl", "*", AF_WAITS_NETWORK, TRUE},
    {"java.net.AbstractPlainSocketImpl", "*", AF_WAITS_NETWORK, TRUE},
    {"java.net.SocketInputStream", "*", AF_WAITS_NETWORK, TRUE},
    {"java.net.SocketOutputStream", "*", AF_WAITS_NETWORK, TRUE},
    {"java.net.Inet4AddressImpl", "*", AF_WAITS_NETWORK, TRUE},
    {"java.net.Inet6AddressImpl", "*", AF_WAITS_NETWORK, TRUE},
    {"com.android.org.conscrypt.NativeCrypto", "SSL_*", AF_WAITS_NETWORK, FALSE},
    {"org.conscrypt.NativeCrypto", "SSL_*", AF_WAITS_NETWORK, FALSE},
    {"org.apache.harmony.xnet.provider.jsse.NativeCrypto", "SSL_*", AF_WAITS_NETWORK, FALSE},
    {"org.apache.harmony.luni.platform.OSNetworkSystem", "*", AF_WAITS_NETWORK, TRUE},
    {"android.net.LocalSocketImpl*", "*", AF_WAITS_NETWORK, TRUE},
    {"sun.nio.ch.File*", "*", AF_WAITS_FILE, TRUE},
    {"sun.nio.ch.*", "*", AF_WAITS_NETWORK, TRUE},

    {"libcore.io.*", "access", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "chmod", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "close*", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "fdatasync", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "fstat*", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "fsync", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "ftruncate*", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "lseek", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "lstat", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "mkdir*", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "mmap*", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "msync", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "open*", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "posix_fallocate", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "pread*", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "pwrite*", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "read*", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "realpath", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "remove*", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "rename", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "stat*", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "unlink", AF_WAITS_FILE, TRUE},
    {"libcore.io.*", "write*", AF_WAITS_FILE, TRUE},
    {"java.io.FileDescriptor", "sync*", AF_WAITS_FILE, TRUE},
    {"java.io.FileInputStream", "*", AF_WAITS_FILE, TRUE},
    {"java.io.FileOutputStream", "*", AF_WAITS_FILE, TRUE},
    {"java.io.RandomAccessFile", "*", AF_WAITS_FILE, TRUE},
    {"java.io.UnixFileSystem", "*", AF_WAITS_FILE, TRUE},
    {"sun.nio.fs.UnixNativeDispatcher", "*", AF_WAITS_FILE, TRUE},
    {"org.apache.harmony.luni.platform.OSFileSystem", "*", AF_WAITS_FILE, TRUE},
    {"android.database.sqlite.*", "native*", AF_WAITS_FILE, FALSE},
    {"android.content.res.ApkAssets", "native*", AF_WAITS_FILE, TRUE},
    {"android.content.res.AssetManager", "native*", AF_WAITS_FILE, TRUE},
    {"dalvik.system.DexFile", "open*", AF_WAITS_FILE, TRUE},
    {"java.lang.Runtime", "nativeLoad", AF_WAITS_FILE, FALSE},

    {"android.view.ThreadedRenderer", "nSyncAndDrawFrame", AF_WAITS_DRAWING, FALSE},
    {"android.graphics.HardwareRenderer", "nSyncAndDrawFrame", AF_WAITS_DRAWING, FALSE},
    {"android.view.Surface", "native*", AF_WAITS_DRAWING, TRUE},
    {"android.opengl.EGL14", "egl*", AF_WAITS_DRAWING, TRUE},
    {"com.google.android.gles_jni.EGLImpl", "*", AF_WAITS_DRAWING, TRUE},

    {"dalvik.system.VMDebug", "startGC", AF_WAITS_GC, TRUE},
    {"dalvik.system.VMRuntime", "runHeapTasks", AF_WAITS_GC, FALSE},
    {"dalvik.system.VMRuntime", "concurrentGC", AF_WAITS_GC, TRUE},
    {"dalvik.system.VMRuntime", "trimHeap", AF_WAITS_GC, TRUE},
    {"java.lang.Daemons$HeapTaskDaemon", "runInternal", AF_WAITS_GC, FALSE},
    {"java.lang.Runtime", "gc", AF_WAITS_GC, TRUE},
    {"java.lang.Runtime", "nativeGc", AF_WAITS_GC, TRUE},
};

const char *af_waits_title(af_waits kind)
{
    static const char *const titles[AF_WAITS_COUNT] = {
        [AF_WAITS_MESSAGE] = "message queue",
        [AF_WAITS_MONITOR] = "Object.wait",
        [AF_WAITS_LOCK] = "lock",
        [AF_WAITS_SLEEP] = "sleep",
        [AF_WAITS_BINDER] = "Binder",
        [AF_WAITS_NETWORK] = "network",
        [AF_WAITS_FILE] = "file",
        [AF_WAITS_DRAWING] = "drawing",
        [AF_WAITS_GC] = "garbage collection",
        [AF_WAITS_OTHER] = "other",
    };
    return kind == AF_WAITS_RUNNABLE ? "processor" : titles[kind];
}

static gboolean fits(const char *pattern, const char *text)
{
    for (; *pattern == *text && *pattern != '\0'; pattern++, text++) {
    }
    return *pattern == '*' || (*pattern == '\0' && *text == '\0');
}

/* The positions by the first letter of the class, in ascending order. */
typedef struct {
    uint8_t first[256], next[G_N_ELEMENTS(positions)]; /* position + 1; 0 = none */
} position_index;

static const position_index *get_index(void)
{
    static position_index index;
    static gsize ready;
    if (g_once_init_enter(&ready)) {
        for (size_t i = G_N_ELEMENTS(positions); i-- > 0;) {
            uint8_t *first = &index.first[(uint8_t)positions[i].class_name[0]];
            index.next[i] = *first;
            *first = (uint8_t)(i + 1);
        }
        g_once_init_leave(&ready, 1);
    }
    return &index;
}

af_waits af_waits_of_method(const char *class_name, const char *method, gboolean *whole)
{
    *whole = FALSE;
    if (class_name == NULL || method == NULL) {
        return AF_WAITS_OTHER;
    }
    const position_index *index = get_index();
    for (size_t i = index->first[(uint8_t)class_name[0]]; i > 0; i = index->next[i - 1]) {
        /* the name of the method first: most classes begin alike */
        if (fits(positions[i - 1].method, method) &&
            fits(positions[i - 1].class_name, class_name)) {
            *whole = positions[i - 1].whole;
            return positions[i - 1].kind;
        }
    }
    return AF_WAITS_OTHER;
}

G_STATIC_ASSERT(G_N_ELEMENTS(positions) < UINT8_MAX);

uint8_t *af_waits_of_labels(const af_profile *profile)
{
    uint8_t *of_labels = g_try_malloc((size_t)profile->n_labels + 1);
    for (uint32_t l = 0; of_labels != NULL && l < profile->n_labels; l++) {
        const uint32_t number = profile->labels[l].method;
        gboolean whole = FALSE;
        af_waits kind = AF_WAITS_OTHER;
        if (number < profile->n_methods) {
            const af_method *method = &profile->methods[number];
            kind = af_waits_of_method(method->class_name, method->name, &whole);
        }
        of_labels[l] = (uint8_t)((unsigned)kind | (whole ? AF_WAITS_WHOLE : 0));
    }
    return of_labels;
}

gboolean af_waits_begin(af_waits_of_nodes *waits, const af_tree *tree, const uint8_t *of_labels)
{
    uint8_t *kind = g_try_malloc0((size_t)tree->n + 1);
    uint32_t *waiter = g_try_new0(uint32_t, (size_t)tree->n + 1);
    *waits = (af_waits_of_nodes){kind, waiter};
    if (kind == NULL || waiter == NULL) {
        af_waits_end(waits);
        return FALSE;
    }
    kind[0] = AF_WAITS_OTHER;
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t parent = tree->parent[n];
        const uint8_t own = of_labels[tree->label[n]];
        kind[n] = (kind[parent] & AF_WAITS_WHOLE) != 0 ? kind[parent] : own;
        const gboolean waits_in = (kind[n] & ~AF_WAITS_WHOLE) != AF_WAITS_OTHER;
        waiter[n] = waits_in && parent > 0 ? waiter[parent] : n;
    }
    for (uint32_t n = 0; n < tree->n; n++) {
        kind[n] &= (uint8_t)~AF_WAITS_WHOLE;
    }
    return TRUE;
}

void af_waits_end(af_waits_of_nodes *waits)
{
    g_free(waits->kind);
    g_free(waits->waiter);
    *waits = (af_waits_of_nodes){NULL, NULL};
}

gboolean af_waits_sum(const af_profile *profile, const af_tree *tree, uint64_t sums[AF_WAITS_ALL])
{
    uint8_t *of_labels = af_waits_of_labels(profile);
    af_waits_of_nodes waits;
    memset(sums, 0, sizeof *sums * AF_WAITS_ALL);
    const gboolean ok = of_labels != NULL && af_waits_begin(&waits, tree, of_labels);
    for (uint32_t n = 1; ok && af_tree_has(tree, AF_WAIT) && n < tree->n; n++) {
        const uint64_t runnable_ns = af_tree_self_runnable_ns(tree, n);
        sums[waits.kind[n]] += af_tree_self_term(tree, n, AF_WAIT) - runnable_ns;
        sums[AF_WAITS_RUNNABLE] += runnable_ns;
    }
    for (unsigned kind = 0; kind < AF_WAITS_ALL; kind++) {
        sums[kind] = af_time_of_sum(sums[kind], AF_WAIT);
    }
    if (ok) {
        af_waits_end(&waits);
    }
    g_free(of_labels);
    return ok;
}
