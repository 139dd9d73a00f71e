// The reasons why a payment cannot be proposed or built, as data: callers write the text and map it to their errors.
import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { Consent, Disclosure } from './disclosure.ts';

export type RecipientFault =
  /** Malformed, mistyped or of another network. */
  | 'address'
  /** TEX addresses accept only transparent funds (ZIP 320). */
  | 'tex'
  /** An address of the wallet that is meant for change. */
  | 'internalAddress'
  /** Nothing in the address can be paid at this height. */
  | 'noReceiver'
  /** The address has expired (ZIP 316). */
  | 'expired'
  | 'memoTooLong'
  | 'memoToTransparent'
  | 'amountMissing'
  /** Not a whole number of zatoshi from 0 to 21 million ZEC. */
  | 'amountRange'
  /** An amount to a transparent address that is too small for nodes to relay. */
  | 'amountDust';

export interface Funds {
  readonly spendable: Zatoshi;
  /** Value of notes that cost more than they add; not part of the other amounts. */
  readonly dust: Zatoshi;
  /** Funds that become spendable at a height; ascending. */
  readonly waiting: readonly { readonly zatoshi: Zatoshi; readonly height: Height }[];
  readonly reserved: Zatoshi;
}

/** What is too small for a payment: `signer`: max_actions; `block`: no node would accept it. */
export type Full = 'signer' | 'block';

export interface FaultyRecipient {
  readonly index: number;
  readonly fault: RecipientFault;
}

export type SpendingProblem =
  /** One for each recipient with a fault, in their order. */
  | { readonly kind: 'recipient'; readonly faults: readonly FaultyRecipient[] }
  | {
      readonly kind: 'recipients';
      readonly fault: 'none' | 'tooMany' | 'totalRange' | 'everythingTakesOne' | 'everythingHasAmount';
    }
  | { readonly kind: 'height'; readonly fault: 'noVersion' | 'noCircuit' }
  | {
      readonly kind: 'expiry';
      readonly fault: 'range' | 'tooNear';
      /** The lowest accepted height. */
      readonly earliest: Height;
    }
  /** No height: a time lock counts such numbers as seconds. */
  | { readonly kind: 'expiry'; readonly fault: 'noHeight'; readonly latest: Height }
  /** An address expires earlier. */
  | { readonly kind: 'expiry'; readonly fault: 'tooLate'; readonly latest: Height }
  /** The next upgrade is so near that a person could not sign in time for the rules before it. */
  | { readonly kind: 'upgradeNear'; readonly height: Height }
  /** Rules that this program does not know begin before a person could sign. */
  | { readonly kind: 'unknownUpgrade'; readonly height: Height }
  | { readonly kind: 'confirmations' }
  | { readonly kind: 'noSource' }
  | { readonly kind: 'notEnough'; readonly needed: Zatoshi; readonly funds: Funds }
  /** The funds are enough, but in more notes than one transaction takes. */
  | {
      readonly kind: 'tooManyNotes';
      readonly needed: Zatoshi;
      /** 0 where so few notes are worth less than their fee. */
      readonly atMost: Zatoshi;
      /** The limit that the remaining notes exceed. */
      readonly full: Full;
      /** How many payments are needed, their fees included; undefined where the fees take too much. */
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

/** Why no payment is planned or built, as data: `problem` names it, with amounts in zatoshi. */
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
