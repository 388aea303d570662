/* Callers, symbols of addresses and the shape of stacks in perf.data: one small file per fact of
 * the format. */
#include <string.h>

#include <aflame/aflame.h>

#include "made_perf.h"
#include "suite.h"

/* ---- callers ---- */

static void expect_chain(unsigned mode, const char *words, const char *stacks)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, MMAP, KERNEL, "-1/4 0/4 0x1000 0x1000 0 '[kernel.kallsyms]_text' pad");
    made_perf_feature(perf, 128,
                      "[ '[kernel.kallsyms]' 0/4 0 2/4 0x1010 0x10/4 'ka' 0x1020 0x10/4 'kb' ]");
    g_autofree char *sample = g_strdup_printf("0x1010 7/4 7/4 1 1 %s", words);
    made_perf_record(perf, SAMPLE, mode, sample);
    made_perf_expect(perf, stacks);
}

TEST(markers_select_kernel_or_user_addresses)
{
    /* the record's mode: kernel, also of a guest; otherwise the process */
    expect_chain(0, "0", "t;a 1");
    expect_chain(1, "0", "t;ka 1");
    expect_chain(2, "0", "t;a 1");
    expect_chain(3, "0", "t;a 1");
    expect_chain(4, "0", "t;ka 1");
    expect_chain(5, "0", "t;a 1");
    /* markers in the chain; some have no effect */
    expect_chain(1, "3 0x1020 -512 0x1020", "t;b;kb;ka 1");
    expect_chain(2, "3 0x1020 -128 0x1020", "t;kb;b;a 1");
    expect_chain(1, "2 -32 0x1020", "t;kb;ka 1");
    expect_chain(1, "2 -2048 0x1020", "t;kb;ka 1");
    expect_chain(2, "2 -2176 0x1020", "t;b;a 1");
    expect_chain(2, "2 -2560 0x1020", "t;b;a 1");
    expect_chain(2, "4 -128 -512 -512 0x1020", "t;b;a 1");
    /* the lowest marker, and the highest address */
    expect_chain(2, "2 -4095 0x1020", "t;b;a 1");
    expect_chain(2, "2 -4096 0x1020", "t;b;[unknown];a 1");
    /* unmapped addresses remain */
    expect_chain(2, "2 0 0x1020", "t;b;[unknown];a 1");
}

/* The kernel repeats the first address; all others are real. */
TEST(the_repeated_first_address_is_dropped)
{
    expect_chain(2, "3 -512 0x1010 0x1020", "t;b;a 1");
    expect_chain(2, "4 -512 0x1010 0x1010 0x1020", "t;b;a;a 1");
    expect_chain(2, "3 -512 0x1020 0x1010", "t;a;b;a 1");
}

/* simpleperf stores call addresses, perf stores return addresses. */
TEST(addresses_of_callers)
{
    for (unsigned is_linux = 0; is_linux < 2; is_linux++) {
        made_perf *perf = is_linux != 0 ? made_perf_begin_linux() : made_perf_default();
        if (is_linux != 0) {
            made_perf_record(
                perf, MMAP2, USER,
                "7/4 7/4 0x1000 0x1000 0 0/4 0/4 0 0 5/4 2/4 '/lib/l.so' pad 7/4 7/4 0");
            made_perf_feature(perf, 128,
                              "[ '/lib/l.so' 2/4 0 2/4 0x10 0x10/4 'a' 0x20 0x10/4 'b' 0 ]");
        } else {
            made_perf_library(perf);
        }
        made_perf_record(perf, SAMPLE, USER, "0x1020 7/4 7/4 1 1 2 -512 0x1020");
        made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 1 1 2 -512 0x1020");
        made_perf_expect(perf, is_linux != 0 ? "Thread 7;b 1 | Thread 7;a;a 1" : "t;b 1 | t;b;a 1");
    }
}

/* ---- symbols of addresses ---- */

/* A map of offset 0x200 at 0x1000, its `prot`, and the description of the file. */
static void expect_symbol(const char *prot, const char *file, const char *ip, const char *stacks)
{
    made_perf *perf = made_perf_default();
    char *words =
        g_strdup_printf("7/4 7/4 0x1000 0x1000 0x200 0/4 0/4 0 0 %s/4 2/4 '/f' pad", prot);
    made_perf_record(perf, MMAP2, USER, words);
    g_free(words);
    made_perf_record(perf, COMM, 0, "7/4 7/4 't' pad");
    if (file != NULL) {
        words = g_strdup_printf("[ '/f' %s ]", file);
        made_perf_feature(perf, 128, words);
        g_free(words);
    }
    words = g_strdup_printf("%s 7/4 7/4 1 1 0", ip);
    made_perf_record(perf, SAMPLE, USER, words);
    g_free(words);
    made_perf_expect(perf, stacks);
}

