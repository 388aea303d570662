#include "base/c_locale.h"

af_c_locale af_c_locale_begin(int mask)
{
    af_c_locale locale = {.before = uselocale((locale_t)0)};
    locale_t copy = duplocale(locale.before);
    if (copy == (locale_t)0) {
        return locale;
    }
    locale.changed = newlocale(mask, "C", copy);
    if (locale.changed == (locale_t)0) {
        freelocale(copy);
    } else {
        uselocale(locale.changed);
    }
    return locale;
}

void af_c_locale_end(const af_c_locale *locale)
{
    if (locale->changed != (locale_t)0) {
        uselocale(locale->before);
        freelocale(locale->changed);
    }
}
