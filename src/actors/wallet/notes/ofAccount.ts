// Whose a note is, for lists and sums that may be of one account or of all.

/** Undefined stands for every account. */
export const isOf = (account: number | undefined, item: { readonly account: number }): boolean =>
  account === undefined || item.account === account;
