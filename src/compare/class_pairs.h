/* Anonymous classes that a compiler renumbered although the other side has one of the same name.
 *
 * A new Main$1 renames the old one to Main$2; by their names, two different classes would be one. So
 * where a family of such classes (Main$#) has a name on both sides, its classes are paired by their
 * content: the names of their methods, what these call, and what calls them. */
#pragma once

#include "compare/runs.h"

/* By the name of a class of after: the name of its class in before, or "" = it has none, although
 * before has one of that name. Classes that are paired by their names are not in it. Strings are owned.
 * Free with g_hash_table_unref(). NULL if memory is refused. */
GHashTable *af_class_pairs_find(const af_runs *const sides[AF_SIDES]);
