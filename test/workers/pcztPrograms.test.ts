// Proofs and signatures between a wallet's thread and the main thread: each gets its own, and what nobody waits for any more is ended.

import test from 'ava';
import { CompanionError } from '../../src/protocol/errors.ts';
import { type PcztRunner, ProgramClient, ProgramQueue } from '../../src/workers/pcztPrograms.ts';
import type { MainMethods } from '../../src/workers/threadMethods.ts';
import { channelTo } from '../helpers/channelPair.ts';

/** Both sides of a thread. */
class Thread {
  readonly chainClient: ProgramClient;
  end: () => void = () => undefined;

  constructor(queue: ProgramQueue) {
    const ended = new Promise<void>((resolve) => {
      this.end = resolve;
    });
    const { run, giveUp, provesSapling } = queue.join(ended);
    const methods = { calls: { runProgram: run, provesSapling }, events: { giveUpProgram: giveUp } };
    this.chainClient = new ProgramClient(channelTo(methods as unknown as MainMethods));
  }
}

/** Answers each PCZT when it is told to, by its first byte. */
class Later implements PcztRunner {
  readonly open = new Map<number, () => void>();

  async provesSapling(): Promise<boolean> {
    return true;
  }

  run(pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal): Promise<Uint8Array> {
    const [first = 0] = pczt;
    return new Promise((resolve, reject) => {
      this.open.set(first, () => resolve(new Uint8Array([first, 99])));
      stop.addEventListener('abort', () => {
        this.open.delete(first);
        reject(new CompanionError('PROVER_FAILED', 'It was given up.'));
      });
    });
  }
}

function threads(count: number, prover?: Later, signer: PcztRunner | undefined = prover): Thread[] {
  const queue = new ProgramQueue(prover && signer && { prover, signer });
  return Array.from({ length: count }, () => new Thread(queue));
}

const never = new AbortController().signal;
const codeOf = (proof: Promise<unknown>): Promise<string> =>
  proof.then(
    () => 'none',
    (error: unknown) => (error instanceof CompanionError ? error.code : String(error)),
  );

test('each thread gets the proofs that it asked for, and keeps no copy of what it sent', async (t) => {
  const later = new Later();
  const [one, two] = threads(2, later) as [Thread, Thread];
  const sent = [1, 2, 3].map((byte) => new Uint8Array([byte]));
  const proofs = [
    one.chainClient.prove(sent[0]!, never),
    two.chainClient.prove(sent[1]!, never),
    one.chainClient.prove(sent[2]!, never),
  ];
  t.true(sent.every(({ byteLength }) => byteLength === 0));
  for (const byte of [3, 2, 1]) later.open.get(byte)!();
  t.deepEqual(
    await Promise.all(proofs),
    [1, 2, 3].map((byte) => new Uint8Array([byte, 99])),
  );
});

test('a proof that is given up, by its caller, with the session or with the thread, is ended; others are not', async (t) => {
  const later = new Later();
  const [one, two, three] = threads(3, later) as [Thread, Thread, Thread];
  const stop = new AbortController();
  const proofs = [
    one.chainClient.prove(new Uint8Array([1]), stop.signal),
    one.chainClient.prove(new Uint8Array([2]), never),
    two.chainClient.prove(new Uint8Array([3]), never),
    three.chainClient.prove(new Uint8Array([4]), never),
  ];
  stop.abort();
  t.is(await codeOf(proofs[0]!), 'PROVER_FAILED');
  t.deepEqual([...later.open.keys()], [2, 3, 4]);
  two.chainClient.giveUpAll();
  t.is(await codeOf(proofs[2]!), 'PROVER_FAILED');
  three.end();
  t.is(await codeOf(proofs[3]!), 'PROVER_FAILED');
  t.deepEqual([...later.open.keys()], [2]);
  later.open.get(2)!();
  t.is(await codeOf(proofs[1]!), 'none');
  t.is(await codeOf(one.chainClient.prove(new Uint8Array([5]), AbortSignal.abort())), 'PROVER_FAILED');
});

test('each role is asked for its own part, at the same time', async (t) => {
  const [prover, signer] = [new Later(), new Later()];
  const [one] = threads(1, prover, signer) as [Thread];
  const both = [
    one.chainClient.prove(new Uint8Array([1]), never),
    one.chainClient.sign(new Uint8Array([2]), never),
  ];
  t.deepEqual([...prover.open.keys(), ...signer.open.keys()], [1, 2]);
  signer.open.get(2)!();
  t.deepEqual(await both[1], new Uint8Array([2, 99]));
  prover.open.get(1)!();
  t.deepEqual(await both[0], new Uint8Array([1, 99]));
});

test('without a prover or a signer, the answer reports that', async (t) => {
  const [one] = threads(1) as [Thread];
  t.is(await codeOf(one.chainClient.prove(new Uint8Array([1]), never)), 'NO_PROVER');
  t.false(await one.chainClient.provesSapling());
  t.is(await codeOf(one.chainClient.sign(new Uint8Array([1]), never)), 'NO_SIGNER');
});
