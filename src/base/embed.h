/* Builds a file into the program: name[] holds its bytes and a NUL; name_end points to the NUL.
 *
 * `path` is a string literal, so that CMake can pass the folder as a macro. */
#pragma once

/* NOLINTNEXTLINE(bugprone-macro-parentheses): a string between strings, and a type */
#define AF_EMBED(type, name, path)                                                                 \
    __asm__(".pushsection .rodata\n"                                                               \
            ".balign 16\n"                                                                         \
            ".globl " #name "\n.hidden " #name "\n" #name ":\n"                                    \
            ".incbin \"" path "\"\n"                                                               \
            ".globl " #name "_end\n.hidden " #name "_end\n" #name "_end:\n"                        \
            ".byte 0\n"                                                                            \
            ".popsection\n");                                                                      \
    extern const type name[] __attribute__((visibility("hidden")));                                \
    extern const type name##_end[] __attribute__((visibility("hidden")))
