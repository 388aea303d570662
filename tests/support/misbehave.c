#include "cli/misbehave.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_NOTHING = 3 };

static void end(const char *what, int escaped)
{
    if (escaped) {
        printf("escaped: %s\n", what);
        fflush(stdout);
        _exit(0);
    }
    fprintf(stderr, "aflame: cannot %s: %s\n", what, strerror(errno));
    _exit(READ_NOTHING);
}

static void open_file(void)
{
    end("open a file", open("/etc/passwd", O_RDONLY) >= 0);
}

static void make_file(void)
{
    end("make a file", open("made-by-a-worker", O_CREAT | O_WRONLY, 0600) >= 0 ||
                           syscall(SYS_creat, "made-by-a-worker", 0600) >= 0);
}

static void look_at_file(void)
{
    struct stat status;
    end("look at a file", stat("/etc/passwd", &status) == 0);
}

static void open_socket(void)
{
    end("open a socket",
        socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
}

static void start_process(void)
{
    static char program[] = "/bin/true";
    char *const words[] = {program, NULL};
    const pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    end("start a process",
        child > 0 || execv(words[0], words) == 0 || syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) > 0);
}

static void kill_parent(void)
{
    end("kill the server", kill(getppid(), SIGTERM) == 0);
}

static void take_memory(void)
{
    const uint64_t piece = UINT64_C(64) << 20, all = UINT64_C(4) << 30;
    for (uint64_t taken = 0; taken < all; taken += piece) {
        char *volatile bytes = malloc(piece); /* volatile, or clang removes malloc() */
        if (bytes == NULL) {
            end("take 4 GB", 0);
        }
        memset(bytes, 1, piece);
    }
    end("take 4 GB", 1);
}

static void spin(void)
{
    for (volatile unsigned i = 0;; i++) {
    }
}

static void sleep_on(void)
{
    for (;;) {
        pause();
        sleep(1);
    }
}

static void close_all(void)
{
    for (int fd = 0; fd < 64; fd++) {
        close(fd);
    }
    sleep_on();
}

static void write_much(void)
{
    static char bytes[1 << 20];
    for (int i = 0; i < 10 * 1024; i++) {
        if (write(1, bytes, sizeof bytes) < 0) {
            end("write 10 GB", 0);
        }
    }
    end("write 10 GB", 1);
}

static void write_facts(void)
{
    static char bytes[1 << 20];
    memset(bytes, 'x', sizeof bytes);
    for (int i = 0; i < 1024; i++) {
        if (write(4, bytes, sizeof bytes) < 0) {
            end("write facts", 0);
        }
    }
    end("write facts", 1);
}

static void crash(void)
{
    signal(SIGSEGV, SIG_DFL); /* not that of a sanitizer */
    raise(SIGSEGV);
    abort();
}

static volatile sig_atomic_t go_on;

static void take_signal(int number)
{
    go_on = 1;
}

/* Waits for SIGUSR1, then behaves. */
static void wait_for_signal(void)
{
    const struct sigaction action = {.sa_handler = take_signal};
    sigaction(SIGUSR1, &action, NULL);
    while (!go_on) {
        usleep(10000);
    }
}

/* Facts that attack the page. */
static void lie(void)
{
    static const char facts[] = "[trace]\ntitle=<script>alert(1)</script>\napp=\"><img src=x>\n"
                                "threads=1\nwarning0=<b>bold</b>\ninfo=</pre><script>x</script>\n"
                                "[thread 0]\nname='\"><svg onload=alert(1)>\nid=7\n";
    (void)!write(4, facts, sizeof facts - 1);
    _exit(0);
}

void misbehave(const char *name)
{
    static const struct {
        const char *name;
        void (*act)(void);
    } acts[] = {
        {"open-file", open_file},
        {"make-file", make_file},
        {"look", look_at_file},
        {"socket", open_socket},
        {"start-process", start_process},
        {"kill", kill_parent},
        {"take-memory", take_memory},
        {"spin", spin},
        {"sleep", sleep_on},
        {"close", close_all},
        {"write-much", write_much},
        {"write-facts", write_facts},
        {"crash", crash},
        {"lie", lie},
        {"wait", wait_for_signal},
    };
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        if (strcmp(acts[i].name, name) == 0) {
            acts[i].act();
        }
    }
}
