#include "finding/rule.h"

#define LEAST_PERCENT 5

static const af_name names[] = {
    {"android.database.sqlite.*", "*"},
    {"android.app.ContextImpl", "getSharedPreferences"},
    {"android.app.SharedPreferencesImpl*", "*"},
    {"android.content.res.AssetManager", "open*"},
    {"java.io.File", "*"},
    {"java.io.FileInputStream", "*"},
    {"java.io.FileOutputStream", "*"},
    {"java.io.FileReader", "*"},
    {"java.io.FileWriter", "*"},
    {"java.io.RandomAccessFile", "*"},
    {"java.io.UnixFileSystem", "*"},
    {"java.nio.file.Files", "*"},
    {"java.net.Socket*", "*"},
    {"java.net.URL", "openStream"},
    {"java.net.InetAddress", "get*"},
    {"okhttp3.RealCall", "execute"},
    {"okhttp3.internal.connection.RealCall", "execute"},
    {"libcore.io.*", "*"},
    {"sun.nio.ch.*", "*"},
    {"sun.nio.fs.*", "*"},
    {NULL, NULL},
};

const af_rule af_rule_io_main = {
    .id = "io-main",
    .title = "Input and output on the main thread",
    .about = "files, databases, preferences, assets and the network take at least 5 % of the main "
             "thread",
    .weight = 140,
    .main_only = TRUE,
    .needs_main = TRUE,
    .names = names,
    .wording = {"on files, databases or the network", LEAST_PERCENT, TRUE},
};
