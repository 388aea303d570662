#include "names.h"

#include <stdio.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const waits[][3] = {{"android.os.MessageQueue", "nativePollOnce", "(JI)V"},
                                       {"java.lang.Object", "wait", "(JI)V"},
                                       {"sun.misc.Unsafe", "park", "(ZJ)V"},
                                       {"java.lang.Thread", "sleep", "(Ljava/lang/Object;JI)V"}};

/* The platform's small methods, then all others in eight groups. */
static const char *const platform[] = {"java.lang",          "java.util",
                                       "kotlin.collections", "java.util.concurrent",
                                       "android.util",       "kotlin.text"};
static const char *const packages[] = {
    "com.example.market.checkout.payment", "android.view",
    "androidx.recyclerview.widget",        "com.example.market.catalogue.search",
    "okhttp3.internal.connection",         "kotlinx.coroutines.internal",
    "com.example.market.common.database",  "android.content.res"};
static const char *const first_words[] = {"Basket", "Layout", "Order",  "Image",  "Session",
                                          "Text",   "Query",  "Cached", "Shared", "Network",
                                          "Price",  "Scroll", "Async",  "Binder", "Resource"};
static const char *const last_words[] = {"Adapter",  "ViewModel", "Repository", "Factory",
                                         "Listener", "Manager",   "Dispatcher", "Builder$Step",
                                         "Parser",   "Holder",    "Interceptor"};
static const char *const verbs[] = {"get",   "set",  "on",     "find", "measure", "bind",  "load",
                                    "parse", "draw", "create", "is",   "apply",   "invoke"};
static const char *const objects[] = {"Value",  "Item",     "Child",      "Bounds",   "Response",
                                      "Offset", "Listener", "Attributes", "Position", "State"};
static const char *const signatures[] = {"()V",
                                         "()Ljava/lang/String;",
                                         "(I)Z",
                                         "(Ljava/lang/Object;)V",
                                         "(Landroid/view/View;II)V",
                                         "(Ljava/lang/String;Ljava/lang/Object;J)I"};

int format_method(char *line, size_t size, uint32_t method)
{
    /* ART prints the number with %#x, so 0 has no prefix */
    const unsigned id = method << 2;
    if (method < COUNT(waits)) {
        return snprintf(line, size, "%#x\t%s\t%s\t%s\t%s.java\n", id, waits[method][0],
                        waits[method][1], waits[method][2], "Native");
    }
    const uint32_t small = 900 + COUNT(waits);
    const uint32_t n = method * 2654435761u >> 4;
    const uint32_t type = method / 6; /* six methods per class */
    const char *package = method < small ? platform[type % COUNT(platform)]
                                         : packages[(method - small) / 399 % COUNT(packages)];
    const char *first = first_words[type % COUNT(first_words)];
    const char *last = last_words[type / COUNT(first_words) % COUNT(last_words)];
    return snprintf(line, size, "%#x\t%s.%s%s%u\t%s%s%u\t%s\t%s.java\n", id, package, first, last,
                    (unsigned)(type / (COUNT(first_words) * COUNT(last_words))),
                    verbs[n % COUNT(verbs)], objects[n / 16 % COUNT(objects)],
                    (unsigned)(method % 6), signatures[n / 256 % COUNT(signatures)], first);
}

int format_thread(char *name, size_t size, uint32_t thread)
{
    static const char *const few[] = {"main", "RenderThread", "DefaultDispatcher-worker-1",
                                      "OkHttp Dispatcher", "FinalizerDaemon"};
    if (thread < COUNT(few)) {
        return snprintf(name, size, "%s", few[thread]);
    }
    return snprintf(name, size, thread % 2 == 0 ? "pool-%u-thread-1" : "Binder:12500_%X",
                    (unsigned)thread);
}
