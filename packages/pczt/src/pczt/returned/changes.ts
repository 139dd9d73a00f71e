// The changes in a returned PCZT, as data and as sentences.
import { POOL } from '@wallet-companion/zcash/pools';
import type { At } from './at.ts';

/** Most important first: a caller that shows one sentence must show that one. */
const KINDS = [
  'anotherTransaction',
  'spendingKey',
  'recipient',
  'amount',
  'payment',
  // A fee changes with what is added or removed.
  'added',
  'removed',
  'fee',
  'memo',
  'order',
  'expiry',
  'lockTime',
  'network',
  'transactionVersion',
  'upgrade',
  'note',
  'spendKey',
  'input',
  'ciphertext',
  'ephemeralKey',
  'senderCopy',
  'valueCommitment',
  'valueBalance',
  'flags',
  'anchor',
  'opened',
  'signature',
  'proofLength',
  'proofTwice',
  'proofKey',
  'bindingKey',
  'explanation',
] as const;

export type ChangeKind = (typeof KINDS)[number];

export interface ReturnChange extends At {
  readonly kind: ChangeKind;
}

export const byReporting = (changes: readonly ReturnChange[]): ReturnChange[] =>
  changes.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));

interface Named {
  readonly who: string;
  /** "Ironwood" */
  readonly pool: string;
  /** "output 1 of Ironwood" */
  readonly item: string;
  /** The same for several items. */
  readonly items: string;
  /** Last part of the field's name. */
  readonly field: string;
}

const SENTENCES: Readonly<Record<ChangeKind, (named: Named) => string>> = {
  anotherTransaction: () => 'What came back is another transaction',
  spendingKey: ({ item }) => `What came back holds a spending key, at ${item}`,
  recipient: ({ who, item }) => `${who} changed whom ${item} pays`,
  amount: ({ who, item }) => `${who} changed how much ${item} pays`,
  payment: ({ who, item }) => `${who} changed whom or how much ${item} pays`,
  fee: ({ who }) => `${who} changed the fee`,
  memo: ({ who, item }) => `${who} changed the memo of ${item}`,
  added: ({ who, items }) => `${who} added to the ${items}`,
  removed: ({ who, items }) => `${who} took away some of the ${items}`,
  order: ({ who, items }) => `${who} changed the order of the ${items}`,
  expiry: ({ who }) => `${who} changed until when the transaction can be mined`,
  lockTime: ({ who }) => `${who} changed from when on the transaction can be mined`,
  network: ({ who }) => `${who} changed the network that the transaction is for`,
  transactionVersion: ({ who }) => `${who} changed the version of the transaction`,
  upgrade: ({ who }) => `${who} changed the network upgrade that the transaction is for`,
  note: ({ who, item }) => `${who} changed which note ${item} takes`,
  spendKey: ({ who, item }) => `${who} changed whose signature ${item} needs`,
  input: ({ who, item }) => `${who} changed ${item}`,
  ciphertext: ({ who, item }) => `${who} changed what the recipient of ${item} can read`,
  ephemeralKey: ({ who, item }) => `${who} changed the key that ${item} is read with`,
  senderCopy: ({ who, item }) => `${who} changed what the sender can read of ${item}`,
  valueCommitment: ({ who, item }) => `${who} changed the amount that ${item} stands for`,
  valueBalance: ({ who, pool }) => `${who} changed how much leaves ${pool}`,
  flags: ({ who, pool }) => `${who} changed what is allowed in ${pool}`,
  anchor: ({ who, pool }) => `${who} changed the anchor of ${pool}`,
  opened: ({ who }) => `${who} opened the transaction for further inputs or outputs`,
  signature: ({ item }) => `The signature of ${item} is not one of this transaction`,
  proofLength: ({ pool }) => `The proof of ${pool} does not have the length of one`,
  proofTwice: ({ item }) => `The proof of ${item} is a copy of another one`,
  proofKey: ({ item }) => `The proof key of ${item} is not that of its note`,
  bindingKey: ({ who, pool }) => `${who} changed the binding key of ${pool}`,
  explanation: ({ who, item, field }) => `${who} changed the information about ${item}: ${field}`,
};

/** One sentence. Its subject is `who` where the other side made the change. */
export const sentenceOf = (change: ReturnChange, who = 'The signer'): string =>
  `${SENTENCES[change.kind]({ who, ...namesOf(change) })}.`;

function namesOf({ place, part, index, field: path }: ReturnChange): Omit<Named, 'who'> {
  const field = path.split('.').at(-1)!;
  if (place === undefined) return { pool: '', item: 'the transaction', items: 'transaction', field };
  const isOpen = place === 'transparent';
  const noun = part === undefined ? 'action' : isOpen && part === 'spend' ? 'input' : part;
  const pool = isOpen ? '' : POOL[place].name;
  const [before, behind] = isOpen ? ['transparent ', ''] : ['', ` of ${pool}`];
  const items = `${before}${noun}s${behind}`;
  const item = index === undefined ? pool : `${before}${noun} ${index + 1}${behind}`;
  return { pool, item, items, field };
}