TEST(addresses_in_files)
{
    /* ELF: ip - start + offset of the map - offset of the least address + least address */
    expect_symbol("5", "2/4 0x500 1/4 0x610 0x10/4 's' 0x100", "0x1010", "t;s 1");
    /* ELF without that offset: ip - start + least address */
    expect_symbol("5", "2/4 0x500 1/4 0x510 0x10/4 's'", "0x1010", "t;s 1");
    expect_symbol("5", "2/4 0x500 1/4 0x510 0x10/4 's' -1", "0x1010", "t;s 1");
    /* dex: ip - start + offset of the map; the offsets of dex files in it do not matter */
    expect_symbol("5", "3/4 0x500 1/4 0x210 0x10/4 's' 2/4 0x100 0x200", "0x1010", "t;s 1");
    /* a map of symbols: ip */
    expect_symbol("5", "4/4 0x500 1/4 0x1010 0x10/4 's'", "0x1010", "t;s 1");
    /* unknown or not described: as dex, but without symbols */
    expect_symbol("5", "5/4 0x500 1/4 0x210 0x10/4 's'", "0x1010", "t;s 1");
    expect_symbol("5", NULL, "0x1abc", "t;f[+cbc] 1");
    /* a protection bit marks symbols as addressed in memory */
    expect_symbol("0x4005", "2/4 0x500 1/4 0x1010 0x10/4 's' 0x100", "0x1010", "t;s 1");
}

TEST(symbols_cover_their_addresses)
{
    static const char file[] = "2/4 0 3/4 0x230 0x10/4 'z' 0x210 0x10/4 's' 0x220 0/4 'never' 0";
    expect_symbol("5", file, "0x100f", "t;f[+20f] 1");
    expect_symbol("5", file, "0x1010", "t;s 1");
    expect_symbol("5", file, "0x101f", "t;s 1");
    expect_symbol("5", file, "0x1020", "t;f[+220] 1");
    expect_symbol("5", file, "0x103f", "t;z 1");
    expect_symbol("5", file, "0x1040", "t;f[+240] 1");
    /* a truncated section keeps its preceding entries */
    expect_symbol("5", "2/4 0 9/4 0x10 0x10/4 's' 0x20", "0x1010", "t;s 1");
}

/* Symbols of local libraries, if they are from the same build: {67, 0, size}, a process, 24 bytes
 * of which 20 are the id, the file. */
TEST(libraries_must_be_from_the_same_build)
{
    static const struct {
        const char *words, *stacks, *warnings;
    } rows[] = {
        {"", "t;foo::leaf() 1", ""},
        {"67/4 0/2 49/2 -1/4 0x0706050403020100 0x0f0e0d0c0b0a0908 0x13121110/4 0/4 '/x/elf.trace'",
         "t;foo::leaf() 1", ""},
        {"0/4 0x8000/2 49/2 7/4 0x0706050403020100 0x0f0e0d0c0b0a0908 0x13121110/4 20/4 "
         "'/x/elf.trace'",
         "t;foo::leaf() 1", ""},
        {"67/4 0/2 49/2 -1/4 0x0706050403020100 0x0f0e0d0c0b0a0908 0x99121110/4 0/4 '/x/elf.trace'",
         "t;elf.trace[+15] 1", "symfs-other-build 1"},
        /* too short to be valid: the rest is ignored */
        {"67/4 0/2 35/2 -1/4 0x99 0 0/4 0/4 '/x/elf.trace'", "t;foo::leaf() 1", ""},
    };
    g_autofree char *folder = g_build_filename(g_getenv("AFLAME_DATA"), "refused", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(made_perf) perf = made_perf_default();
        made_perf_map(perf, "7/4 7/4", "0x4000 0x1000 0", "/x/elf.trace");
        made_perf_record(perf, COMM, 0, "7/4 7/4 't' pad");
        made_perf_record(perf, SAMPLE, USER, "0x4015 7/4 7/4 1 1 0");
        made_perf_feature(perf, 2, rows[i].words);
        g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
        g_autoptr(af_profile) profile = made_perf_open_symfs(bytes, folder, NULL);
        g_autofree char *stacks = made_perf_stacks(profile),
                        *warnings = made_perf_warnings(profile);
        ck_assert_str_eq(stacks, rows[i].stacks);
        ck_assert_str_eq(warnings, rows[i].warnings);
    }
}

