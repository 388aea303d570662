#include "model/waits.h"

#include "model/named.h"

/* Whether the method's callees wait for the same reason, so that no other code runs inside it. */
enum { SELF = FALSE, WHOLE = TRUE };

/* Whether the time of the method itself is waiting, whatever clocks there are: it gives its frames
 * the category "blocked". Other methods also run. */
enum { RUNS = FALSE, BLOCKS = TRUE };

/* The first match counts. A class or method that ends in '*' matches all names with that prefix;
 * native functions have no class. From the runtime library and framework of Android, for Dalvik
 * and ART, and from the libraries that keep threads of their own. */
static const struct {
    const char *class_name, *method;
    uint8_t kind;
    gboolean whole, blocks;
} positions[] = {
    /* a looper without a message; callbacks and idle handlers run inside, and do other work */
    {"android.os.MessageQueue", "nativePollOnce", AF_WAITS_IDLE, SELF, BLOCKS},
    {"android.os.MessageQueue", "next", AF_WAITS_IDLE, SELF, BLOCKS},
    /* a thread of a pool without a task */
    {"java.util.concurrent.ThreadPoolExecutor", "getTask", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"java.util.concurrent.ForkJoinPool", "awaitWork", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"kotlinx.coroutines.scheduling.CoroutineScheduler$Worker", "park", AF_WAITS_IDLE, WHOLE,
     BLOCKS},
    {"kotlinx.coroutines.scheduling.CoroutineScheduler$Worker", "tryPark", AF_WAITS_IDLE, WHOLE,
     BLOCKS},
    {"kotlinx.coroutines.scheduling.CoroutineScheduler$Worker", "run*", AF_WAITS_LOOP, SELF, RUNS},
    {"kotlinx.coroutines.DefaultExecutor", "run", AF_WAITS_LOOP, SELF, RUNS},
    {"java.util.TimerThread", "mainLoop", AF_WAITS_LOOP, SELF, RUNS},
    {"java.util.Timer$TimerImpl", "run", AF_WAITS_LOOP, SELF, RUNS},
    {"com.android.okhttp.ConnectionPool$1", "run", AF_WAITS_LOOP, SELF, RUNS},
    {"okhttp3.ConnectionPool$1", "run", AF_WAITS_LOOP, SELF, RUNS},
    {"okhttp3.internal.concurrent.TaskRunner", "awaitTaskToRun", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"okio.AsyncTimeout*", "awaitTimeout", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"com.android.okhttp.okio.AsyncTimeout*", "awaitTimeout", AF_WAITS_IDLE, WHOLE, BLOCKS},
    /* waits for changes of files; observers of the app run inside */
    {"android.os.FileObserver$ObserverThread", "observe", AF_WAITS_IDLE, SELF, BLOCKS},
    /* daemons of the runtime; finalizers of the app run in other methods */
    {"java.lang.ref.ReferenceQueue", "remove", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"java.lang.Daemons$ReferenceQueueDaemon", "run*", AF_WAITS_LOOP, SELF, RUNS},
    {"java.lang.Daemons$FinalizerWatchdogDaemon", "wait*", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"java.lang.Daemons$FinalizerWatchdogDaemon", "sleep*", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"java.lang.Daemons$FinalizerWatchdogDaemon", "run*", AF_WAITS_LOOP, SELF, RUNS},
    {"java.lang.Daemons$GCDaemon", "run*", AF_WAITS_LOOP, SELF, RUNS},
    {"java.lang.ProcessManager", "waitForMoreChildren", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"java.lang.Daemons$HeapTrimmerDaemon", "run*", AF_WAITS_LOOP, SELF, RUNS},
    {"java.lang.Daemons$HeapTaskDaemon", "runInternal", AF_WAITS_IDLE, SELF, BLOCKS},
    {"dalvik.system.VMRuntime", "runHeapTasks", AF_WAITS_IDLE, SELF, BLOCKS},
    {"", "art::SignalCatcher::WaitForSignal*", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"", "art::gc::TaskProcessor::GetTask*", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"", "art::ThreadPool::GetTask*", AF_WAITS_IDLE, WHOLE, BLOCKS},
    /* loopers of native code, and V8's name for idle time */
    {"", "__epoll_pwait", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"", "epoll_pwait", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"", "epoll_wait", AF_WAITS_IDLE, WHOLE, BLOCKS},
    {"", "(idle)", AF_WAITS_IDLE, SELF, BLOCKS},
    /* a thread of the Binder pool without a call from another process */
    {"", "android::IPCThreadState::getAndExecuteCommand*", AF_WAITS_LOOP, SELF, RUNS},
    /* polls the video decoder for Chrome and ChromeOS */
    {"", "DevicePollTask", AF_WAITS_IDLE, SELF, BLOCKS},

    {"java.lang.Object", "wait*", AF_WAITS_MONITOR, WHOLE, BLOCKS},
    {"sun.misc.Unsafe", "park", AF_WAITS_LOCK, WHOLE, BLOCKS},
    {"jdk.internal.misc.Unsafe", "park", AF_WAITS_LOCK, WHOLE, BLOCKS},
    {"java.util.concurrent.locks.LockSupport", "park*", AF_WAITS_LOCK, WHOLE, BLOCKS},
    {"java.util.concurrent.locks.*", "*", AF_WAITS_LOCK, WHOLE, RUNS},
    {"java.lang.Thread", "parkFor*", AF_WAITS_LOCK, WHOLE, BLOCKS},
    {"java.lang.Thread", "parkUntil*", AF_WAITS_LOCK, WHOLE, BLOCKS},
    {"java.lang.Thread", "sleep*", AF_WAITS_SLEEP, WHOLE, BLOCKS},
    {"java.lang.VMThread", "sleep*", AF_WAITS_SLEEP, WHOLE, BLOCKS},
    {"android.os.SystemClock", "sleep", AF_WAITS_SLEEP, WHOLE, BLOCKS},
    /* a local object answers on the same thread */
    {"android.os.BinderProxy", "transactNative", AF_WAITS_BINDER, SELF, BLOCKS},
    {"android.os.BinderProxy", "transact*", AF_WAITS_BINDER, SELF, RUNS},
    {"", "android::IPCThreadState::talkWithDriver*", AF_WAITS_BINDER, WHOLE, BLOCKS},
    /* of the C library, in samples with time off the CPU */
    {"", "pthread_cond_wait*", AF_WAITS_LOCK, WHOLE, BLOCKS},
    {"", "pthread_cond_timedwait*", AF_WAITS_LOCK, WHOLE, BLOCKS},
    {"", "__futex_wait_ex*", AF_WAITS_LOCK, WHOLE, BLOCKS},
    {"", "nanosleep*", AF_WAITS_SLEEP, WHOLE, BLOCKS},

    {"libcore.io.*", "accept*", AF_WAITS_NETWORK, WHOLE, BLOCKS},
    {"libcore.io.*", "connect*", AF_WAITS_NETWORK, WHOLE, BLOCKS},
    {"libcore.io.*", "recv*", AF_WAITS_NETWORK, WHOLE, BLOCKS},
    {"libcore.io.*", "send*", AF_WAITS_NETWORK, WHOLE, BLOCKS},
    {"libcore.io.*", "poll*", AF_WAITS_NETWORK, WHOLE, BLOCKS},
    {"libcore.io.*", "android_getaddrinfo", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"libcore.io.*", "getaddrinfo", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"libcore.io.*", "getnameinfo", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"libcore.io.*", "socket*", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"libcore.io.*", "shutdown", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"java.net.PlainSocketImpl", "*", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"java.net.PlainDatagramSocketImpl", "*", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"java.net.AbstractPlainSocketImpl", "*", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"java.net.SocketInputStream", "socketRead0", AF_WAITS_NETWORK, WHOLE, BLOCKS},
    {"java.net.SocketInputStream", "*", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"java.net.SocketOutputStream", "*", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"java.net.Inet4AddressImpl", "*", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"java.net.Inet6AddressImpl", "*", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"com.android.org.conscrypt.NativeCrypto", "SSL_*", AF_WAITS_NETWORK, SELF, RUNS},
    {"org.conscrypt.NativeCrypto", "SSL_*", AF_WAITS_NETWORK, SELF, RUNS},
    {"org.apache.harmony.xnet.provider.jsse.NativeCrypto", "SSL_*", AF_WAITS_NETWORK, SELF, RUNS},
    {"org.apache.harmony.luni.platform.OSNetworkSystem", "*", AF_WAITS_NETWORK, WHOLE, BLOCKS},
    {"android.net.LocalSocketImpl*", "accept", AF_WAITS_NETWORK, WHOLE, BLOCKS},
    {"android.net.LocalSocketImpl*", "read*", AF_WAITS_NETWORK, WHOLE, BLOCKS},
    {"android.net.LocalSocketImpl*", "*", AF_WAITS_NETWORK, WHOLE, RUNS},
    {"sun.nio.ch.File*", "*", AF_WAITS_FILE, WHOLE, RUNS},
    {"sun.nio.ch.*", "*", AF_WAITS_NETWORK, WHOLE, RUNS},

    {"libcore.io.*", "access", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "chmod", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "close*", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "fdatasync", AF_WAITS_FILE, WHOLE, BLOCKS},
    {"libcore.io.*", "fstat*", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "fsync", AF_WAITS_FILE, WHOLE, BLOCKS},
    {"libcore.io.*", "ftruncate*", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "lseek", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "lstat", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "mkdir*", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "mmap*", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "msync", AF_WAITS_FILE, WHOLE, BLOCKS},
    {"libcore.io.*", "open*", AF_WAITS_FILE, WHOLE, BLOCKS},
    {"libcore.io.*", "posix_fallocate", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "pread*", AF_WAITS_FILE, WHOLE, BLOCKS},
    {"libcore.io.*", "pwrite*", AF_WAITS_FILE, WHOLE, BLOCKS},
    {"libcore.io.*", "read*", AF_WAITS_FILE, WHOLE, BLOCKS},
    {"libcore.io.*", "realpath", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "remove*", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "rename", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "stat*", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "unlink", AF_WAITS_FILE, WHOLE, RUNS},
    {"libcore.io.*", "write*", AF_WAITS_FILE, WHOLE, BLOCKS},
    {"java.io.FileDescriptor", "sync*", AF_WAITS_FILE, WHOLE, RUNS},
    {"java.io.FileInputStream", "*", AF_WAITS_FILE, WHOLE, RUNS},
    {"java.io.FileOutputStream", "*", AF_WAITS_FILE, WHOLE, RUNS},
    {"java.io.RandomAccessFile", "*", AF_WAITS_FILE, WHOLE, RUNS},
    {"java.io.UnixFileSystem", "*", AF_WAITS_FILE, WHOLE, RUNS},
    {"sun.nio.fs.UnixNativeDispatcher", "*", AF_WAITS_FILE, WHOLE, RUNS},
    {"org.apache.harmony.luni.platform.OSFileSystem", "*", AF_WAITS_FILE, WHOLE, BLOCKS},
    {"android.database.sqlite.*", "native*", AF_WAITS_FILE, SELF, RUNS},
    {"android.content.res.ApkAssets", "native*", AF_WAITS_FILE, WHOLE, RUNS},
    {"android.content.res.AssetManager", "native*", AF_WAITS_FILE, WHOLE, RUNS},
    {"dalvik.system.DexFile", "open*", AF_WAITS_FILE, WHOLE, RUNS},
    {"java.lang.Runtime", "nativeLoad", AF_WAITS_FILE, SELF, RUNS},

    {"android.view.ThreadedRenderer", "nSyncAndDrawFrame", AF_WAITS_DRAWING, SELF, RUNS},
    {"android.graphics.HardwareRenderer", "nSyncAndDrawFrame", AF_WAITS_DRAWING, SELF, RUNS},
    {"android.view.Surface", "native*", AF_WAITS_DRAWING, WHOLE, RUNS},
    {"android.opengl.EGL14", "egl*", AF_WAITS_DRAWING, WHOLE, RUNS},
    {"com.google.android.gles_jni.EGLImpl", "*", AF_WAITS_DRAWING, WHOLE, RUNS},

    {"dalvik.system.VMDebug", "startGC", AF_WAITS_GC, WHOLE, RUNS},
    {"dalvik.system.VMRuntime", "concurrentGC", AF_WAITS_GC, WHOLE, RUNS},
    {"dalvik.system.VMRuntime", "trimHeap", AF_WAITS_GC, WHOLE, RUNS},
    {"java.lang.Runtime", "gc", AF_WAITS_GC, WHOLE, RUNS},
    {"java.lang.Runtime", "nativeGc", AF_WAITS_GC, WHOLE, RUNS},
};

