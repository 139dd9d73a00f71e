import { DEFAULT_INPUT_BYTES } from '@wallet-companion/client/contract';
import { encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { stage } from '@wallet-companion/pczt/test/pcztVectors';
import type { ActionPool } from '@wallet-companion/zcash/pools';
import test from 'ava';
import { CompanionError } from '../../src/protocol/errors.ts';
import { commandInputLimit, inputLimit, LongInputs } from '../../src/protocol/inputLimits.ts';
import { type OperationName, operationNames, operations, parseInput } from '../../src/protocol/operations.ts';

/** What takes a file, beside a PCZT, and how many KiB of it, with room for the rest of the input: in base64, a transaction in hexadecimal. */
const FILES: Readonly<Partial<Record<OperationName, number>>> = {
  'labels.import': 8 * 1024,
  'receipts.verify': 4_000_000 / 1024,
  'statement.check': 6 * 1024,
};

test('only what takes a file takes more than 64 KiB, and all surfaces agree on it', (t) => {
  for (const name of operationNames) {
    const { input, actor, http, ipc } = operations[name];
    const fileKib = Object.hasOwn(input.shape, 'pczt') ? 2048 : FILES[name];
    const isLong = fileKib !== undefined;
    t.is(inputLimit(name), ((fileKib ?? 0) + 64) * 1024, name);
    t.is(commandInputLimit(ipc), inputLimit(name));
    // Others are read into strings, and query parameters come in headers.
    if (isLong) t.deepEqual([actor, http.method], ['wallet', 'POST'], name);
  }
  for (const odd of ['nothing', undefined, null, 5, {}]) t.is(commandInputLimit(odd), DEFAULT_INPUT_BYTES);
});

const isBusy = (error: unknown): boolean => error instanceof CompanionError && error.code === 'BUSY';

test('while four are answered a fifth is refused, and one that is done makes room', (t) => {
  const inputs = new LongInputs();
  const four = [1, 2, 3, 4].map(() => inputs.begin(() => t.fail('it was there in full')));
  for (const each of four) each.arrived();
  t.true(isBusy(t.throws(() => inputs.begin())));
  four[2]!.done();
  four[2]!.done();
  const fifth = inputs.begin();
  t.true(isBusy(t.throws(() => inputs.begin())));
  fifth.done();
  t.notThrows(() => inputs.begin());
});

test('the input that has been waited for longest gives way to a newcomer', (t) => {
  const inputs = new LongInputs();
  const gone: string[] = [];
  const begin = (name: string) =>
    inputs.begin((reason) => {
      t.true(isBusy(reason));
      gone.push(name);
    });
  const [first, second, , fourth] = ['first', 'second', 'third', 'fourth'].map(begin);
  first!.arrived();
  begin('fifth');
  begin('sixth');
  t.deepEqual(gone, ['second', 'third']);
  // What was made to give way comes to no place again by anything that is said of it later.
  second!.arrived();
  fourth!.done();
  begin('seventh');
  t.deepEqual(gone, ['second', 'third']);
});

/** The pool's actions over and over, each with all that it can have, until there are 32, and their proof. */
const filled = (pczt: Pczt, pool: ActionPool): Pczt => {
  const full = pczt[pool].actions.map(({ spend, output, ...rest }) => ({
    ...rest,
    spend: { ...spend, spendAuthSig: new Uint8Array(64) },
    output: { ...output, ock: new Uint8Array(32), userAddress: 'u'.repeat(512) },
  }));
  const actions = Array.from({ length: 32 }, (_, i) => full[i % full.length]!);
  const valueSum = actions.reduce((sum, { spend, output }) => sum + spend.value! - output.value!, 0n);
  const zkproof = new Uint8Array(2720 + 2272 * 32);
  return { ...pczt, [pool]: { ...pczt[pool], actions, valueSum, zkproof } };
};

test('what the limit was made for is a quarter of it at most: 32 actions in each of two pools, with all that they can have', (t) => {
  const few = stage('v6-orchard-change-in-orchard', 'ready');
  const bytes = encodePczt(filled(filled(few, 'orchard'), 'ironwood'), 2);
  t.log(`${bytes.length} bytes`);
  t.true(bytes.length > 300_000);
  const pczt = Buffer.from(bytes).toString('base64');
  t.true(JSON.stringify({ pczt }).length * 4 < inputLimit('pczt.inspect'));
  t.deepEqual(parseInput('pczt.inspect', { pczt }), { pczt });
});

test('a grant for as many payees as there may be fits into a body, with the longest addresses', (t) => {
  const payees = (count: number) => Array.from({ length: count }, (_, i) => `${i}`.padStart(1_024, 'u'));
  const grant = (count: number) => ({
    name: 'shop',
    scopes: ['send'],
    wallets: ['*'],
    payees: payees(count),
  });
  t.deepEqual(parseInput('grants.create', grant(48)), grant(48));
  t.true(JSON.stringify(grant(48)).length < inputLimit('grants.create') * 0.8);
  t.throws(() => parseInput('grants.create', grant(49)), { instanceOf: CompanionError });
});