/* Files as protobuf: the same facts; if both sections exist, the older one counts. */
TEST(files_as_protobuf)
{
    static const struct {
        const char *file, *stacks;
    } rows[] = {
        /* path, type ELF, least address 0x500, symbol {0x610, 16, "s"}, elf_file {0x100} */
        {"[ 0x0a/1 2/1 \"/f\" 0x10/1 2/1 0x18/1 0x80/1 0x0a/1 0x22/1 8/1 0x08/1 0x90/1 0x0c/1 "
         "0x10/1 "
         "0x10/1 0x1a/1 1/1 \"s\" 0x32/1 3/1 0x08/1 0x80/1 0x02/1 ]",
         "t;s 1"},
        /* dex, in a different order */
        {"[ 0x22/1 8/1 0x1a/1 1/1 \"s\" 0x08/1 0x90/1 0x04/1 0x10/1 0x10/1 0x10/1 3/1 0x2a/1 2/1 "
         "0x08/1 0/1 0x0a/1 2/1 \"/f\" ]",
         "t;s 1"},
        /* a kernel module, mapped by a process: ip - start - offset in memory */
        {"[ 0x0a/1 2/1 \"/f\" 0x10/1 1/1 0x22/1 7/1 0x08/1 0x08/1 0x10/1 0x08/1 0x1a/1 1/1 \"s\" "
         "0x3a/1 2/1 0x08/1 0x08/1 ]",
         "t;s 1"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (unsigned both = 0; both < 2; both++) {
            made_perf *perf = made_perf_default();
            made_perf_map(perf, "7/4 7/4", "0x1000 0x1000 0x200", "/f");
            made_perf_record(perf, COMM, 0, "7/4 7/4 't' pad");
            made_perf_feature(perf, 132, rows[i].file);
            if (both != 0) {
                made_perf_feature(perf, 128, "[ '/f' 3/4 0 1/4 0x210 0x10/4 'old' ]");
            }
            made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 1 1 0");
            made_perf_expect(perf, both != 0 ? "t;old 1" : rows[i].stacks);
        }
    }
}

/* ---- Java ---- */

/* Frames of the libraries involved, one page each, with symbols of 16 bytes in order: 1 app
 * (native), 2 libart.so, 3 base.vdex, 4 JIT code. */
static made_perf *begin_java(const char *jit)
{
    made_perf *perf = made_perf_default();
    made_perf_map(perf, "7/4 7/4", "0x1000 0x1000 0", "/lib/app.so");
    made_perf_map(perf, "7/4 7/4", "0x2000 0x1000 0", "/apex/libart.so");
    made_perf_map(perf, "7/4 7/4", "0x3000 0x1000 0", "/app/base.vdex");
    made_perf_map(perf, "7/4 7/4", "0x4000 0x1000 0", jit);
    made_perf_record(perf, COMM, 0, "7/4 7/4 't' pad");
    g_autofree char *words =
        g_strdup_printf("[ '/lib/app.so' 2/4 0 3/4 0x00 0x10/4 'n0' 0x10 0x10/4 'x_jni_trampoline' "
                        "0x20 0x10/4 'n2' 0 ]"
                        "[ '/apex/libart.so' 2/4 0 3/4 0x00 0x10/4 'art0' 0x10 0x10/4 'art1' "
                        "0x20 0x10/4 'art_jni_trampoline' 0 ]"
                        "[ '/app/base.vdex' 3/4 0 3/4 0x00 0x10/4 'p.A.d0' 0x10 0x10/4 'p.A.d1' "
                        "0x20 0x10/4 'p.A.d2' 0/4 ]"
                        "[ '%s' 2/4 0 4/4 0x00 0x10/4 'void p.A.d0(int)' 0x10 0x10/4 'p.A.j1' "
                        "0x20 0x10/4 'p.A.d2' 0x30 0x10/4 'z_jni_trampoline' 0 ]",
                        jit);
    made_perf_feature(perf, 128, words);
    return perf;
}

/* Leaf first. */
static void expect_java(const char *frames, const char *stacks)
{
    made_perf *perf = begin_java("/x_jit_app_cache:0-9");
    g_autoptr(GString) words = g_string_new(NULL);
    g_auto(GStrv) list = g_strsplit(frames, " ", -1);
    g_string_append_printf(words, "0x%s 7/4 7/4 1 1 %u", list[0], g_strv_length(list) - 1);
    for (char **frame = list + 1; *frame != NULL; frame++) {
        g_string_append_printf(words, " 0x%s", *frame);
    }
    made_perf_record(perf, SAMPLE, USER, words->str);
    made_perf_expect(perf, stacks);
}

TEST(frames_of_the_runtime_are_removed)
{
    /* between methods and below them they are removed; alone they stay */
    expect_java("2000 3000 2000 2010 3010", "t;p.A.d1;p.A.d0 1");
    expect_java("2000 2010 1000", "t;n0;art1;art0 1");
    expect_java("1000 3000 2000 1020", "t;n2;p.A.d0;n0 1");
    /* calls from another library are not next to a method */
    expect_java("2000 1000 3000", "t;p.A.d0;n0;art0 1");
    expect_java("3000 1000 2000", "t;art0;n0;p.A.d0 1");
    /* a trampoline in any library belongs to the runtime; its callees do not */
    expect_java("1010 3000", "t;p.A.d0 1");
    expect_java("2000 2020 3000", "t;p.A.d0;art0 1");
    expect_java("2000 2010 2020 3000", "t;p.A.d0;art1 1");
    expect_java("1000 1010 3000", "t;p.A.d0;n0 1");
    /* except one that the JIT compiled */
    expect_java("4030 3000", "t;p.A.d0;z_jni_trampoline 1");
}

/* perf of Linux records apps without removing them. */
TEST(frames_of_the_runtime_stay_in_linux_recordings)
{
    made_perf *perf = begin_java("/x_jit_app_cache:0-9");
    made_perf_feature(perf, 12, "1/4 0/4 0/4 [ 'cycles' ]");
    made_perf_record(perf, SAMPLE, USER, "0x2000 7/4 7/4 1 1 1 0x3001");
    made_perf_expect(perf, "t;p.A.d0;art0 1");
}

/* Code compiled ahead of time is native, but has Java names. */
TEST(names_of_compiled_methods)
{
    static const char *const files[] = {"/a/b.odex", "/a/boot.oat", "/a/b.dex", "/a/b.so"};
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        made_perf *perf = made_perf_default();
        made_perf_map(perf, "7/4 7/4", "0x1000 0x1000 0", files[i]);
        made_perf_record(perf, COMM, 0, "7/4 7/4 't' pad");
        g_autofree char *words =
            g_strdup_printf("[ '%s' 2/4 0 1/4 0 0x10/4 'void p.A.m(int)' 0 ]", files[i]);
        made_perf_feature(perf, 128, words);
        made_perf_record(perf, SAMPLE, USER, "0x1000 7/4 7/4 1 1 0");
        made_perf_expect(perf, i < 3 ? "t;p.A.m 1" : "t;void p.A.m(int) 1");
    }
}

