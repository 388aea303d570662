/* Pseudonyms: names that stand for others.
 *
 * A pseudonym is the beginning of an HMAC-SHA256 of the name: with the same key it is the same in
 * every file, and without the key nobody can check whether a guessed name is correct. Names keep
 * their structure: each package and each nested class has its own pseudonym. Classes of the
 * platform (Android, AndroidX, Kotlin, Java) keep their names; pseudonym.c lists their packages.
 * Numbers that a compiler or a run assigns stay, so that the names of two builds can be paired
 * (af_diff_name_rule()). */
#pragma once

#include <stdint.h>
#include <glib.h>

typedef struct {
    const uint8_t *key;
    size_t length;
} af_pseudonym_key;

/* Whether a class with dots belongs to the platform. `class_name` may be NULL. */
gboolean af_pseudonym_is_platform(const char *class_name);

/* `prefix` and nine letters and digits for text[0 .. length). Equal texts with different prefixes
 * have different pseudonyms. */
void af_pseudonym_append(GString *to, const af_pseudonym_key *key, const char *prefix,
                         const char *text, size_t length);

/* A number for a text, in the same way. */
uint64_t af_pseudonym_number(const af_pseudonym_key *key, const char *prefix, const char *text,
                             size_t length);

/* "com.shop.Cart$Item" -> "p2k....p7f....Cx3....$C9a....", with `separator` between packages. The
 * names of the platform stay. */
void af_pseudonym_append_class(GString *to, const af_pseudonym_key *key, const char *class_name,
                               char separator);

/* The same for a package alone. */
void af_pseudonym_append_package(GString *to, const af_pseudonym_key *key, const char *package);

/* A method of that class, which may be NULL. Constructors keep their names. */
void af_pseudonym_append_method(GString *to, const af_pseudonym_key *key, const char *class_name,
                                const char *name);

/* The classes in a JNI signature. If it is not a signature, appends nothing and returns FALSE. */
gboolean af_pseudonym_append_signature(GString *to, const af_pseudonym_key *key,
                                       const char *signature);
