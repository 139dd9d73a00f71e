// Which members of an input are secrets, in every operation.

/** These are never read from a command line or a query string, and never logged. */
export const SECRET_FIELDS: readonly string[] = [
  'password',
  'new_password',
  'mnemonic',
  'words',
  'bip39_passphrase',
  'viewing_key',
  'pin',
];
