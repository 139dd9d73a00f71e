// Hostile extensions in a real Chromium, let in for reading, let in for invoices, and not at all: each tries every
// operation, at a companion where nothing is open without a grant.

import path from 'node:path';
import { requestTo } from '@wallet-companion/client/contract';
import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { reaches, type Scope } from '../../src/protocol/grants.ts';
import { type OperationName, operationNames, operations } from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { inputFields } from '../../src/protocol/textInput.ts';
import { Chromium, findChromium } from '../helpers/chromium.ts';
import { startDevnetService } from '../helpers/devnetService.ts';
import { grantedInput, leastInput } from '../helpers/grantedInput.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { loading, unpackExtension } from './support/extension.ts';

const PASSWORD = 'correct horse battery';
const MEMO = 'for the owner alone';
const program = findChromium();
const browserTest = program === undefined ? test.skip : test.serial;

/** What ends the session, or the wallet, comes last: the others are tried on an open one. */
const LAST: readonly OperationName[] = ['wallet.lock', 'wallet.remove'];
const tried = [...operationNames.filter((name) => !LAST.includes(name)), ...LAST];

/** `everywhere`: the password goes with every call that takes one, and not only where it is required. */
const requestsOf = (origin: string, everywhere: boolean) =>
  tried.map((name) => {
    const { method, path: route } = operations[name].http;
    const input = method === 'GET' ? leastInput(name) : grantedInput(name);
    const own = name === 'pairing.request' ? { origin } : {};
    // It knows the password: a person has typed it into the extension.
    const isRequired = inputFields(name).some((field) => field.name === 'password' && field.required);
    const isSent = isRequired || (everywhere && 'password' in examples[name].input);
    const known = { password: isSent ? PASSWORD : undefined };
    return { name, method, ...requestTo(method, route, { ...input, ...known, ...own }) };
  });

type Requests = ReturnType<typeof requestsOf>;

/** In the page: the status and the text of each answer, or that the browser gave none. */
const TRY = (url: string, requests: Requests): string => `(async () => {
  const seen = [];
  for (const { method, target, body } of ${JSON.stringify(requests)}) {
    const init = method === 'GET' ? {} : { method, body, headers: { 'content-type': 'application/json' } };
    seen.push(await fetch('${url}' + target, init)
      .then(async (answer) => [answer.status, await answer.text()], () => [0, 'refused']));
  }
  return seen;
})()`;

for (const scope of ['read', 'invoice', undefined] as const satisfies readonly (Scope | undefined)[]) {
  browserTest(
    `an extension that is let in for ${scope ?? 'nothing'} gets no further, with the password`,
    async (t) => {
      const { devnet, service } = await startDevnetService(t, {
        seed: 'scoped extensions',
        config: { auto_lock_seconds: 0, anonymous_access: 'none' },
      });
      const owner = createSocketLink(socketPath(service.dataDir));
      t.teardown(() => owner.close());
      const call = async (name: OperationName, input: object = {}): Promise<Record<string, unknown>> =>
        unwrap(await owner.dispatch(name, input, { requestId: 'owner' })) as unknown as Record<
          string,
          unknown
        >;
      const { unified_address: address } = await call('wallet.create', {
        password: PASSWORD,
        birthday_height: 1,
      });
      devnet.payTo(String(address), { pool: 'sapling', zatoshi: 777_000_000, memo: MEMO });
      await call('sync.run');
      const extension = unpackExtension(path.join(temporaryFolder(t), 'hostile'), service.url);
      const { origin } = extension;
      const requests = requestsOf(origin, scope !== 'invoice');
      if (scope !== undefined) {
        const { code } = await call('pairing.request', { origin, scopes: [scope], days: 1 });
        await call('pairing.allow', { code });
      }
      const browser = await Chromium.start(program!, [...loading([extension])]);
      t.teardown(() => browser.stop());
      // A page of its own that does nothing by itself.
      const page = await browser.tab(`${origin}/manifest.json`);
      await page.see('Companion balance');
      const seen = await page.evaluate<[number, string][]>(TRY(service.url, requests));
      const permit = {
        id: '',
        name: '',
        scopes: scope === undefined ? [] : [scope],
        wallets: ['*'],
        limits: {},
      };
      for (const [at, { name }] of requests.entries()) {
        const [status, text] = seen[at]!;
        const { reach } = operations[name];
        if (scope === undefined) {
          t.is(status === 0, name !== 'pairing.request', `${name}: ${status} ${text}`);
        } else if (reaches(permit, reach)) {
          // A code that it makes up opens no page.
          const refusals = name === 'grants.open_page' ? [0, 200, 403] : [0, 401, 403];
          t.false(refusals.includes(status), `${name}: ${status} ${text}`);
        } else {
          t.is(status, 403, `${name}: ${text}`);
          t.regex(text, /"GRANT_SCOPE"/, name);
        }
      }
      const all = seen.map(([, text]) => text).join('\n');
      t.is(all.includes(MEMO), scope === 'read');
      t.is(all.includes('777000000'), scope === 'read');
      const { mnemonic } = await call('wallet.backup', { password: PASSWORD });
      t.false(all.includes(String(mnemonic)));
      t.like(await call('wallet.status'), { exists: true, unlocked: true });

      if (scope === undefined) return;
      // Its stream is open, and ends when it is shut out: nothing comes any more.
      await page.evaluate(`(async () => {
      globalThis.heard = [];
      const { body } = await fetch('${service.url}/api/events');
      const reader = body.pipeThrough(new TextDecoderStream()).getReader();
      globalThis.ended = (async () => {
        for (;;) {
          const { done, value } = await reader.read().catch(() => ({ done: true }));
          if (done) return true;
          globalThis.heard.push(value);
        }
      })();
    })()`);
      await call('pairing.revoke', { origin });
      devnet.payTo(String(address), { pool: 'sapling', zatoshi: 123_456_789, memo: 'afterwards' });
      await call('sync.run');
      t.true(await page.evaluate<boolean>('globalThis.ended'));
      const heard = await page.evaluate<string[]>('globalThis.heard');
      t.false(/123456789|afterwards|note\.received/.test(heard.join('')));
      const after = await page.evaluate<[number, string][]>(TRY(service.url, requests));
      t.true(after.every(([status], at) => status === 0 || requests[at]!.name === 'pairing.request'));
    },
  );
}
