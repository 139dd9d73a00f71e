// Which stage of a scan the samples of V8's profiler fall on (`--cpu-prof`, one profile a thread).
//
// A sample belongs to the file of the innermost function that has a stage; functions of the engine and of libraries
// that everybody uses (hashes, buffers) count for whoever called them. The profiler samples by the clock, so waiting is
// told apart by name, and the shares of a thread are of the time it did not wait.

export const STAGES = [
  'decrypt',
  'verify',
  'parse',
  'pack',
  'fetch',
  'apply',
  'store',
  'messages',
  'loading',
  'GC',
  'other',
] as const;
export type Stage = (typeof STAGES)[number];

export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly children?: readonly number[];
  }[];
  /** Microseconds of the monotonic clock. */
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The first that fits. */
const FILES: readonly (readonly [RegExp, Stage])[] = [
  [/^wasm:|\/src\/kernel\/(?!verify)/, 'decrypt'],
  [/\/src\/kernel\/verify\/|\/src\/zcash\/(?:notes|keys|address|trees)\//, 'verify'],
  [/\/src\/zcash\/(?:encoding|scan)\//, 'parse'],
  [/\/src\/chain\/source\//, 'pack'],
  [/\/src\/(?:actors\/)?chain\//, 'fetch'],
  [/\/src\/(?:disk|storage)\/|@photostructure\/sqlite/, 'store'],
  [/\/src\/actors\/wallet\//, 'apply'],
  [/\/src\/workers\/|\/comlink\/|\/piscina\/|node:internal\/(?:worker|per_context\/messageport)/, 'messages'],
  [
    /@grpc\/|@bufbuild\/|node:(?:_?http|net|internal\/(?:http|http2|stream_base|undici|deps\/undici))/,
    'fetch',
  ],
  // A first scan's: modules that are read and compiled, in every new thread.
  [/node:internal\/(?:modules|bootstrap|vm|source_map)/, 'loading'],
  [/\/src\/(?:http|protocol|cli|service|composition|async)\/|\/koa|\/pino\//, 'other'],
];

/** Functions of the engine, which have no file. */
const NATIVE: Readonly<Record<string, Stage>> = {
  '(garbage collector)': 'GC',
  postMessage: 'messages',
  parse: 'parse',
  receiveMessageOnPort: 'messages',
  stringify: 'parse',
  hexWrite: 'parse',
  hexSlice: 'parse',
};

const WAITING: ReadonlySet<string> = new Set(['(idle)', '(root)', 'wait']);
/** Where a worker of the pool waits for its next task: the wait is compiled into the function that calls it. */
const WAITING_FILE = /\/piscina\/dist\/worker\.js$/;

interface Attribution {
  readonly stage: Stage | 'waiting';
  /** For functions below that have no stage of their own. */
  readonly below: Stage;
}

function attribution({ functionName, url }: CallFrame): Attribution | undefined {
  if (url === '' && WAITING.has(functionName)) return { stage: 'waiting', below: 'other' };
  if (WAITING_FILE.test(url)) return { stage: 'waiting', below: 'messages' };
  const stage = url === '' ? NATIVE[functionName] : FILES.find(([pattern]) => pattern.test(url))?.[1];
  return stage && { stage, below: stage };
}

/** Microseconds by stage of the samples between two times of the monotonic clock. */
export function stageTimes(
  profile: CpuProfile,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): Record<Stage, number> {
  const stages = new Map<number, Stage | 'waiting'>();
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const pending: [number, Stage][] = [[profile.nodes[0]!.id, 'other']];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [id, inherited] = next;
    const { callFrame, children = [] } = byId.get(id)!;
    const { stage, below } = attribution(callFrame) ?? { stage: inherited, below: inherited };
    stages.set(id, stage);
    for (const child of children) pending.push([child, below]);
  }
  const times = byStage(() => 0);
  let clock = profile.startTime;
  profile.samples.forEach((id, i) => {
    clock += profile.timeDeltas[i]!;
    const stage = stages.get(id) ?? 'other';
    // A sample stands for the time until the next one.
    const lasts = profile.timeDeltas[i + 1] ?? 0;
    if (stage !== 'waiting' && clock >= from && clock < to) times[stage] += lasts;
  });
  return times;
}

/** Fractions of the whole; all zero when there is nothing. */
export function shares(times: Readonly<Record<Stage, number>>): Record<Stage, number> {
  const whole = wholeOf(times);
  return byStage((stage) => (whole === 0 ? 0 : times[stage] / whole));
}

export const wholeOf = (times: Readonly<Record<Stage, number>>): number =>
  STAGES.reduce((sum, stage) => sum + times[stage], 0);

export const byStage = <T>(make: (stage: Stage) => T): Record<Stage, T> =>
  Object.fromEntries(STAGES.map((stage) => [stage, make(stage)])) as Record<Stage, T>;
