// A person at the signer's terminal is asked about one payment after the other, and no answer counts for one that was not shown.

import { PassThrough } from 'node:stream';
import test from 'ava';
import { Confirmations } from '../../src/allowance/confirmations.ts';
import type { JournalPayment } from '../../src/allowance/journal.ts';

const paymentOf = (txid: string): JournalPayment => ({
  txid,
  account: 0,
  payments: [{ address: 'u1payee', zatoshi: 50_000_000 }],
  fee: 10_000,
  total: 50_010_000,
  state: 'waiting',
  at: 0,
});

function start(fails = false) {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const decided: string[] = [];
  const decide = (what: string) => async (txid: string) => {
    if (fails) throw new Error('the disk is full');
    decided.push(`${what} ${txid}`);
  };
  const asking = new Confirmations({ stdin, stderr }, { confirm: decide('yes'), cancel: decide('no') });
  let shown = '';
  stderr.on('data', (part: Buffer) => {
    shown += part.toString();
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const type = async (text: string): Promise<void> => {
    stdin.write(text);
    for (let i = 0; i < 5; i++) await settled();
  };
  return { asking, decided, type, shown: () => shown };
}

test('it shows what is paid, and takes yes for yes and all else for no', async (t) => {
  const { asking, decided, type, shown } = start();
  await type('yes\n');
  for (const txid of ['aa', 'bb', 'cc']) asking.ask(paymentOf(txid));
  await type('');
  t.regex(
    shown(),
    /Payment aa\n {2}0.5 ZEC to u1payee\n {2}fee 0.0001 ZEC; 0.5001 ZEC leave account 0\nType yes/,
  );
  t.notRegex(shown(), /Payment bb/);
  await type('Yes\n');
  await type('y\n');
  await type('\n');
  t.deepEqual(decided, ['yes aa', 'no bb', 'no cc']);
});

test('what is typed ahead answers nothing', async (t) => {
  const { asking, decided, type } = start();
  asking.ask(paymentOf('aa'));
  asking.ask(paymentOf('bb'));
  await type('yes\nyes\nyes\n');
  t.deepEqual(decided, ['yes aa']);
});

test('a decision that cannot be written down is none, and the next payment is asked about', async (t) => {
  const { asking, type, shown } = start(true);
  asking.ask(paymentOf('aa'));
  asking.ask(paymentOf('bb'));
  await type('yes\n');
  t.regex(shown(), /nothing has changed.*Payment bb/s);
});
