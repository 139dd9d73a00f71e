// Loaded before everything else into every thread of a process (`--expose-gc --import`): says what each thread's heap
// holds once its garbage is gone. Nothing of the companion knows of it.
import { setImmediate as turn } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';
import { BroadcastChannel, isMainThread, threadId, workerData } from 'node:worker_threads';
import type { MeasureMessage, ProcessMemory, ThreadMemory } from './processMemory.ts';

/**
 * Everybody hears everything, so each kind of message has a member of its own: an answer must not count as a question.
 */
type Asked = { readonly asked: { readonly round: number; readonly snapshots: string | undefined } };
type Reported = { readonly reported: { readonly round: number | undefined; readonly memory: ThreadMemory } };
type Message = Partial<Asked & Reported>;

/** Those that answer; a scan worker waits without an event loop, and tells how it is whenever it begins to wait. */
const ANSWERING = ['main', 'wallet', 'chain'];
const SCAN_REPORT_MS = 200;
const ASK_AGAIN_MS = 100;

const channel = new BroadcastChannel('memory-probe');
const thread = isMainThread ? 'main' : threadOf(workerData);

function threadOf(data: unknown): string {
  if (typeof data === 'object' && data !== null) {
    if ('configDir' in data) return 'wallet';
    if ('logLevel' in data) return 'chain';
  }
  return `scan ${threadId}`;
}

const { gc } = globalThis;
if (gc === undefined) throw new Error('the memory probe needs --expose-gc');

function memory(): ThreadMemory {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return { thread, heapUsed, external, arrayBuffers };
}

async function measured(snapshots: string | undefined): Promise<ThreadMemory> {
  for (let i = 0; i < 5; i++) {
    await turn();
    gc?.();
  }
  if (snapshots !== undefined) writeHeapSnapshot(`${snapshots}/${thread.replace(' ', '-')}.heapsnapshot`);
  return memory();
}

if (thread.startsWith('scan')) reportBeforeWaiting();
else if (!isMainThread) answerBroadcasts();
else answerParent();

function answerBroadcasts(): void {
  let lastRound = 0;
  channel.onmessage = (event) => {
    const { asked } = (event as { data: Message }).data;
    if (asked === undefined || asked.round === lastRound) return;
    const { round, snapshots } = asked;
    lastRound = round;
    void measured(snapshots).then((memory) =>
      channel.postMessage({ reported: { round, memory } } satisfies Reported),
    );
  };
  channel.unref();
}

function reportBeforeWaiting(): void {
  const wait = Atomics.wait.bind(Atomics);
  let last = Number.NEGATIVE_INFINITY;
  Atomics.wait = ((...words: Parameters<typeof wait>) => {
    if (performance.now() - last > SCAN_REPORT_MS) {
      gc?.();
      channel.postMessage({ reported: { round: undefined, memory: memory() } } satisfies Reported);
      last = performance.now();
    }
    return wait(...words);
  }) as typeof Atomics.wait;
  channel.unref();
}

function answerParent(): void {
  if (process.send === undefined) return;
  const latest = new Map<string, Reported['reported']>();
  let arrived = (): void => undefined;
  channel.onmessage = (event) => {
    const { reported } = (event as { data: Message }).data;
    if (reported === undefined) return;
    latest.set(reported.memory.thread, reported);
    arrived();
  };
  channel.unref();
  let round = 0;
  const measureAll = async (snapshots: string | undefined): Promise<ProcessMemory> => {
    round += 1;
    const post = (): void => channel.postMessage({ asked: { round, snapshots } } satisfies Asked);
    // A thread that is starting does not hear the first question.
    const again = setInterval(post, ASK_AGAIN_MS);
    post();
    latest.set(thread, { round, memory: await measured(snapshots) });
    while (!ANSWERING.every((name) => latest.get(name)?.round === round)) {
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
    clearInterval(again);
    return { rss: process.memoryUsage.rss(), threads: [...latest.values()].map(({ memory: of }) => of) };
  };
  process.on('message', (message) => {
    const { measure, snapshots } = message as Partial<MeasureMessage>;
    if (measure === true) void measureAll(snapshots).then((found) => process.send?.({ measured: found }));
  });
  process.channel?.unref();
}
