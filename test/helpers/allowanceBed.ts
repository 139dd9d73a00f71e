// An allowance signer over files of a folder, payments for it, and a reader of what it signed that shares nothing with it.
import type { Clocks } from '@wallet-companion/base/async';
import { encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import type { ProposalOptions } from '@wallet-companion/pczt/spending';
import {
  build,
  incomingOf,
  type MadeUpNote,
  madeUpNotes,
  PARAMS,
  payTo,
  SEED,
  unifiedAddress,
} from '@wallet-companion/pczt/test/spendingAccount';
import { noteNullifier, readOutputs } from '@wallet-companion/pczt/test/transmitted';
import { ACTION_POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import { AllowanceSigner } from '../../src/allowance/allowanceSigner.ts';
import { Journal, type JournalPayment } from '../../src/allowance/journal.ts';
import { FIRST_POLICY, type Policy } from '../../src/allowance/policy.ts';
import { SignerStore } from '../../src/allowance/signerStore.ts';
import { SteadyClock } from '../../src/allowance/steadyClock.ts';

export const ZEC = 100_000_000;
export const START = 1_800_000_000_000;

export const POLICY: Policy = {
  ...FIRST_POLICY,
  payment_zatoshi: ZEC,
  day_zatoshi: 3 * ZEC,
  month_zatoshi: 10 * ZEC,
  fee_zatoshi: 50_000,
  payees: [unifiedAddress()],
  pools: ['ironwood', 'sapling'],
};

/** The clocks of a machine; anybody may set the first. */
export class SettableClocks {
  wall = START;
  #elapsed = 0;

  now = (): number => this.wall;
  elapsed = (): number => this.#elapsed;

  /** The other clock stands still. */
  sleep(ms: number): void {
    this.wall += ms;
  }

  pass(ms: number): void {
    this.wall += ms;
    this.#elapsed += ms;
  }
}

const KEY = new Uint8Array(32).fill(9);

export const storeIn = (folder: string): SignerStore => new SignerStore(folder, KEY, seededBytes(1));

/** A new folder's signer. */
export async function createSigner(folder: string, policy = POLICY): Promise<void> {
  const store = storeIn(folder);
  await store.create();
  await store.storePolicy(policy);
}

export interface RunningSigner {
  readonly signer: AllowanceSigner;
  readonly journal: Journal;
  /** Payments that a person was asked about. */
  readonly unconfirmed: JournalPayment[];
}

/** Writes as the store does, and fails where the disk does, or where a kill comes. */
export type DisturbedWrite = (write: () => Promise<void>) => Promise<void>;

/** As after a start of its process. */
export async function startSigner(
  folder: string,
  clocks: Clocks = new SettableClocks(),
  disturbed: DisturbedWrite = (write) => write(),
): Promise<RunningSigner> {
  const store = storeIn(folder);
  const { policy, journal: state } = store.read();
  await store.catchUp();
  const journal = new Journal(state, (next) => disturbed(() => store.storeJournal(next)));
  const clock = new SteadyClock(clocks, state.at);
  const unconfirmed: JournalPayment[] = [];
  const signer = new AllowanceSigner({
    seed: SEED,
    params: PARAMS,
    policy,
    journal,
    clock,
    randomBytes: seededBytes(2),
    onUnconfirmed: (payment) => unconfirmed.push(payment),
  });
  return { signer, journal, unconfirmed };
}

export interface MadePayment {
  readonly pczt: Pczt;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly notes: readonly MadeUpNote[];
}

let made = 0;

/** From one note of its own in a pool. */
export function makePayment({
  zatoshi = ZEC / 2,
  to = unifiedAddress(),
  pool = 'ironwood',
  options = {},
}: {
  readonly zatoshi?: number;
  readonly to?: string;
  readonly pool?: Pool;
  readonly options?: ProposalOptions;
} = {}): MadePayment {
  made += 1;
  const randomBytes = seededBytes(made);
  const notes = madeUpNotes([{ pool, zatoshi: zatoshi + ZEC }], randomBytes);
  const { pczt } = build(payTo(to, zatoshi, notes, options), notes, randomBytes);
  return { pczt, notes, bytes: encodePczt(pczt, 2) };
}

/** Made once: they took half of the time of a hostile companion's requests. */
let change: ReturnType<typeof incomingOf> | undefined;
const nullifiers = new WeakMap<MadeUpNote, string>();

function nullifierOf(note: MadeUpNote): string {
  const known = nullifiers.get(note) ?? noteNullifier(note);
  nullifiers.set(note, known);
  return known;
}

/**
 * What a PCZT takes from account 0: the notes of the list whose nullifiers it reveals, less what the account's keys of change can
 * decrypt. In zatoshi.
 */
export function takenBy(pczt: Pczt, notes: readonly MadeUpNote[]): bigint {
  const revealed = new Set(
    [
      ...pczt.sapling.spends,
      ...ACTION_POOLS.flatMap((pool) => pczt[pool].actions.map(({ spend }) => spend)),
    ].map(({ nullifier }) => Buffer.from(nullifier).toString('hex')),
  );
  const spent = notes.filter((note) => revealed.has(nullifierOf(note)));
  change ??= incomingOf(0).filter(({ scope }) => scope === 'internal');
  const returned = readOutputs(pczt, change).reduce((sum, { value }) => sum + value, 0n);
  return spent.reduce((sum, { zatoshi }) => sum + BigInt(zatoshi), 0n) - returned;
}
