/* A scene to draw and the resulting bytes, for the tests of the canvases. */
#pragma once

#include "render/canvas.h"

typedef struct {
    af_scene *scene;
    af_canvas_options options;
    GByteArray *bytes; /* output of the last canvas */
} played_scene;

extern played_scene played;

/* A fixture: an empty scene, light, at scale 1. */
void played_set_up(void);
void played_tear_down(void);
/* Starts a new scene with the same options. */
void played_renew(void);

/* Plays the scene; fails the test on an error. */
void played_play(const af_canvas_class *class);

void played_add_rect(int32_t x, int32_t y, int32_t width, int32_t height, af_paint paint);
/* 12 px, baseline 20 px below the top. */
void played_add_text(int32_t x, int32_t width, const char *text);

/* The messages so far, which it clears. Free with g_free(). */
char *played_take_messages(void);
