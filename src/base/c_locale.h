/* The locale of a thread. Some libraries read and write numbers with the decimal point of the
 * locale (cairo in the fonts of a PDF, Graphviz) or compare keywords by its rules (Graphviz). They
 * fail if the decimal point is a comma, or if the lower case of I has no dot. A program that uses
 * this library may have such a locale. */
#pragma once

#include <locale.h>

typedef struct {
    locale_t c, before; /* c: 0 = refused */
} af_c_locale;

/* The calling thread has the locale "C" from here on. */
af_c_locale af_c_locale_begin(void);

/* The thread has its own locale again. */
void af_c_locale_end(const af_c_locale *locale);