const char *af_waits_title(af_waits kind)
{
    static const char *const titles[AF_WAITS_COUNT] = {
        [AF_WAITS_IDLE] = "idle",
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

unsigned af_waits_of_method(const char *class_name, const char *method)
{
    if (method == NULL) {
        return AF_WAITS_OTHER;
    }
    class_name = class_name != NULL ? class_name : "";
    const position_index *index = get_index();
    for (size_t i = index->first[(uint8_t)class_name[0]]; i > 0; i = index->next[i - 1]) {
        /* the name of the method first: most classes begin alike */
        if (af_name_fits(positions[i - 1].method, method) &&
            af_name_fits(positions[i - 1].class_name, class_name)) {
            return positions[i - 1].kind | (positions[i - 1].whole ? AF_WAITS_WHOLE : 0u) |
                   (positions[i - 1].blocks ? AF_WAITS_BLOCKS : 0u);
        }
    }
    return AF_WAITS_OTHER;
}

G_STATIC_ASSERT(G_N_ELEMENTS(positions) < UINT8_MAX);

gboolean af_waits_counted(const af_profile *profile)
{
    static const char *const units[] = {"samples", "threads", "dumps", NULL};
    const af_unit *unit = &profile->facts.weights.unit;
    return !unit->counted || g_strv_contains(units, unit->name);
}

uint8_t *af_waits_of_labels(const af_profile *profile)
{
    uint8_t *of_labels = g_try_malloc((size_t)profile->n_labels + 1);
    const gboolean counted = af_waits_counted(profile);
    for (uint32_t l = 0; of_labels != NULL && l < profile->n_labels; l++) {
        const uint32_t number = profile->labels[l].method;
        unsigned reason = AF_WAITS_OTHER;
        if (counted && number < profile->n_methods) {
            const af_method *method = &profile->methods[number];
            reason = af_waits_of_method(method->class_name, method->name);
        }
        of_labels[l] = (uint8_t)reason;
    }
    return of_labels;
}

gboolean af_waits_is_daemon(const af_profile *profile, uint32_t thread)
{
    /* the kernel keeps 15 letters of a name */
    static const char *const names[] = {"ReferenceQueueD", "FinalizerDaemon", "FinalizerWatchd",
                                        "HeapTaskDaemon",  "HeapTrimmerDaem", "GCDaemon",
                                        "Signal Catcher"};
    const char *name = profile->threads[thread].name;
    for (size_t i = 0; name != NULL && !profile->callers_above && i < G_N_ELEMENTS(names); i++) {
        if (g_str_has_prefix(name, names[i])) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The reason of a node by that of its parent and of its label. */
static uint8_t step(uint8_t parent, uint8_t own)
{
    if ((parent & AF_WAITS_WHOLE) != 0) {
        return parent;
    }
    const gboolean idle = (parent & AF_WAITS_KIND) == AF_WAITS_LOOP && (own & AF_WAITS_WHOLE) != 0;
    return idle ? AF_WAITS_IDLE | AF_WAITS_WHOLE : own;
}

void af_waits_decide(const af_profile *profile, uint32_t thread, af_tree *tree,
                     const uint8_t *of_labels)
{
    tree->reason[0] = af_waits_is_daemon(profile, thread) ? AF_WAITS_LOOP : AF_WAITS_OTHER;
    for (uint32_t n = 1; n < tree->n; n++) {
        /* single calls of a chart that were too short have no label */
        const uint8_t own =
            tree->label[n] == AF_NO_LABEL ? AF_WAITS_OTHER : of_labels[tree->label[n]];
        tree->reason[n] = step(tree->reason[tree->parent[n]], own);
    }
    for (uint32_t n = 0; n < tree->n; n++) {
        tree->reason[n] = (uint8_t)af_waits_kind(tree->reason[n]);
    }
}

gboolean af_waits_decide_all(const af_profile *profile)
{
    g_autofree uint8_t *of_labels = af_waits_of_labels(profile);
    for (uint32_t t = 0; of_labels != NULL && t < profile->n_threads; t++) {
        af_waits_decide(profile, t, profile->threads[t].tree, of_labels);
    }
    return of_labels != NULL;
}

void af_waits_add(const af_tree *tree, gboolean apart, uint64_t sums[AF_WAITS_ALL])
{
    for (uint32_t n = 1; af_tree_has(tree, AF_WAIT) && n < tree->n; n++) {
        const uint64_t runnable_ns = apart ? af_tree_self_runnable_ns(tree, n) : 0;
        sums[tree->reason[n]] += af_tree_self_term(tree, n, AF_WAIT) - runnable_ns;
        sums[AF_WAITS_RUNNABLE] += runnable_ns;
    }
}
