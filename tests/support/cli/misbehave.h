/* A worker that was taken over by its input. Only the test program aflame_misbehaving has it. */
#pragma once

/* Does what the name of the upload asks for: "open-file", "socket", ... Other names: nothing. If it
 * succeeds, it prints "escaped" and ends as a worker that did well. */
void misbehave(const char *name);
