// How long a request may be, which a server says and refuses in one way.

/** The limit of most operations: the longest valid input (two passwords, a phrase) is under 8 KiB. */
export const DEFAULT_INPUT_BYTES = 64 * 1024;

export const inKib = (bytes: number): string => `${(bytes / 1024).toLocaleString('en')} KiB`;
