// Signers that send back something else than what they were given, and what each is refused for.

import { concatBytes } from '@wallet-companion/base/bytes';
import { encodeNotePlaintext, MEMO_SIZE, seal } from '@wallet-companion/zcash/notes';
import { omitCompactFields, outputNoteOf, resolveCompactFields } from '../../src/pczt/compactFields.ts';
import { noteKeysOf, plaintextOf } from '../../src/pczt/outputNote.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import type { PaymentTerms } from '../../src/signer/checkPayment.ts';
import { edited, flipped, stage, withField } from './pcztVectors.ts';
import { type BuiltStory, builtStories } from './returnedStories.ts';
import { orchardAddress, receiverOf } from './spendingAccount.ts';

export const [ironwood, open, sapling] = builtStories(
  'Ironwood to Ironwood',
  'Ironwood to a transparent',
  'Sapling to Sapling',
);
const memoOf = (text: string): Uint8Array => {
  const memo = new Uint8Array(MEMO_SIZE);
  memo.set(new TextEncoder().encode(text));
  return memo;
};

/** The action of Ironwood that pays most. */
const paying = ironwood!.ready.ironwood.actions.findIndex(({ output }) => output.userAddress !== undefined);
export const PAYING_ACTION = `ironwood.actions.${paying}`;

/** As the recipient reads it, with another memo. */
function withMemo(pczt: Pczt, text: string): Pczt {
  const action = pczt.ironwood.actions[paying]!;
  const note = outputNoteOf('ironwood', action)!;
  const bytes = seal(
    noteKeysOf('ironwood', note)!.encryptionKey,
    encodeNotePlaintext(plaintextOf(note), memoOf(text)),
  );
  return withField(pczt, `${PAYING_ACTION}.output.encCiphertext`, { kind: 'encrypted', bytes });
}

/** What is derived follows, as where a signer builds the payment again. */
export const madeAgain = (pczt: Pczt, change: (pczt: Pczt) => Pczt): Pczt =>
  resolveCompactFields(change(omitCompactFields(pczt)));

/** With another field in an output of Ironwood, such as `ironwood.actions.0`, and the key and ciphertext that follow from it. */
export const madeAgainWith = (pczt: Pczt, at: string, field: string, value: unknown): Pczt =>
  madeAgain(pczt, (compact) => {
    const changed = withField(compact, `${at}.output.${field}`, value);
    const note = outputNoteOf('ironwood', changed.ironwood.actions[Number(at.split('.')[2])]!)!;
    return withField(changed, `${at}.output.ephemeralKey`, noteKeysOf('ironwood', note)!.ephemeralKey);
  });

export interface HostileSigner {
  readonly title: string;
  readonly ours: Pczt;
  readonly theirs: (signed: Pczt) => Pczt;
  readonly signed: Pczt;
  readonly terms: PaymentTerms;
  /** The first, which is the most reporting. */
  readonly sentence: string;
  readonly field: string;
  /** And the others. */
  readonly also?: readonly string[];
}

const n = paying + 1;
const output = `output ${n} of Ironwood`;
const at = `ironwood.actions[${paying}]`;
const of = ({ ready, signed, terms }: BuiltStory) => ({ ours: ready, signed, terms });
export const onIronwood = of(ironwood!);
const onOpen = of(open!);
const onSapling = of(sapling!);

