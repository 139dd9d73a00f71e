// Accounts of a phrase with made-up notes in made-up trees, who propose and build payments, and a signer who has the
// spending keys: what stands around src/spending.
import { encodeReceiver, encodeUnifiedAddress } from '@wallet-companion/zcash/addresses';
import { encodeInteger32 } from '@wallet-companion/zcash/curves';
import {
  deriveViewingKeys,
  incomingKeys,
  mnemonicToSeed,
  orchardAddressAt,
  saplingAddressAt,
  seedFingerprint,
} from '@wallet-companion/zcash/keys';
import { type NetworkParameters, regtestParameters, type Scope } from '@wallet-companion/zcash/network';
import { isActionPool, POOL, type Pool, perPool, type ShieldedProtocol } from '@wallet-companion/zcash/pools';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import { leadByteFor } from '@wallet-companion/zcash/test/noteMaker';
import { type SmallTree, smallTree } from '@wallet-companion/zcash/test/noteTree';
import { noteOf } from '../../src/pczt/outputNote.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { deriveSigningKeys } from '../../src/signer/signingKeys.ts';
import { type BuiltPczt, buildPczt, type NoteOpening } from '../../src/spending/builder.ts';
import type { OwnNote } from '../../src/spending/funds.ts';
import { type Proposal, type ProposalOptions, proposePayment } from '../../src/spending/proposal.ts';
import { randomRho } from '../../src/spending/randomness.ts';
import { type SpendingProblem, SpendingRefusal } from '../../src/spending/refusal.ts';
import type { SeedAccount } from '../../src/spending/spendingKeys.ts';
import { withSignatures } from './completion.ts';

export const PHRASE = `${'abandon '.repeat(23)}art`;
export const SEED = mnemonicToSeed(PHRASE, '');
export const FINGERPRINT = seedFingerprint(SEED);

/** Every upgrade is in force from the beginning. */
export const PARAMS = regtestParameters();
/** Above the grace period of ZIP 212, which other implementations insist on. */
export const TARGET_HEIGHT = 40_000;

export const NOW = 1_790_000_000;

/** Tests propose thousands of payments with thousands of notes to a few receivers, each of which costs milliseconds. */
const keys = new Map<number, ReturnType<typeof deriveViewingKeys>>();
const receivers = new Map<string, Uint8Array>();

export function keysOf(account: number): ReturnType<typeof deriveViewingKeys> {
  const known = keys.get(account) ?? deriveViewingKeys(SEED, PARAMS, account);
  keys.set(account, known);
  return known;
}
export const incomingOf = (account: number) => incomingKeys(keysOf(account), account);

/** The receiver of one scope at the first index that has one from `index` on. */
export function receiverOf(pool: Pool, account: number, scope: Scope, index = 0n): Uint8Array {
  const { protocol } = POOL[pool];
  const name = [protocol, account, scope, index].join();
  const receiver = receivers.get(name) ?? derivedReceiver(protocol, account, scope, index);
  receivers.set(name, receiver);
  return receiver.slice();
}

function derivedReceiver(
  protocol: ShieldedProtocol,
  account: number,
  scope: Scope,
  index: bigint,
): Uint8Array {
  const key = incomingOf(account).find((one) => one.protocol === protocol && one.scope === scope)!;
  if (protocol === 'orchard') return orchardAddressAt(key, index);
  for (let i = index; ; i++) {
    const address = saplingAddressAt(key, i);
    if (address !== undefined) return address;
  }
}

export const saplingAddress = (account = 1): string =>
  encodeReceiver('sapling', receiverOf('sapling', account, 'external'), PARAMS);
export const orchardAddress = (account = 1, index = 0n): string =>
  encodeReceiver('orchard', receiverOf('orchard', account, 'external', index), PARAMS);
export const unifiedAddress = (account = 1): string =>
  encodeUnifiedAddress(
    {
      sapling: receiverOf('sapling', account, 'external'),
      orchard: receiverOf('orchard', account, 'external'),
    },
    PARAMS,
  );

export interface MadeUpNote extends OwnNote {
  readonly scope: Scope;
  readonly opening: Omit<NoteOpening, 'path'>;
}

