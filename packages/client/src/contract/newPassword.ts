// What a password must be where a person chooses one. Programs may use any: their passwords are drawn, not remembered.

export const LEAST_NEW_PASSWORD = 8;

/** A sentence; undefined for one that is long enough. */
export const newPasswordProblem = (password: string): string | undefined =>
  [...password].length >= LEAST_NEW_PASSWORD
    ? undefined
    : `A password needs at least ${LEAST_NEW_PASSWORD} characters: a shorter one is soon found by trying.`;
