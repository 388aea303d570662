/* Whose app a trace is of: the package that most of the time of unknown packages was spent in,
 * unless the file tells. */
#ifndef AF_MODEL_APP_H
#define AF_MODEL_APP_H

#include "model/category.h"
#include "model/profile.h"

/* Length of the package: up to the last full stop. */
size_t af_app_package(const char *class_name);

/* The class of a label; of a proxy's method a text that begins with the interface. NULL = none. */
const char *af_app_class(const af_profile *profile, uint32_t label);

/* `category` of each label by its name alone. *app, to be freed with g_free(), becomes NULL if no
 * package looks like an app's. FALSE if the machine refuses memory. */
gboolean af_app_find(const af_profile *profile, const af_category *category, char **app);

/* The part of the app's package that its other modules share: com.foo of com.foo.shop. To be freed
 * with g_free(). */
char *af_app_family(const char *app);

/* Whether a class of no known package is the app's. `family` is NULL if no package looks like an
 * app's: what is unknown is then the app as a shrinker left it. */
gboolean af_app_has(const char *family, const char *class_name);

#endif
