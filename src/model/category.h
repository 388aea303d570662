/* Whose code a method is: the colour of its frames.
 *
 * Decided by the package of the class, and for waiting by the method. The app's own packages are
 * not known in advance: they are the dominant prefix among classes that belong to no known
 * platform or library. */
#ifndef AF_MODEL_CATEGORY_H
#define AF_MODEL_CATEGORY_H

#include <aflame/profile.h>

typedef enum {
    AF_CATEGORY_APP = 0,  /* your app */
    AF_CATEGORY_ANDROID,  /* the framework: android.*, com.android.* */
    AF_CATEGORY_ANDROIDX, /* androidx.*, android.support.* */
    AF_CATEGORY_KOTLIN,   /* kotlin.*, kotlinx.* */
    AF_CATEGORY_JAVA,     /* java.*, javax.*, dalvik.*, libcore.*, sun.* */
    AF_CATEGORY_LIBRARY,  /* a third party */
    AF_CATEGORY_UNKNOWN,  /* no name, or native */
    AF_CATEGORY_IDLE,     /* idle or blocked */
    AF_CATEGORY_FOLDED,   /* a frame that stands for a run of others */
    AF_CATEGORY_KERNEL,   /* of the kernel or one of its modules */
    AF_CATEGORY_JIT,      /* these three where the input says so of a frame, see af_annotation */
    AF_CATEGORY_INLINED,
    AF_CATEGORY_WAKER,
    AF_CATEGORY_COUNT,
} af_category;

/* Shades of one category. A class has the same one in every run and every file. */
#define AF_CATEGORY_SHADES 5

/* The shade behind those: of frames that only keep others going. Paler, whatever the class. */
#define AF_CATEGORY_DIM AF_CATEGORY_SHADES

/* "your app", "Android framework", ... */
const char *af_category_title(af_category category);

/* What the names alone tell; either may be NULL. AF_CATEGORY_COUNT: a package that is no known
 * platform or library, so the app's or some library's. */
af_category af_category_of_method(const char *class_name, const char *method);

/* Whether a file that code was loaded from is the kernel, or a module of it; may be NULL. */
gboolean af_category_is_kernel(const char *library);

/* Finds the app's package (`app` of the profile, NULL if there is none) and gives every label its
 * category and shade. Methods, labels and trees must be there. FALSE if the machine refuses
 * memory. */
gboolean af_categories_assign(af_profile *profile);

#endif
