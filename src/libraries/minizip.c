#include <minizip/unzip.h>

#include "libraries/forward.h"

LIBRARY("libminizip.so.1", "minizip")

FORWARD(unzFile, unzOpen2_64, (const void *path, zlib_filefunc64_def *functions), (path, functions))
FORWARD(int, unzClose, (unzFile file), (file))
FORWARD(int, unzGoToFirstFile, (unzFile file), (file))
FORWARD(int, unzGoToNextFile, (unzFile file), (file))
FORWARD(int, unzGetFilePos64, (unzFile file, unz64_file_pos *at), (file, at))
FORWARD(int, unzGoToFilePos64, (unzFile file, const unz64_file_pos *at), (file, at))
FORWARD(int, unzGetCurrentFileInfo64,
        (unzFile file, unz_file_info64 *info, char *name, uLong name_size, void *extra,
         uLong extra_size, char *comment, uLong comment_size),
        (file, info, name, name_size, extra, extra_size, comment, comment_size))
FORWARD(int, unzOpenCurrentFile, (unzFile file), (file))
FORWARD(int, unzReadCurrentFile, (unzFile file, voidp to, unsigned length), (file, to, length))
FORWARD(int, unzCloseCurrentFile, (unzFile file), (file))
FORWARD(int, unzeof, (unzFile file), (file))
