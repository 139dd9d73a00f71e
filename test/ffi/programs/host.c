/* A host that starts a companion, handles Ctrl-C, and does not close its handle: `host DATA_DIR CONFIG_DIR PROGRAM`. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "companion.h"

static void on_interrupt(int number) { (void)number; }

int main(int count, char **words) {
  if (count != 4) return 2;
  struct sigaction action = {.sa_handler = on_interrupt};
  sigaction(SIGINT, &action, NULL);
  const companion_options options = {
      .size = sizeof options, .data_dir = words[1], .config_dir = words[2], .program = words[3], .start_timeout_ms = 1800000};
  companion *handle;
  char *problem;
  if (companion_open(&options, &handle, &problem) != COMPANION_OK) {
    fprintf(stderr, "%s\n", problem);
    return 1;
  }
  puts("open");
  fflush(stdout);
  for (;;) pause();
}