export const HOSTILE_SIGNERS: readonly HostileSigner[] = [
  {
    title: 'pays somebody else',
    ...onIronwood,
    theirs: (signed) =>
      withField(signed, `${PAYING_ACTION}.output.recipient`, receiverOf('ironwood', 2, 'external')),
    sentence: `The signer changed whom ${output} pays.`,
    field: `${at}.output.recipient`,
  },
  {
    title: 'pays somebody else and leaves no trace of whom',
    ...onIronwood,
    theirs: (signed) =>
      withField(
        flipped(signed, `${PAYING_ACTION}.output.cmx`),
        `${PAYING_ACTION}.output.recipient`,
        undefined,
      ),
    sentence: `The signer changed whom or how much ${output} pays.`,
    field: `${at}.output.cmx`,
  },
  {
    title: 'pays another amount',
    ...onIronwood,
    theirs: (signed) => edited(signed, `${PAYING_ACTION}.output.value`, (value: bigint) => value + 5n),
    sentence: `The signer changed how much ${output} pays.`,
    field: `${at}.output.value`,
  },
  {
    title: 'pays more to the recipient and less to the miner',
    ...onIronwood,
    theirs: (signed) =>
      edited(
        edited(signed, `${PAYING_ACTION}.output.value`, (value: bigint) => value + 5n),
        'ironwood.valueSum',
        (sum: bigint) => sum - 5n,
      ),
    sentence: `The signer changed how much ${output} pays.`,
    field: `${at}.output.value`,
    also: ['The signer changed the fee.', 'The signer changed how much leaves Ironwood.'],
  },
  {
    title: 'leaves more to the miner',
    ...onIronwood,
    theirs: (signed) => edited(signed, 'ironwood.valueSum', (sum: bigint) => sum + 5n),
    sentence: 'The signer changed the fee.',
    field: 'ironwood.valueSum',
    also: ['The signer changed how much leaves Ironwood.'],
  },
  {
    title: 'writes another memo',
    ...onIronwood,
    theirs: (signed) => withMemo(signed, 'send it to Mallory next time'),
    sentence: `The signer changed the memo of ${output}.`,
    field: `${at}.output.encCiphertext`,
  },
  {
    title: 'writes another memo in the compact form',
    ...onIronwood,
    theirs: (signed) => omitCompactFields(withMemo(signed, 'send it to Mallory next time')),
    sentence: `The signer changed the memo of ${output}.`,
    field: `${at}.output.encCiphertext`,
  },
  {
    title: 'makes it unreadable',
    ...onIronwood,
    theirs: (signed) =>
      withField(signed, `${PAYING_ACTION}.output.encCiphertext`, {
        kind: 'encrypted',
        bytes: new Uint8Array(580),
      }),
    sentence: `The signer changed what the recipient of ${output} can read.`,
    field: `${at}.output.encCiphertext`,
  },
  {
    title: 'makes the key of the note another one',
    ...onIronwood,
    theirs: (signed) => flipped(signed, `${PAYING_ACTION}.output.ephemeralKey`),
    sentence: `The signer changed the key that ${output} is read with.`,
    field: `${at}.output.ephemeralKey`,
  },
  {
    title: 'takes the copy for the sender away',
    ...onIronwood,
    theirs: (signed) => flipped(signed, `${PAYING_ACTION}.output.outCiphertext`),
    sentence: `The signer changed what the sender can read of ${output}.`,
    field: `${at}.output.outCiphertext`,
  },
  {
    title: 'shows another address',
    ...onIronwood,
    theirs: (signed) => withField(signed, `${PAYING_ACTION}.output.userAddress`, orchardAddress(3)),
    sentence: `The signer changed the information about ${output}: userAddress.`,
    field: `${at}.output.userAddress`,
  },
  {
    title: 'makes it valid for longer',
    ...onIronwood,
    theirs: (signed) => edited(signed, 'global.expiryHeight', (height: number) => height + 1000),
    sentence: 'The signer changed until when the transaction can be mined.',
    field: 'global.expiryHeight',
  },
  {
    title: 'locks it',
    ...onIronwood,
    theirs: (signed) => withField(signed, 'global.fallbackLockTime', 50_000),
    sentence: 'The signer changed from when on the transaction can be mined.',
    field: 'global.fallbackLockTime',
  },
  {
    title: 'makes it of the main network',
    ...onIronwood,
    theirs: (signed) => withField(signed, 'global.coinType', 133),
    sentence: 'The signer changed the network that the transaction is for.',
    field: 'global.coinType',
  },
  {
    title: 'makes it for another upgrade',
    ...onIronwood,
    theirs: (signed) => withField(signed, 'global.consensusBranchId', 0x37a5165b),
    sentence: 'The signer changed the network upgrade that the transaction is for.',
    field: 'global.consensusBranchId',
  },
  {
    title: 'opens it again',
    ...onIronwood,
    theirs: (signed) => withField(signed, 'global.txModifiable', 0b1000_0000),
    sentence: 'The signer opened the transaction for further inputs or outputs.',
    field: 'global.txModifiable',
  },
  {
    title: 'spends another note',
    ...onIronwood,
    theirs: (signed) => flipped(signed, 'ironwood.actions.1.spend.nullifier'),
    sentence: 'The signer changed which note spend 2 of Ironwood takes.',
    field: 'ironwood.actions[1].spend.nullifier',
  },
  {
    title: 'has somebody else sign',
    ...onIronwood,
    theirs: (signed) => flipped(signed, 'ironwood.actions.0.spend.rk'),
    sentence: 'The signer changed whose signature spend 1 of Ironwood needs.',
    field: 'ironwood.actions[0].spend.rk',
  },
  {
    title: 'commits to another amount',
    ...onIronwood,
    theirs: (signed) => flipped(signed, 'ironwood.actions.0.cvNet'),
    sentence: 'The signer changed the amount that action 1 of Ironwood stands for.',
    field: 'ironwood.actions[0].cvNet',
  },
  {
    title: 'anchors it elsewhere',
    ...onIronwood,
    theirs: (signed) => flipped(signed, 'ironwood.anchor'),
    sentence: 'The signer changed the anchor of Ironwood.',
    field: 'ironwood.anchor',
  },
  {
    title: 'forbids to cross addresses',
    ...onIronwood,
    theirs: (signed) => withField(signed, 'ironwood.flags', 3),
    sentence: 'The signer changed what is allowed in Ironwood.',
    field: 'ironwood.flags',
  },
  {
    title: 'brings a binding key of its own',
    ...onIronwood,
    theirs: (signed) => flipped(signed, 'ironwood.bsk'),
    sentence: 'The signer changed the binding key of Ironwood.',
    field: 'ironwood.bsk',
  },
  {
    title: 'adds an action',
    ...onIronwood,
    theirs: (signed) =>
      edited(signed, 'ironwood.actions', (actions: readonly unknown[]) => [...actions, actions[0]]),
    sentence: 'The signer added to the actions of Ironwood.',
    field: 'ironwood.actions',
  },
  {
    title: 'takes a dummy away',
    ...onOpen,
    theirs: (signed) =>
      edited(signed, 'ironwood.actions', (actions: Pczt['ironwood']['actions']) =>
        actions.filter(({ spend }) => spend.value !== 0n),
      ),
    sentence: 'The signer took away some of the actions of Ironwood.',
    field: 'ironwood.actions',
  },
  {
    title: 'shuffles the actions',
    ...onIronwood,
    theirs: (signed) =>
      edited(signed, 'ironwood.actions', (actions: readonly unknown[]) => actions.toReversed()),
    sentence: 'The signer changed the order of the actions of Ironwood.',
    field: 'ironwood.actions',
  },
  {
    title: 'adds a pool',
    ...onIronwood,
    theirs: (signed) => ({ ...signed, orchard: stage('v6-orchard-ironwood', 'ready').orchard }),
    sentence: 'The signer added to the actions of Orchard.',
    field: 'orchard.actions',
    also: ['The signer changed the fee.', 'The signer changed how much leaves Orchard.'],
  },
  {
    title: 'pays another script',
    ...onOpen,
    theirs: (signed) =>
      edited(signed, 'transparent.outputs.0.scriptPubkey', (script: Uint8Array) =>
        concatBytes(script.subarray(0, 4), script.subarray(3, -1)),
      ),
    sentence: 'The signer changed whom transparent output 1 pays.',
    field: 'transparent.outputs[0].scriptPubkey',
  },
  {
    title: 'pays less in the open',
    ...onOpen,
    theirs: (signed) => edited(signed, 'transparent.outputs.0.value', (value: bigint) => value - 9n),
    sentence: 'The signer changed how much transparent output 1 pays.',
    field: 'transparent.outputs[0].value',
    also: ['The signer changed the fee.'],
  },
  {
    title: 'adds a transparent output',
    ...onOpen,
    theirs: (signed) =>
      edited(signed, 'transparent.outputs', (outputs: readonly unknown[]) => [...outputs, outputs[0]]),
    sentence: 'The signer added to the transparent outputs.',
    field: 'transparent.outputs',
    also: ['The signer changed the fee.'],
  },
  {
    title: 'adds a transparent input',
    ...onOpen,
    theirs: (signed) =>
      withField(signed, 'transparent.inputs', [{ value: 0n, scriptPubkey: new Uint8Array(0) }]),
    sentence: 'The signer added to the transparent inputs.',
    field: 'transparent.inputs',
  },
  {
    title: 'pays somebody else in Sapling',
    ...onSapling,
    theirs: (signed) => flipped(signed, 'sapling.outputs.1.cmu'),
    sentence: 'The signer changed whom or how much output 2 of Sapling pays.',
    field: 'sapling.outputs[1].cmu',
  },
  {
    title: 'spends another note of Sapling',
    ...onSapling,
    theirs: (signed) => flipped(signed, 'sapling.spends.0.nullifier'),
    sentence: 'The signer changed which note spend 1 of Sapling takes.',
    field: 'sapling.spends[0].nullifier',
  },
  {
    title: 'shuffles what is paid in Sapling',
    ...onSapling,
    theirs: (signed) =>
      edited(signed, 'sapling.outputs', (outputs: readonly unknown[]) => outputs.toReversed()),
    sentence: 'The signer changed the order of the outputs of Sapling.',
    field: 'sapling.outputs',
  },
  {
    title: 'spends two notes of Sapling',
    ...onSapling,
    theirs: (signed) =>
      edited(signed, 'sapling.spends', (spends: readonly unknown[]) => [...spends, ...spends]),
    sentence: 'The signer added to the spends of Sapling.',
    field: 'sapling.spends',
  },
  {
    title: 'sends the key of a dummy',
    ...onSapling,
    theirs: (signed) => withField(signed, 'sapling.spends.0.dummyAsk', new Uint8Array(32).fill(7)),
    sentence: 'What came back holds a spending key, at spend 1 of Sapling.',
    field: 'sapling.spends[0].dummyAsk',
  },
  {
    title: 'sends another transaction of ours',
    ...onIronwood,
    theirs: () => open!.signed,
    sentence: 'What came back is another transaction.',
    field: '',
  },
  {
    title: 'sends the transaction of somebody else',
    ...onSapling,
    theirs: () => stage('v6-sapling-sapling', 'complete'),
    sentence: 'What came back is another transaction.',
    field: '',
  },
  {
    title: 'sends nothing but the frame',
    ...onIronwood,
    theirs: (signed) => withField(signed, 'ironwood.actions', []),
    sentence: 'What came back is another transaction.',
    field: '',
  },
];
