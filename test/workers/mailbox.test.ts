import { MessageChannel, type MessagePort } from 'node:worker_threads';
import test from 'ava';
import * as Comlink from 'comlink';
import { CompanionError } from '../../src/protocol/errors.ts';
import { ok } from '../../src/protocol/result.ts';
import { Mailbox, serveMailbox } from '../../src/workers/mailbox.ts';

function connect(dispatch: Parameters<typeof serveMailbox>[1]): {
  port: MessagePort;
  mailbox: Mailbox;
  lose: () => void;
} {
  const { port1, port2 } = new MessageChannel();
  serveMailbox(port2, dispatch);
  let lose = () => {};
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  return { port: port1, mailbox: new Mailbox(port1, lost), lose };
}

test('a message is answered with the handler’s value', async (t) => {
  const { port, mailbox } = connect(async (message) => ok({ echoed: message }));
  t.deepEqual(await mailbox.send({ name: 'x' }), { ok: true, value: { echoed: { name: 'x' } } });
  port.close();
});

test('a thrown error keeps its code and an unknown one is not told', async (t) => {
  const { port, mailbox } = connect(async (message) => {
    if (message === 'coded') throw new CompanionError('WALLET_LOCKED', 'Locked.');
    throw new Error('/home/someone/secret');
  });
  t.deepEqual(await mailbox.send('coded'), {
    ok: false,
    error: { code: 'WALLET_LOCKED', detail: 'Locked.' },
  });
  const answer = await mailbox.send('other');
  t.false(answer.ok);
  t.false(JSON.stringify(answer).includes('secret'));
  port.close();
});

test('a lost thread settles open and later calls', async (t) => {
  const { port, mailbox, lose } = connect(() => new Promise(() => {}));
  const open = mailbox.send('never answered');
  lose();
  t.like(await open, { ok: false, error: { code: 'THREAD_LOST' } });
  t.like(await mailbox.send('again'), { ok: false, error: { code: 'THREAD_LOST' } });
  port.close();
});

test('a call past its deadline answers BUSY', async (t) => {
  const { port, mailbox } = connect(() => new Promise(() => {}));
  t.like(await mailbox.send('slow', 1), { ok: false, error: { code: 'BUSY' } });
  port.close();
});

test('the other side cannot reach a constructor, replace the handler, or send anything but plain data', async (t) => {
  const { port, mailbox } = connect(async () => ok('genuine'));
  const answers: unknown[] = [];
  port.addEventListener('message', (event) => answers.push((event as unknown as { data: unknown }).data));

  const raw = (value: unknown) => ({ type: 'RAW', value });
  const attacks: object[] = [
    // Walk to Function and run code there.
    { type: 'APPLY', path: ['dispatch', 'constructor'], argumentList: [raw('globalThis.stolen = true')] },
    { type: 'CONSTRUCT', path: ['constructor', 'constructor'], argumentList: [raw('return process')] },
    { type: 'GET', path: ['constructor'] },
    // Replace the handler.
    { type: 'SET', path: ['dispatch'], value: raw(null) },
    { type: 'SET', path: [], value: raw(null) },
    { type: 'ENDPOINT' },
    { type: 'RELEASE' },
    { type: 'APPLY', path: ['dispatch', 'call'], argumentList: [raw(1)] },
    { type: 'APPLY', path: ['dispatch'], argumentList: [raw(1), raw(2)] },
    { type: 'APPLY', path: ['dispatch'], argumentList: [{ type: 'HANDLER', name: 'proxy', value: {} }] },
    { type: 'APPLY', path: ['dispatch'] },
  ];
  for (const [i, attack] of attacks.entries()) port.postMessage({ id: `attack-${i}`, ...attack });
  // Ports deliver in order: once this one is answered, every attack has been seen and dropped.
  t.deepEqual(await mailbox.send('honest'), { ok: true, value: 'genuine' });
  t.deepEqual(
    answers.filter((answer) => String((answer as { id?: unknown }).id).startsWith('attack')),
    [],
  );
  t.false('stolen' in globalThis);
  port.close();
});

test('without the filter the same attacks work, so the test above can fail', async (t) => {
  const { port1, port2 } = new MessageChannel();
  Comlink.expose({ dispatch: async () => ok('genuine') }, port2 as unknown as Comlink.Endpoint);
  const reply = new Promise((resolve) => port1.once('message', resolve));
  port1.postMessage({ id: 'a', type: 'SET', path: ['dispatch'], value: { type: 'RAW', value: null } });
  t.like(await reply, { id: 'a', value: true });
  port1.close();
});
