// Which account a note belongs to, for lists and sums over one account or all.

/** Undefined means every account. */
export const isOf = (account: number | undefined, item: { readonly account: number }): boolean =>
  account === undefined || item.account === account;
