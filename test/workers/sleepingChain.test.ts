// The chain side of a command: asleep until the first question, which comes after the last settings.

import type { ChainService, ChainSettings } from '@wallet-companion/chain/ports';
import test from 'ava';
import { SleepingChain } from '../../src/workers/sleepingChain.ts';

const SETTINGS = { network: 'regtest', nodeUrl: 'http://127.0.0.1:1' } as ChainSettings;

function asleep(configure: () => Promise<void> = () => Promise.resolve()) {
  const output: unknown[] = [];
  const configured: Promise<void>[] = [];
  const chain = {
    configure: (settings: ChainSettings) => {
      output.push(['settings', settings.nodeUrl]);
      return configure();
    },
    blockHash: ({ height }: { height: number }) => {
      output.push(['hash', height]);
      return Promise.resolve('a hash');
    },
  };
  const sleeping = new SleepingChain(chain as unknown as ChainService, (promise) => {
    output.push('started');
    configured.push(promise);
  });
  const ask = (height: number) => sleeping.service.blockHash({ height } as never) as Promise<unknown>;
  return { output, configured, sleeping, ask };
}

test('settings start nothing; the first question starts it once and comes after the last of them', async (t) => {
  const { output, sleeping, ask } = asleep();
  await sleeping.service.configure(SETTINGS);
  await sleeping.service.configure({ ...SETTINGS, nodeUrl: 'http://127.0.0.1:2' });
  t.deepEqual(output, []);
  t.true(sleeping.isAsleep);
  t.is(await ask(7), 'a hash');
  await ask(8);
  sleeping.wake();
  t.false(sleeping.isAsleep);
  t.deepEqual(output, [['settings', 'http://127.0.0.1:2'], 'started', ['hash', 7], ['hash', 8]]);
  await sleeping.service.configure(SETTINGS);
  t.deepEqual(output.at(-1), ['settings', SETTINGS.nodeUrl]);
});

test('it can be woken without a question, and says when the settings have arrived', async (t) => {
  const { output, configured, sleeping } = asleep(() => Promise.reject(new Error('refused')));
  await sleeping.service.configure(SETTINGS);
  sleeping.wake();
  t.deepEqual(output, [['settings', SETTINGS.nodeUrl], 'started']);
  await t.throwsAsync(configured[0]!, { message: 'refused' });
});
