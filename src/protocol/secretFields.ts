// Which members of an input are secrets, whatever the operation.

/** Never taken from a command line or a query string, never logged. */
export const SECRET_FIELDS: readonly string[] = [
  'password',
  'new_password',
  'mnemonic',
  'bip39_passphrase',
  'viewing_key',
];
