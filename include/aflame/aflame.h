/* libaflame: Android method traces as call trees and pictures.
 *
 *     af_profile *profile = af_profile_open("app.trace", NULL, &error);
 *     for (unsigned t = 0; t < af_profile_n_threads(profile); t++)
 *         ... af_tree_n_nodes(profile, t), af_node_self_ns(profile, t, node, AF_WALL) ...
 *     af_picture_write(profile, "svg", NULL, write, user, NULL, &error);
 *     af_profile_free(profile);
 *
 * error.h    what can go wrong                 profile.h  open a trace, walk its call trees
 * picture.h  draw it                           convert.h  write it for other tools
 * info.h     say what it is and how healthy    report.h   add up calls and times
 * calls.h    every single call, in order       mapping.h  real names for obfuscated ones
 * times.h    how times are typed               reshape.h  select and reshape what is shown
 * output.h   where written bytes go          open.h     options of opening a trace
 *
 * A profile may be used from several threads at once. The library never prints, exits, sets the
 * locale or reads the environment. */
#ifndef AFLAME_AFLAME_H
#define AFLAME_AFLAME_H

#include <aflame/calls.h>
#include <aflame/clock.h>
#include <aflame/convert.h>
#include <aflame/error.h>
#include <aflame/info.h>
#include <aflame/mapping.h>
#include <aflame/open.h>
#include <aflame/output.h>
#include <aflame/picture.h>
#include <aflame/profile.h>
#include <aflame/report.h>
#include <aflame/reshape.h>
#include <aflame/times.h>
#include <aflame/unit.h>
#include <aflame/version.h>

#endif
