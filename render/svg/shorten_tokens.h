/* The tokens of a script and the role of each word. Private to shorten.c. */
#ifndef AF_RENDER_SVG_SHORTEN_TOKENS_H
#define AF_RENDER_SVG_SHORTEN_TOKENS_H

#include <glib.h>

typedef enum { WORD, LITERAL, TEXT, SIGN } token_kind; /* TEXT: a piece of a template */

typedef enum { BLOCK, OBJECT, CLASS, ROUND, SQUARE, HOLE } bracket_kind; /* HOLE: ${ } */

/* KEY: the name of a property; BOTH: in {name}, a property and a variable of one name. */
typedef enum { OTHER, VARIABLE, KEY, BOTH } word_role;

typedef struct {
    token_kind kind;
    word_role role;
    bracket_kind bracket; /* of a token that opens or closes one */
    unsigned partner;     /* the token that closes or opens it */
    unsigned parent;      /* the token that opens the innermost bracket around this one */
    unsigned module;      /* the module of the word; 0 = outside of modules */
    unsigned inner;       /* of a bracket: the module of its content */
    gboolean is_erased;
    const char *text; /* of keep_text() */
} token;

#define NONE ((unsigned)-1)

extern GArray *tokens;

/* Texts of tokens and names live until free_texts(); equal ones are stored once. */
const char *keep_text(const char *text);
void free_texts(void);

token *at(unsigned i);
gboolean is(unsigned i, const char *text);
gboolean is_one_of(const char *text, const char *const *list);
gboolean is_letter(char c);
gboolean is_keyword(const char *text);

/* Ends the program. */
void fail(const char *what, const char *where) G_GNUC_NORETURN;

/* Fills `tokens`: text, partners, parents and roles. */
void read_tokens(const char *text);

#endif