/* Old files contain the kernel's symbols as text; data symbols are not code. */
TEST(symbols_of_the_kernel_as_text)
{
    made_perf *perf = made_perf_default();
    made_perf_record(perf, MMAP, KERNEL, "-1/4 0/4 0x1000 0x9000 0 '[kernel.kallsyms]' pad");
    made_perf_record(perf, COMM, 0, "7/4 7/4 't' pad");
    made_perf_record(perf, 32769, 0,
                     "[ \"1000 T first\n1800 d data\n2000 t second [wifi]\n0 T hidden\n\" ]");
    made_perf_record(perf, SAMPLE, KERNEL, "0x1900 7/4 7/4 1 1 0");
    made_perf_record(perf, SAMPLE, KERNEL, "0x9fff 7/4 7/4 1 2 0");
    made_perf_expect(perf, "t;first 1 | t;second 2");
}

TEST(the_runtime_of_debug_builds)
{
    made_perf *perf = begin_java("/x_jit_app_cache:0-9");
    made_perf_map(perf, "7/4 7/4", "0x5000 0x1000 0", "/apex/libartd.so");
    made_perf_map(perf, "7/4 7/4", "0x6000 0x1000 0", "/apex/otherlibart.so");
    made_perf_record(perf, SAMPLE, USER, "0x5000 7/4 7/4 1 1 1 0x3000");
    made_perf_record(perf, SAMPLE, USER, "0x6000 7/4 7/4 1 1 1 0x3000");
    made_perf_expect(perf, "t;p.A.d0 1 | t;p.A.d0;otherlibart.so[+0] 1");
}

