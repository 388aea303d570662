/* Finds the package of the traced app: the one that the file declares, otherwise the package with
 * the most time among those that belong to no known platform or library. */
#pragma once

#include "model/category.h"
#include "model/profile.h"

/* Returns the length of the package: up to the last dot. */
size_t af_app_package(const char *class_name);

/* Returns the length of the class if the text names a method as slices do: "com.foo.Bar#run"; 0 =
 * it does not. */
size_t af_app_slice(const char *text);

/* Returns the class of a label, or NULL; for a method of a proxy or a slice, a text that starts
 * with the interface or class. */
const char *af_app_class(const af_profile *profile, uint32_t label);

/* Adds the self time of each label over all threads to its weight, or its calls. Uses CPU time if
 * available: by wall time, the library whose thread sleeps most would win. FALSE if all are 0. */
gboolean af_app_weigh_labels(const af_profile *profile, gboolean by_calls, uint64_t *weight);

/* `category` is the category of each label by name alone. Sets *app, to be freed with g_free(), to
 * NULL if no package looks like an app. Returns FALSE if memory is refused. */
gboolean af_app_find(const af_profile *profile, const af_category *category, char **app);

/* Returns the prefix that the app shares with its other modules: com.foo of com.foo.shop. Free with
 * g_free(). */
char *af_app_family(const char *app);

/* Whether a class in no known package belongs to the app. `family` is NULL if no package looks like
 * an app: a shrinker renamed its packages, and all unknown classes belong to it. */
gboolean af_app_has(const char *family, const char *class_name);
