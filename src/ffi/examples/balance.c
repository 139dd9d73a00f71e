/*
 * Prints the companion's version, its compact-block server's tip and the wallet's balance.
 *
 *     cc -I/usr/local/include/companion balance.c -lcompanion -o balance
 *     ./balance [data directory]
 */
#include <stdio.h>

#include "companion.h"

static void print(const char *what, companion_code code, char *answer) {
  printf("%s: %s %s\n", what, companion_describe(code)->name, answer == NULL ? "" : answer);
  companion_free(answer);
}

int main(int count, char **words) {
  companion_options options = {.size = sizeof options, .data_dir = count > 1 ? words[1] : NULL};
  companion *wallet;
  char *answer = NULL;
  const companion_code opened = companion_open(&options, &wallet, &answer);
  if (opened != COMPANION_OK) {
    fprintf(stderr, "%s\n", answer == NULL ? "out of memory" : answer);
    companion_free(answer);
    return companion_describe(opened)->exit_status;
  }
  companion_code code = companion_call(wallet, COMPANION_CALL_VERSION, NULL, &answer);
  print("version", code, answer);
  code = companion_lwd_chain_tip(wallet, NULL, NULL, &answer);
  print("chain tip", code, answer);
  code = companion_call(wallet, COMPANION_CALL_BALANCE, "{\"account\":0}", &answer);
  print("balance", code, answer);
  companion_close(wallet);
  return 0;
}