/* Compiled at run time: the same method as its dex code; it appears once after a trampoline. */
static void expect_jit(const char *path, const char *frames, const char *stacks,
                       const char *library)
{
    made_perf *perf = begin_java(path);
    g_autofree char *words = g_strdup_printf("%s", frames);
    made_perf_record(perf, SAMPLE, USER, words);
    g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
    g_autoptr(af_profile) profile = made_perf_open(bytes, NULL);
    const char *is = NULL;
    for (uint32_t m = 0; m < profile->n_methods; m++) {
        if (strcmp(profile->methods[m].name, "j1") == 0) {
            is = profile->methods[m].library;
        }
    }
    if (library != NULL) {
        ck_assert_str_eq(is, library);
    }
    made_perf_expect(perf, stacks);
}

TEST(jit_compiled_code)
{
    static const char app[] = "/memfd:_jit_app_cache:0-9",
                      zygote[] = "/memfd:_jit_zygote_cache:0-9", old[] = "/data/TemporaryFile-1";
    expect_jit(app, "0x4010 7/4 7/4 1 1 0", "t;p.A.j1 1", "[JIT app cache]");
    expect_jit(zygote, "0x4010 7/4 7/4 1 1 0", "t;p.A.j1 1", "[JIT zygote cache]");
    expect_jit(old, "0x4010 7/4 7/4 1 1 0", "t;p.A.j1 1", "[JIT cache]");
    expect_jit(app, "0x4000 7/4 7/4 1 1 0", "t;p.A.d0 1", NULL);
    expect_jit(app, "0x4000 7/4 7/4 1 1 1 0x3000", "t;p.A.d0 1", NULL);
    expect_jit(app, "0x4020 7/4 7/4 1 1 2 0x3020 0x3020", "t;p.A.d2;p.A.d2 1", NULL);
    expect_jit(app, "0x4000 7/4 7/4 1 1 1 0x3010", "t;p.A.d1;p.A.d0 1", NULL);
    /* through the interpreter and the runtime */
    expect_jit(app, "0x4000 7/4 7/4 1 1 3 0x2000 0x2010 0x3000", "t;p.A.d0 1", NULL);
    /* it counts as Java: adjacent runtime frames are removed */
    expect_jit(app, "0x2000 7/4 7/4 1 1 1 0x4010", "t;p.A.j1 1", NULL);
}

/* ---- on and off the CPU ---- */

static made_perf *begin_off_cpu(uint32_t type, const char *meta)
{
    made_perf *perf = made_perf_new();
    const uint64_t has = PERF_IP | PERF_TID | PERF_TIME | PERF_ID | PERF_PERIOD;
    made_perf_event(perf, &(made_event){.has = has, .type = type, .id = 1, .flags = 1 << 18});
    made_perf_event(perf, &(made_event){.has = has, .type = 2, .config = 9, .id = 2});
    made_perf_library(perf);
    made_perf_feature(perf, 129, meta);
    return perf;
}

TEST(off_cpu_time)
{
    static const char meta[] = "'trace_offcpu' 'true' 'event_type_info' 'sched:sched_switch,2,9'";
    made_perf *perf = begin_off_cpu(1, meta);
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 100 1 10");
    made_perf_record(perf, SAMPLE, USER, "0x1020 7/4 7/4 200 2 99"); /* until 350, by a switch */
    made_perf_record(perf, 14, 0x2000, "7/4 7/4 300 1");             /* switched out: no effect */
    made_perf_record(perf, 14, 0, "7/4 8/4 310 1");                  /* another thread */
    made_perf_record(perf, 14, 0, "7/4 7/4 350 1");
    made_perf_record(perf, SAMPLE, USER, "0x1030 7/4 7/4 400 2 99"); /* until 1400, by a sample */
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 1400 1 10");
    made_perf_record(perf, SAMPLE, USER, "0x1020 7/4 7/4 1500 2 99"); /* same time: 1 */
    made_perf_record(perf, SAMPLE, USER, "0x1030 7/4 7/4 1500 2 99"); /* not sampled again */
    made_perf_expect(perf, "t;a 20 | t;b 151 | t;c 1000");
    /* of cycles, as in files from 2018: two events, each with its own weights */
    perf = begin_off_cpu(0, meta);
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 100 1 10");
    made_perf_record(perf, SAMPLE, USER, "0x1020 7/4 7/4 200 2 99");
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 300 1 10");
    made_perf_expect(perf, "t;a 20");
    /* recorded without trace-offcpu */
    perf = begin_off_cpu(1, "'trace_offcpu' 'false'");
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 100 1 10");
    made_perf_record(perf, SAMPLE, USER, "0x1020 7/4 7/4 200 2 99");
    made_perf_record(perf, SAMPLE, USER, "0x1020 7/4 7/4 300 1 99");
    made_perf_expect(perf, "t;a 10 | t;b 99");
}
