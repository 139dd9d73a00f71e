// Addresses that pass for one another: a thief makes one with the same beginning and end, to be paid by mistake.

/** Few people compare more. A higher number finds fewer look-alikes; at this one chance makes none (40 bits). */
const COMPARED = 4;

/** The first two characters of a transparent address; of others what stands before the first 1, and it. */
const PREFIX = /^(?:t[123m]|[a-z]+1)/;

const glance = (address: string): string => {
  const { length } = PREFIX.exec(address)?.[0] ?? '';
  return `${address.slice(0, length + COMPARED)} ${address.slice(-COMPARED)}`;
};

/**
 * Whether a person may take one address for the other: the four characters after the prefix and the last four are the
 * same, and the addresses are not. Texts are compared as they are written.
 */
export const looksAlike = (one: string, other: string): boolean =>
  one !== other && glance(one) === glance(other);
