/* Categories: who wrote the code of a method. They decide the colour of frames.
 *
 * The package of the class decides the category, except for methods that wait (waits.h). The app's packages
 * are not known in advance; app.h finds them. */
#pragma once

#include <glib.h>
#include <aflame/profile.h>

typedef enum {
    AF_CATEGORY_APP = 0,  /* your app */
    AF_CATEGORY_ANDROID,  /* the framework: android.*, com.android.* */
    AF_CATEGORY_ANDROIDX, /* androidx.*, android.support.* */
    AF_CATEGORY_KOTLIN,   /* kotlin.*, kotlinx.* */
    AF_CATEGORY_JAVA,     /* java.*, javax.*, dalvik.*, libcore.*, sun.* */
    AF_CATEGORY_LIBRARY,  /* third-party code */
    AF_CATEGORY_UNKNOWN,  /* no name, or native code */
    AF_CATEGORY_IDLE,     /* waits for work: a message, a task */
    AF_CATEGORY_FOLDED,   /* a frame that replaces several others */
    AF_CATEGORY_KERNEL,   /* of the kernel or one of its modules */
    AF_CATEGORY_JIT,      /* this and the next two: from annotations, see af_annotation */
    AF_CATEGORY_INLINED,
    AF_CATEGORY_WAKER,
    AF_CATEGORY_TRACER,  /* starts, stops or controls the recording */
    AF_CATEGORY_BLOCKED, /* waits for anything else; waits.h tells whether a call of it is idle */
    AF_CATEGORY_COUNT,
} af_category;

/* Shades of a category. A class has the same shade in every run and every file. */
#define AF_CATEGORY_SHADES 5

/* An additional, paler shade for frames that only pass calls on, whatever their class. */
#define AF_CATEGORY_DIM AF_CATEGORY_SHADES

/* "your app", "Android framework", ... */
const char *af_category_title(af_category category);

/* Returns the category by names alone; either name may be NULL. AF_CATEGORY_COUNT if the package
 * belongs to no known platform or library. */
af_category af_category_of_method(const char *class_name, const char *method);

/* Whether a file is the kernel or a kernel module. `library` may be NULL. */
gboolean af_category_is_kernel(const char *library);

/* Finds the app's package (`app` of the profile, NULL if none was found) and sets the category and
 * shade of every label, and why each node waits. Methods, labels and trees must exist. Returns FALSE if memory is
 * refused. */
gboolean af_categories_assign(af_profile *profile);
