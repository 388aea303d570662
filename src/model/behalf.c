#include "model/behalf.h"

#include <string.h>

/* Methods through which the framework starts other code, by the end of their names. */
static const char *const entries[] = {
    ".handleMessage", ".onTransact", ".doFrame", ".run", ".call", ".invokeSuspend",
};

/* Every thread or process begins with these. */
static const char *const beginnings[] = {
    "java.lang.Thread.run",
    "java.lang.Daemons$Daemon.run",
    "java.lang.reflect.Method.invoke",
    "android.app.ActivityThread.main",
    "android.os.HandlerThread.run",
    "android.os.Looper.loop",
    "android.os.Looper.loopOnce",
    "android.os.Handler.dispatchMessage",
    "android.os.Handler.handleCallback",
    "com.android.internal.os.ZygoteInit.main",
    "com.android.internal.os.RuntimeInit$MethodAndArgsCaller.run",
    "com.android.internal.os.ZygoteInit$MethodAndArgsCaller.run",
    "dalvik.system.NativeStart.main",
    "dalvik.system.NativeStart.run",
    "java.util.concurrent.ThreadPoolExecutor$Worker.run",
    "__start_thread",
    "__pthread_start",
    "_start",
    "main",
    "XRE_InitChildProcess",
    "XRE_main",
    "MessageLoop::RunTask",
    "RunTask",
    NULL,
};

static gboolean is_beginning(const char *text)
{
    /* addresses, functions of the C library and files */
    return g_strv_contains(beginnings, text) || text[0] == '[' || text[0] == '_' ||
           strstr(text, "[+") != NULL || strpbrk(text, "/(") != NULL;
}

static gboolean is_entry(const char *text)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(entries); i++) {
        if (g_str_has_suffix(text, entries[i])) {
            return !is_beginning(text);
        }
    }
    return g_str_has_prefix(text, "Choreographer#doFrame") ||
           g_str_has_prefix(text, "binder transaction") || g_str_has_prefix(text, "AIDL::");
}

uint32_t af_behalf_find(const af_behalf_view *view, uint32_t node)
{
    const uint32_t own = view->label[node];
    if (view->category(view->user, own) == AF_CATEGORY_APP) {
        return AF_NO_NODE;
    }
    uint32_t outermost = AF_NO_NODE;
    for (uint32_t n = view->parent[node]; n != AF_NO_NODE && n != 0; n = view->parent[n]) {
        const uint32_t label = view->label[n];
        if (label != own && view->category(view->user, label) == AF_CATEGORY_APP) {
            return n;
        }
    }
    for (uint32_t n = view->parent[node]; n != AF_NO_NODE && n != 0; n = view->parent[n]) {
        const uint32_t label = view->label[n];
        const char *text = view->text(view->user, label);
        if (label == own || label == AF_NO_LABEL) {
            continue;
        }
        if (is_entry(text)) {
            return n;
        }
        if (view->category(view->user, label) != AF_CATEGORY_KERNEL && !is_beginning(text)) {
            outermost = n;
        }
    }
    return outermost;
}
