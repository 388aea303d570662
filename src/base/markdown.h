/* Text and names in Markdown. Bidi controls become U+FFFD, other controls spaces. */
#pragma once

#include <glib.h>

/* A name as code, also in a table, where a bar would end the cell. */
void af_markdown_append_code(GString *to, const char *name);

/* A command to copy: its bytes stay as they are, between as many back quotes as they need. */
void af_markdown_append_command(GString *to, const char *command);

/* Text without any markup of its own. */
void af_markdown_append_text(GString *to, const char *text);
