// Why there is no witness.

/** The circuit has no proof for the action. The text is for a log: no amounts, keys or notes. */
export class UnprovableError extends Error {
  override readonly name = 'UnprovableError';
}
