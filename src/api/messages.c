#include "api/messages.h"

void af_messages_give(GPtrArray *list, char ***messages)
{
    char **lines = NULL;
    if (list != NULL) {
        g_ptr_array_add(list, NULL);
        lines = (char **)g_ptr_array_free(list, FALSE);
    }
    if (messages != NULL) {
        *messages = lines;
    } else {
        af_messages_free(lines);
    }
}

void af_messages_free(char **messages)
{
    g_strfreev(messages);
}
