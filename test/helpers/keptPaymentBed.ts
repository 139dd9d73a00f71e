// One payment that was built from made-up notes, kept where the test can see and fail each write, beside a chain side that
// answers as the test says: for what happens to a payment after it was prepared.

import { SerialQueue } from '@wallet-companion/base/async';
import type { ChainService, SendOutcome, TransactionStatus } from '@wallet-companion/chain/ports';
import { decodePczt, encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { effectsOfPczt } from '@wallet-companion/pczt/pcztRoles';
import { completedPczt } from '@wallet-companion/pczt/test/completion';
import { type BuiltStory, builtStories } from '@wallet-companion/pczt/test/returnedStories';
import { PARAMS, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import { txidOfEffects } from '@wallet-companion/zcash/signing';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import { parseTransaction, txid } from '@wallet-companion/zcash/transactions';
import type { MempoolWatch } from '../../src/actors/wallet/mempool/mempoolWatch.ts';
import { PaymentBook } from '../../src/actors/wallet/payments/book/paymentBook.ts';
import { UNSENT } from '../../src/actors/wallet/payments/paymentState.ts';
import { Payments } from '../../src/actors/wallet/payments/payments.ts';
import type { KeptState, PaymentStore, StoredPayment } from '../../src/actors/wallet/ports/payment.ts';
import type { Prover, Signer } from '../../src/actors/wallet/ports/signing.ts';
import type { WalletEnvironment } from '../../src/actors/wallet/ports/walletEnvironment.ts';
import type { Session } from '../../src/actors/wallet/session/session.ts';
import type { Sessions } from '../../src/actors/wallet/session/sessions.ts';
import { WitnessMaker } from '../../src/actors/wallet/witnesses/witnesses.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import { createProofVerifier } from '../../src/workers/proofVerifier.ts';
import { madeUpPayment } from './madeUpPayment.ts';

export const IRONWOOD = 'Ironwood to Ironwood with a memo';
export const SAPLING = 'Sapling to Ironwood, change kept in Sapling';
export const ACROSS = 'Orchard to Ironwood, change moved to Ironwood';

export const bytesOf = (pczt: Pczt): string => Buffer.from(encodePczt(pczt, 2)).toString('base64');

/** Survives the actor. Before and after each write the test may stop everything. */
export class Disk implements PaymentStore {
  readonly rows = new Map<string, StoredPayment>();
  writes = 0;
  paymentWrites = 0;
  beforeWrite: (payment: StoredPayment) => void = () => undefined;
  afterWrite: (payment: StoredPayment) => void = () => undefined;

  payments(): StoredPayment[] {
    return [...this.rows.values()].map((payment) => ({ ...payment, pczt: payment.pczt.slice() }));
  }

  putPayment(payment: StoredPayment, writes: number): void {
    this.beforeWrite(payment);
    this.paymentWrites = writes;
    this.writes += 1;
    this.rows.set(payment.id, { ...payment, pczt: payment.pczt.slice() });
    this.afterWrite(payment);
  }

  deletePayment(id: string): void {
    this.rows.delete(id);
  }

  /** What was prepared by itself has none. */
  keyedPayment(): undefined {
    return undefined;
  }
}

type Call = 'tip' | 'transactionStatus' | 'sendTransaction';

/** What a server has, and what it does instead of answering. */
export class FakeServer {
  tipHeight = 100;
  outcome: SendOutcome = { kind: 'accepted' };
  /** Undefined: as what arrived says. */
  status: TransactionStatus | undefined;
  /** In the order of their coming, by txid. */
  readonly arrived: { readonly txid: string; readonly raw: string }[] = [];
  readonly calls: string[] = [];
  /** All that ever left, whether it arrived or not. */
  readonly seen = new Set<string>();
  /** Instead of an answer; `sendTransaction` has arrived by then. */
  failing: Partial<Record<Call, CompanionError>> = {};
  /** Before the answer, after it has arrived. */
  meanwhile: (call: Call) => void | Promise<void> = () => undefined;

  readonly chain = {
    tip: async ({ source }) => {
      await this.#asked('tip', source);
      return { height: this.tipHeight, hash: new Uint8Array(32) as never };
    },
    transactionStatus: async ({ source, txid: asked }) => {
      await this.#asked('transactionStatus', source);
      if (this.status !== undefined) return this.status;
      const isHere = this.arrived.some(({ txid: has }) => has === txIdToHex(asked));
      return isHere ? { kind: 'mempool' } : { kind: 'unknown' };
    },
    sendTransaction: async ({ source, raw, txid: output }) => {
      const own = txIdToHex(txid(parseTransaction(raw)));
      if (own !== txIdToHex(output)) throw new CompanionError('INVALID_REQUEST', 'another txid');
      this.seen.add(Buffer.from(raw).toString('hex'));
      if (this.outcome.kind !== 'refused')
        this.arrived.push({ txid: own, raw: Buffer.from(raw).toString('hex') });
      await this.#asked('sendTransaction', source);
      return this.outcome;
    },
  } satisfies Partial<ChainService> as unknown as ChainService;

  get sent(): number {
    return this.calls.filter((call) => call.startsWith('sendTransaction')).length;
  }

  async #asked(call: Call, source: string): Promise<void> {
    this.calls.push(`${call} ${source}`);
    await this.meanwhile(call);
    const failure = this.failing[call];
    if (failure !== undefined) throw failure;
  }
}

export interface Fate {
  mined?: number;
  conflict?: boolean;
  top?: number;
  inMempool?: boolean;
}

const built = new Map<string, BuiltStory & { readonly complete: Pczt }>();

/** They take a second each to make, and nobody changes one. */
function storyOf(name: string) {
  const known = built.get(name);
  if (known !== undefined) return known;
  const [story] = builtStories(name) as [BuiltStory];
  const randomBytes = seededBytes(77);
  const made = {
    ...story,
    complete: completedPczt(story.ready, { seed: SEED, params: PARAMS, randomBytes }),
  };
  built.set(name, made);
  return made;
}

let beds = 0;

/** `disk` and `server`: of an actor that was killed. */
export function paymentBed(name = IRONWOOD, disk = new Disk(), server = new FakeServer()) {
  const config = {
    network: 'regtest',
    min_confirmations: 1,
    broadcast_needs_password: false,
    verify_regtest_proofs: false,
  };
  const { complete, ...story } = storyOf(name);
  beds += 1;
  const randomBytes = seededBytes(100 + beds);
  const payment = madeUpPayment(1, {
    pczt: encodePczt(story.ready, 2),
    txid: txIdToHex(txidOfEffects(effectsOfPczt(story.ready))),
    lastHeight: 141,
  });
  if (disk.rows.size === 0) disk.rows.set(payment.id, payment);
  const fate: Fate = {};
  const noteStore = {
    tables: {
      notes: {
        spentIn: () => (fate.mined === undefined ? [] : [{ spent: { height: fate.mined } }]),
        madeIn: () => [],
      },
    },
    note: () => ({ position: 7, spent: fate.conflict === true ? { height: 99, txid: 'another' } : null }),
    scanned: () => (fate.top === undefined ? [] : [{ start: 0, end: fate.top }]),
    scannedTop: () => fate.top,
    missing: () => [],
    block: () => undefined,
  };
  const session = {
    noteStore,
    payments: new PaymentBook(() => disk),
    addressBook: { at: () => undefined },
  } as unknown as Session;
  const changes = new SerialQueue();
  const sessions = {
    current: session as Session | undefined,
    exclusive: <T>(change: () => Promise<T>): Promise<T> => changes.run(change),
  };
  const events: CompanionEvent[] = [];
  const faults: string[] = [];
  const environment = {
    chain: server.chain,
    clock: { now: () => 1_700_000_000_000, after: () => () => undefined },
    randomBytes,
    configFile: { get: () => config },
    proofVerifier: createProofVerifier(),
    prover: undefined as Prover | undefined,
    signer: undefined as Signer | undefined,
    emit: (event: CompanionEvent) => events.push(event),
    logFault: (where: string) => faults.push(where),
  };
  const mempool = {
    state: () => ({ book: { unmined: fate.inMempool === true ? [{ txid: payment.txid }] : [] } }),
  };
  const payments = new Payments(
    environment as unknown as WalletEnvironment,
    PARAMS,
    sessions as unknown as Sessions,
    mempool as unknown as MempoolWatch,
  );
  const witnesses = new WitnessMaker(payments.environment, payments.sessions, {
    readAgain: async () => undefined,
    compactServer: () => '',
  });
  return {
    id: payment.id,
    anchoring: { payments, sessions: payments.sessions, witnesses },
    /** What the wallet handed out. */
    ready: story.ready,
    signed: story.signed,
    /** Signed, with filler for proofs. */
    complete,
    randomBytes,
    disk,
    fate,
    session,
    sessions,
    context: () => payments.context(session),
    config,
    environment,
    payments,
    events,
    faults,
    server,
    get stored(): StoredPayment {
      return disk.rows.get(payment.id)!;
    },
    get pczt(): Pczt {
      return decodePczt(disk.rows.get(payment.id)!.pczt).pczt;
    },
    /** Puts what came back where it would be after `combine`. */
    keep: (pczt: Pczt, state: KeptState = UNSENT) => {
      session.payments.put({ ...payment, pczt: encodePczt(pczt, 2), state });
      disk.writes = 0;
    },
  };
}
