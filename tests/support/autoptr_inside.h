/* autoptr_inside.h - g_autoptr() for its types that no caller sees, too */
#pragma once

#include "autoptr.h"
#include "base/spool.h"
#include "model/tree.h"
#include "render/chart/chart.h"
#include "render/graph/layout.h"
#include "render/packed/pack.h"
#include "render/scene.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_chart, af_chart_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_layout, af_layout_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_pack, af_pack_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_scene, af_scene_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_spool, af_spool_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_tree, af_tree_free)
