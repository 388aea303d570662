#include "played_scene.h"
#include "suite.h"

#include <string.h>
#include "base/out.h"
#include "render/face.h"

played_scene played;

void played_set_up(void)
{
    played.scene = af_scene_new();
    played.bytes = g_byte_array_new();
    played.options = (af_canvas_options){
        .scale_percent = 100,
        .program = "aflame 0.1.0",
        .date_s = -1,
        .messages = g_ptr_array_new_with_free_func(g_free),
    };
}

void played_renew(void)
{
    af_scene_free(played.scene);
    played.scene = af_scene_new();
}

void played_tear_down(void)
{
    af_scene_free(played.scene);
    g_byte_array_unref(played.bytes);
    g_ptr_array_unref(played.options.messages);
}

void played_play(const af_canvas_class *class)
{
    GError *error = NULL;
    g_byte_array_set_size(played.bytes, 0);
    gboolean done =
        af_canvas_play(class, played.scene, &played.options, af_out_to_array, played.bytes, &error);
    ck_assert_msg(done, "%s", error == NULL ? "no error set" : error->message);
    ck_assert_uint_gt(played.bytes->len, 0);
}

void played_add_rect(int32_t x, int32_t y, int32_t width, int32_t height, af_paint paint)
{
    af_scene_rect_add(played.scene,
                      &(af_scene_rect){x, y, width, height, paint, FALSE, 0, AF_TEXTURE_NONE});
}

void played_add_text(int32_t x, int32_t width, const char *text)
{
    af_scene_text_add(played.scene, &(af_scene_text){
                                        .x = x,
                                        .baseline = 2000,
                                        .size = 1200,
                                        .width_max = width,
                                        .advance = af_face_advance(FALSE, 1200, text, strlen(text)),
                                        .simple = af_face_is_simple(FALSE, text, strlen(text)),
                                        .paint = AF_PAINT_INK,
                                        .text = text,
                                    });
}

char *played_take_messages(void)
{
    g_ptr_array_add(played.options.messages, NULL);
    char *joined = g_strjoinv("; ", (char **)played.options.messages->pdata);
    g_ptr_array_set_size(played.options.messages, 0);
    return joined;
}
