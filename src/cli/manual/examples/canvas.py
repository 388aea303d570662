"""Draws into a canvas of its own: a surface of cairo with a background of the program.

python3 canvas.py app.trace page.png
"""
import ctypes, sys
from ctypes import byref, c_bool, c_char_p, c_double, c_void_p

lib = ctypes.CDLL("libaflame.so.0")
lib.af_profile_open.restype = c_void_p
lib.af_error_message.restype = c_char_p
lib.af_picture_draw.restype = c_bool
cairo = ctypes.CDLL("libcairo.so.2")
cairo.cairo_image_surface_create.restype = c_void_p
cairo.cairo_create.restype = c_void_p
RGB24, MARGIN = 1, 20

error, width, height = c_void_p(), c_double(), c_double()
opened = lib.af_profile_open(sys.argv[1].encode(), None, byref(error))
profile = c_void_p(opened)
if not opened or not lib.af_picture_draw(profile, None, None, byref(width), byref(height), None,
                                         byref(error)):
    sys.exit(lib.af_error_message(error).decode())

surface = c_void_p(cairo.cairo_image_surface_create(
    RGB24, int(width.value) + 2 * MARGIN, int(height.value) + 2 * MARGIN))
cr = c_void_p(cairo.cairo_create(surface))
cairo.cairo_set_source_rgb(cr, c_double(0.2), c_double(0.3), c_double(0.4))
cairo.cairo_paint(cr)
cairo.cairo_translate(cr, c_double(MARGIN), c_double(MARGIN))
if not lib.af_picture_draw(profile, None, cr, None, None, None, byref(error)):
    sys.exit(lib.af_error_message(error).decode())
cairo.cairo_surface_write_to_png(surface, sys.argv[2].encode())
cairo.cairo_destroy(cr)
cairo.cairo_surface_destroy(surface)
lib.af_profile_free(profile)
