// Why a payment cannot be proposed or built as asked, as data: callers put it into words and map it to their own errors.
import type { Height } from '../../values/height.ts';
import type { Zatoshi } from '../../values/zatoshi.ts';
import type { Pool } from '../pools.ts';
import type { Consent, Disclosure } from './disclosure.ts';
import type { Funds } from './funds.ts';
import type { Full } from './room.ts';

export type RecipientFault =
  /** Malformed, mistyped or of another network. */
  | 'address'
  /** TEX addresses take transparent funds alone (ZIP 320). */
  | 'tex'
  /** An own address that is meant for change. */
  | 'internalAddress'
  /** Nothing in the address can be paid at this height. */
  | 'noReceiver'
  /** The address is no longer to be paid (ZIP 316). */
  | 'expired'
  | 'memoTooLong'
  | 'memoToTransparent'
  | 'amountMissing'
  /** Not a whole number of zatoshi from 0 to 21 million ZEC. */
  | 'amountRange'
  /** So little for a transparent address that nodes do not pass it on. */
  | 'amountDust';

export type SpendingProblem =
  | { readonly kind: 'recipient'; readonly index: number; readonly fault: RecipientFault }
  | {
      readonly kind: 'recipients';
      readonly fault: 'none' | 'tooMany' | 'totalRange' | 'everythingTakesOne' | 'everythingHasAmount';
    }
  | { readonly kind: 'height'; readonly fault: 'noVersion' }
  | {
      readonly kind: 'expiry';
      readonly fault: 'range' | 'tooNear';
      /** The lowest that is taken. */
      readonly earliest: Height;
    }
  /** An address is to be paid sooner. */
  | { readonly kind: 'expiry'; readonly fault: 'tooLate'; readonly latest: Height }
  /** It comes so soon that nobody could sign in time for the rules before it. */
  | { readonly kind: 'upgradeNear'; readonly height: Height }
  /** Rules that are not known here begin before anybody could sign. */
  | { readonly kind: 'unknownUpgrade'; readonly height: Height }
  | { readonly kind: 'confirmations' }
  | { readonly kind: 'noSource' }
  | { readonly kind: 'notEnough'; readonly needed: Zatoshi; readonly funds: Funds }
  /** There is enough, in more notes than one transaction takes. */
  | {
      readonly kind: 'tooManyNotes';
      readonly needed: Zatoshi;
      readonly atMost: Zatoshi;
      /** What the notes left over do not fit into. */
      readonly full: Full;
      /** How many payments it takes together, their fees included; undefined where the fees take too much. */
      readonly payments: number | undefined;
      readonly funds: Funds;
    }
  | {
      readonly kind: 'consentNeeded';
      readonly consents: readonly Consent[];
      readonly disclosures: readonly Disclosure[];
    }
  | { readonly kind: 'viewingKey'; readonly pool: Pool }
  | { readonly kind: 'anchorMissing'; readonly pool: Pool }
  | {
      readonly kind: 'note';
      readonly index: number;
      /** `opening`: its fields make no note of the account. `witness`: it does not lead to the anchor. */
      readonly fault: 'opening' | 'witness';
    };

export class SpendingRefusal extends Error {
  override readonly name = 'SpendingRefusal';
  readonly problem: SpendingProblem;

  constructor(problem: SpendingProblem) {
    super('fault' in problem ? `${problem.kind}: ${problem.fault}` : problem.kind);
    this.problem = problem;
  }
}

export function refuseSpending(problem: SpendingProblem): never {
  throw new SpendingRefusal(problem);
}
