#include "base/shell.h"

#include <string.h>

char *af_shell_quote(const char *word)
{
    static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-.,:/=@%+";
    return word[0] != '\0' && strspn(word, plain) == strlen(word) ? g_strdup(word)
                                                                  : g_shell_quote(word);
}
