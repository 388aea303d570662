#include "base/c_locale.h"

af_c_locale af_c_locale_begin(void)
{
    /* all of "C" takes no memory, which a part of it next to another locale would */
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (af_c_locale){.c = c, .before = uselocale(c)};
}

void af_c_locale_end(const af_c_locale *locale)
{
    uselocale(locale->before);
    if (locale->c != (locale_t)0) {
        freelocale(locale->c);
    }
}
