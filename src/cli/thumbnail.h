/* Thumbnails for file managers, which call this through `desktop/aflame.thumbnailer`. */
#pragma once

#include "cli/message.h"

/* The words are a trace and the PNG to write, which is 256 pixels wide. */
af_exit af_thumbnail_write(int n_words, char **words);