/** At a position of its own in its pool; the owner is account 0. */
export function madeUpNote(
  given: Pick<OwnNote, 'pool' | 'zatoshi'> & Partial<OwnNote> & { readonly scope?: Scope },
  randomBytes: RandomBytes,
): MadeUpNote {
  const { pool, zatoshi, scope = 'external' } = given;
  const recipient = receiverOf(pool, 0, scope, scope === 'external' ? 3n : 0n);
  const rho = isActionPool(pool) ? randomRho(randomBytes) : new Uint8Array(0);
  return {
    height: 100,
    position: 0,
    isChange: scope === 'internal',
    isReserved: false,
    ...given,
    pool,
    zatoshi,
    scope,
    opening: { leadByte: leadByteFor(pool), recipient, rho, rseed: randomBytes(32) },
  };
}

/** Notes at positions 0, 1, 2, ... of their pools, beside leaves of others. */
export function madeUpNotes(
  given: readonly Parameters<typeof madeUpNote>[0][],
  randomBytes: RandomBytes,
): MadeUpNote[] {
  const used = perPool(() => 1);
  return given.map((one) => {
    const note = madeUpNote({ ...one, position: used[one.pool] }, randomBytes);
    used[one.pool] += 1;
    return note;
  });
}

export const commitmentOf = ({ pool, zatoshi, opening }: MadeUpNote): Uint8Array =>
  noteOf(pool, { ...opening, value: BigInt(zatoshi) })!.commitment;

/** The tree of a pool with these notes at their positions. */
export function treeOf(pool: Pool, notes: readonly MadeUpNote[]): SmallTree {
  const own = notes.filter((note) => note.pool === pool);
  const size = Math.max(2, ...own.map(({ position }) => position + 2));
  const leaves = Array.from({ length: size }, (_, i) => {
    const note = own.find(({ position }) => position === i);
    return note ? commitmentOf(note) : encodeInteger32(BigInt(1000 + i));
  });
  return smallTree(pool, leaves);
}

export type TestRequest = Partial<Parameters<typeof proposePayment<MadeUpNote>>[0]> & {
  readonly notes: readonly MadeUpNote[];
};

export const propose = (request: TestRequest): Proposal<MadeUpNote> =>
  proposePayment({
    params: PARAMS,
    targetHeight: TARGET_HEIGHT,
    scannedHeight: TARGET_HEIGHT - 1,
    now: NOW,
    protocols: ['sapling', 'orchard'],
    ownKeys: incomingOf(0),
    payments: [],
    ...request,
  });

/** What a refused proposal says. */
export function problemOf(act: () => unknown): SpendingProblem {
  try {
    act();
  } catch (error) {
    if (error instanceof SpendingRefusal) return error.problem;
    throw error;
  }
  throw new Error('nothing was refused');
}

export const payTo = (
  address: string,
  zatoshi: number | undefined,
  notes: readonly MadeUpNote[],
  options: ProposalOptions = {},
  memo?: Uint8Array,
): Proposal<MadeUpNote> =>
  propose({
    notes,
    options,
    payments: [
      { address, ...(zatoshi === undefined ? {} : { zatoshi }), ...(memo === undefined ? {} : { memo }) },
    ],
  });

export interface BuildOptions {
  readonly params?: NetworkParameters;
  /** Default: account 0 of the seed. */
  readonly seedAccount?: SeedAccount | undefined;
}

/** `all`: every note that is in the trees. */
export function build(
  proposal: Proposal<MadeUpNote>,
  all: readonly MadeUpNote[],
  randomBytes: RandomBytes,
  { params = PARAMS, ...options }: BuildOptions = {},
): BuiltPczt {
  const trees = perPool((pool) => treeOf(pool, all));
  const { seedAccount } = { seedAccount: { seedFingerprint: FINGERPRINT, accountIndex: 0 }, ...options };
  return buildPczt({
    params,
    proposal,
    openings: proposal.spends.map(({ pool, position, opening }) => ({
      ...opening,
      path: trees[pool].pathOf(position),
    })),
    anchors: perPool((pool) => trees[pool].root),
    keys: keysOf(0),
    seedAccount,
    randomBytes,
  });
}

/** Signs what the account's keys open and nobody has signed; the number of signatures too. */
export const signAll = (
  pczt: Pczt,
  randomBytes: RandomBytes,
): { readonly pczt: Pczt; readonly count: number } =>
  withSignatures(pczt, deriveSigningKeys(SEED, PARAMS, 0), randomBytes);
