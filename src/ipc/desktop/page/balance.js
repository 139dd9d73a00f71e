// What the window says of a balance. Where nothing was scanned, nobody has looked: "unknown", never 0.

const ZATOSHI_PER_COIN = 100_000_000n;

function coins(zatoshi) {
  const whole = BigInt(zatoshi) / ZATOSHI_PER_COIN;
  const rest = String(BigInt(zatoshi) % ZATOSHI_PER_COIN).padStart(8, '0');
  return `${whole.toLocaleString('en')}.${rest} ZEC`;
}

/** `{total, note, rows}`; a row is pool, confirmed, total and number of notes. */
export function balanceText(balance) {
  const isUnknown = balance.as_of_height === null;
  const amount = (zatoshi) => (isUnknown ? 'unknown' : coins(zatoshi));
  return {
    total: amount(balance.total_zatoshi),
    note: isUnknown ? 'Nothing was scanned yet: sync to see the balance.' : reach(balance),
    rows: Object.entries(balance.pools).map(([pool, amounts]) => [
      pool,
      amount(amounts.confirmed_zatoshi),
      amount(amounts.total_zatoshi),
      isUnknown ? 'unknown' : String(amounts.note_count),
    ]),
  };
}

function reach({ as_of_height: height, pending_zatoshi: pendingZatoshi, complete }) {
  const pending = pendingZatoshi === 0 ? '' : ` ${coins(pendingZatoshi)} pending.`;
  const missing = complete ? '' : ' Blocks are missing: sync to see everything.';
  return `As of block ${height}.${pending}${missing}`;
}
