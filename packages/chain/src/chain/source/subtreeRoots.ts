// Roots of full subtrees, requested in pieces of a limited size. A root cannot be checked by itself: the caller folds
// them into a root that it knows.

import { CompanionError, type ErrorCode } from '@wallet-companion/client/contract';
import type { SubtreeRoot } from '../ports/types.ts';

/** Some 150 bytes each as JSON. */
const ROOTS_AT_ONCE = 256;
/** A tree of 2^32 leaves has no more. */
const MOST_ROOTS = 2 ** 16;

/** `ask`: at most `limit` roots from `start` on, null where the server does not report them. */
export async function collectSubtreeRoots(
  who: string,
  code: ErrorCode,
  count: number,
  ask: (start: number, limit: number) => Promise<readonly SubtreeRoot[] | null>,
): Promise<readonly SubtreeRoot[]> {
  if (!Number.isSafeInteger(count) || count < 0 || count > MOST_ROOTS) {
    throw new CompanionError('INVALID_RANGE', 'There are not that many subtrees.');
  }
  const bad = (what: string): CompanionError => new CompanionError(code, `${who} ${what}.`);
  const roots: SubtreeRoot[] = [];
  while (roots.length < count) {
    const limit = Math.min(ROOTS_AT_ONCE, count - roots.length);
    const more = await ask(roots.length, limit);
    if (more === null) throw bad('does not tell the roots of subtrees; use another one');
    if (more.length > limit) throw bad('gave more subtree roots than were asked for');
    if (more.length === 0)
      throw bad(`tells the roots of ${roots.length} subtrees only, of ${count} that are full`);
    for (const next of more) {
      if (next.endHeight < (roots.at(-1)?.endHeight ?? 0)) throw bad('gave subtree roots out of order');
      roots.push(next);
    }
  }
  return roots;
}
