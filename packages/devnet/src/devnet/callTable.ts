// The devnet's HTTP calls by path: their inputs, what they do, and one line of help for each.

import { FormatError } from '@wallet-companion/base/bytes';
import { type ActivationHeights, regtestParameters, UPGRADES } from '@wallet-companion/zcash/network';
import * as z from 'zod';
import { type CallInput, INPUTS } from './callInputs.ts';
import * as calls from './calls.ts';
import type { CompactFault } from './compactFault.ts';
import { DevnetError } from './devnetError.ts';
import { Later } from './later.ts';
import type { NodeFault } from './nodeServer.ts';
import type { Playground } from './playground.ts';

export type CallPath = keyof typeof INPUTS;

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: CallPath;
  readonly summary: string;
  readonly run: (input: never) => unknown;
}

/** `GET /faults` lists the faults and takes no input. */
export interface CallTable {
  find(method: string, path: string): Call | undefined;
  methodsOf(path: string): readonly string[];
  /** Throws `DevnetError`. */
  run(call: Call, input: unknown): unknown;
}

export function callTable(playground: Playground, urls: () => object): CallTable {
  const later = new Later(playground);
  const call = <Path extends CallPath>(
    method: Call['method'],
    path: Path,
    summary: string,
    run: (input: CallInput<Path>) => unknown,
  ): Call => ({ method, path, summary, run });
  const table: readonly Call[] = [
    call('GET', '/', 'What can be called', () => ({
      calls: table.map(({ method, path, summary }) => ({ method, path, summary })),
    })),
    call('GET', '/chain', 'The chain as it stands, and where its servers are', () => ({
      ...urls(),
      ...calls.chain(playground),
    })),
    call('GET', '/blocks', 'Blocks of the best chain', (input) => calls.blocks(playground, input)),
    call('GET', '/wallet', "The devnet's own wallet, which pays and is paid where nobody else is named", () =>
      calls.wallet(playground),
    ),
    call('POST', '/notes', 'What a scan with the viewing key must find', (input) =>
      calls.notes(playground, input),
    ),
    call('POST', '/pay', 'A stranger pays; mined at once', (input) => calls.pay(playground, input)),
    call('POST', '/send', 'The owner of a viewing key pays; mined at once', (input) =>
      calls.spend(playground, input),
    ),
    call('POST', '/mine', 'Mine blocks; transactions go into the first', (input) =>
      calls.mineBlocks(playground, input),
    ),
    call('POST', '/traffic', 'Mine payments between strangers, never a block above 2 MB', (input) =>
      calls.traffic(playground, input),
    ),
    call('POST', '/reorg', 'Replace the top blocks by others', (input) =>
      calls.reorganise(playground, input),
    ),
    call('GET', '/faults', 'How the servers misbehave, and the calls that wait', () =>
      shownFaults(playground, later),
    ),
    call('POST', '/faults', 'Make a server misbehave', (input) => {
      addFault(playground, input);
      return shownFaults(playground, later);
    }),
    call('POST', '/faults/clear', 'End misbehaviour, and forget the calls that wait', ({ server }) => {
      if (server !== 'compact') playground.node.behave();
      if (server !== 'node') playground.compact.behave();
      later.clear(server);
      return shownFaults(playground, later);
    }),
    call('POST', '/later', 'Make another call once a server has given so many answers', (input) => {
      const wanted = table.find(({ method, path }) => method === 'POST' && path === input.call)!;
      const parsed = parsedInput(wanted.path, input.input ?? {});
      later.add(input, () => wanted.run(parsed as never));
      return shownFaults(playground, later);
    }),
    call('POST', '/reset', 'Begin a new chain', ({ seed, activation_heights: activation }) => {
      playground.reset({
        ...(seed === undefined ? {} : { seed }),
        ...(activation === undefined ? {} : { activation: checkedActivation(activation) }),
      });
      later.clear();
      return { ...urls(), ...calls.chain(playground) };
    }),
  ];
  return {
    find: (method, path) => table.find((one) => one.method === method && one.path === path),
    methodsOf: (path) => table.filter((one) => one.path === path).map(({ method }) => method),
    run: ({ method, path, run }, input) => {
      const parsed =
        method === 'GET' && path === '/faults' ? parsedInput('/', input) : parsedInput(path, input);
      try {
        return run(parsed as never);
      } catch (thrown) {
        // A refusal by the devnet has a message for the caller; any other error is a fault of the devnet.
        if (thrown instanceof RangeError || thrown instanceof FormatError)
          throw new DevnetError(`${capitalised(thrown.message)}.`, { cause: thrown });
        throw thrown;
      }
    },
  };
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function parsedInput(path: CallPath, input: unknown): unknown {
  const parsed = (INPUTS[path] as z.ZodType).safeParse(input);
  if (parsed.success) return parsed.data;
  throw new DevnetError(z.prettifyError(parsed.error), { issues: parsed.error.issues });
}

/** Only known upgrades, and no upgrade before an older one. */
function checkedActivation(heights: Readonly<Record<string, number>>): Partial<ActivationHeights> {
  const known: readonly string[] = UPGRADES.map(({ key }) => key);
  if (Object.keys(heights).some((name) => !known.includes(name)))
    throw new RangeError(`upgrades are ${known.join(', ')}`);
  const { activation } = regtestParameters(heights as Partial<ActivationHeights>);
  UPGRADES.reduce((lowest, { key }) => {
    const height = activation[key] ?? lowest;
    if (height < lowest) throw new RangeError(`${key} cannot begin before the upgrade that it follows`);
    return height;
  }, 1);
  return heights as Partial<ActivationHeights>;
}

type FaultInput = CallInput<'/faults'>;

function addFault({ node, compact }: Playground, fault: FaultInput): void {
  const { server, ...fields } = fault;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (server === 'node') node.misbehave(given as unknown as NodeFault);
  else compact.misbehave(given as unknown as CompactFault);
}

function shownFaults({ node, compact }: Playground, later: Later) {
  const shown =
    (server: string) =>
    ({ fault, passes, hits }: (typeof node | typeof compact)['faults'][number]) => ({
      server,
      ...fault,
      after: passes,
      times: Number.isFinite(hits) ? hits : null,
    });
  return {
    faults: [...node.faults.map(shown('node')), ...compact.faults.map(shown('compact'))],
    later: later.shown,
  };
}
