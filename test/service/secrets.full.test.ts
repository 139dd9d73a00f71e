// One wallet is led through everything that handles a secret, successes and failures; then every file, every log line
// and every error body is searched for what must not be there.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { parseUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { fromDisplayHex } from '@wallet-companion/zcash/identifiers';
import { incomingKeys, mnemonicToSeed } from '@wallet-companion/zcash/keys';
import { MAIN } from '@wallet-companion/zcash/network';
import test from 'ava';
import { LEDGER_FILE } from '../../src/storage/files/dataFiles.ts';
import { readKnownSeed, startKnownSeedNode } from '../helpers/knownSeed.ts';
import { type Answer, startService } from '../helpers/service.ts';

const seed = readKnownSeed('main');
const PASSWORD = 'Zażółć gęślą jaźń 7391';
const NEW_PASSWORD = 'another Pässwörd 5528';
const WRONG = 'mistyped-password-1177';
const PASSPHRASE = 'twenty-fifth-word-6402';

/** A secret by name, in each form in which it might be written down. */
function secretForms(): ReadonlyMap<string, readonly Buffer[]> {
  const bytes = (value: Uint8Array) => [
    Buffer.from(value),
    Buffer.from(bytesToHex(value)),
    Buffer.from(Buffer.from(value).toString('base64')),
    Buffer.from(JSON.stringify([...value]).slice(1, -1)),
  ];
  const text = (value: string) => [Buffer.from(value), Buffer.from(JSON.stringify(value).slice(1, -1))];
  const words = seed.mnemonic.split(' ');
  const forms = new Map<string, readonly Buffer[]>([
    ['phrase', text(seed.mnemonic)],
    ['part of the phrase', text(words.slice(3, 7).join(' '))],
    ['seed', bytes(mnemonicToSeed(seed.mnemonic, ''))],
    ['password', text(PASSWORD)],
    ['password in NFD', text(PASSWORD.normalize('NFD'))],
    ['new password', text(NEW_PASSWORD)],
    ['wrong password', text(WRONG)],
    ['passphrase', text(PASSPHRASE)],
  ]);
  for (const [index, { ufvk, defaultAddress, shieldedAddress, saplingAddress }] of seed.accounts.entries()) {
    const keys = parseUnifiedViewingKey(ufvk, MAIN);
    forms.set(`viewing key ${index}`, text(ufvk));
    forms.set(`addresses ${index}`, [defaultAddress, shieldedAddress, saplingAddress].flatMap(text));
    for (const [pool, key] of Object.entries({ sapling: keys.sapling, orchard: keys.orchard })) {
      if (key === undefined) continue;
      // 32-byte parts: ak, nk, ovk, dk and ak, nk, rivk.
      for (let offset = 0; offset < key.length; offset += 32) {
        forms.set(`${pool} key ${index} at ${offset}`, bytes(key.slice(offset, offset + 32)));
      }
    }
    for (const key of incomingKeys(keys, index)) {
      forms.set(`${key.protocol} ${key.scope} ivk ${index}`, bytes(key.ivk));
      if (key.nk !== undefined) forms.set(`${key.protocol} ${key.scope} nk ${index}`, bytes(key.nk));
    }
  }
  return forms;
}

/** What is ours on the chain: sealed at rest, and shown by sensitive answers alone. */
function ownForms(): ReadonlyMap<string, readonly Buffer[]> {
  const forms = new Map<string, readonly Buffer[]>();
  const both = (hex: string) => [Buffer.from(hex), Buffer.from(fromDisplayHex(hex)), Buffer.from(hex, 'hex')];
  for (const note of seed.main.notes) {
    forms.set(`txid ${note.txid}`, both(note.txid));
    forms.set(`nullifier ${note.nullifier}`, both(note.nullifier));
    if (note.memoText !== null && note.memoText.length > 6)
      forms.set(`memo ${note.memoText}`, [Buffer.from(note.memoText)]);
  }
  return forms;
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(file);
    else if (entry.isFile()) yield file;
  }
}

test('no file, log line or error contains a secret, or what is ours on the chain', async (t) => {
  const node = await startKnownSeedNode(seed);
  const service = await startService(t, {
    // The most that it says.
    config: { network: 'main', node_url: node.url, log_level: 'debug' },
  });
  t.teardown(async () => {
    await service.stop();
    await node.stop();
    service.remove();
  });
  const errors: Answer[] = [];
  const refused = async (status: number, answer: Promise<Answer>): Promise<void> => {
    const given = await answer;
    t.is(given.status, status, JSON.stringify(given.body));
    errors.push(given);
  };
  const done = async (answer: Promise<Answer>): Promise<void> => {
    const { status, body } = await answer;
    t.is(status, 200, JSON.stringify(body));
  };
  /** The wait after a wrong password: asks until it is over, as a client does. */
  const patiently = async (route: string, body: object): Promise<void> => {
    let answer = await service.post(route, body);
    while (answer.status === 429) answer = await service.post(route, body);
    t.is(answer.status, 200);
  };
  const restore = { mnemonic: seed.mnemonic, password: PASSWORD, birthday_height: seed.firstHeight };

  // Secrets in every wrong place.
  await refused(400, service.post('/api/wallet/restore', { ...restore, mnemonic: `${seed.mnemonic} zoo` }));
  await refused(400, service.post('/api/wallet/restore', { ...restore, [seed.mnemonic]: 1 }).then(hideNames));
  await refused(400, service.post('/api/wallet/restore', { ...restore, birthday_height: PASSWORD }));
  await refused(400, service.post('/api/wallet/restore', { ...restore, password: [PASSWORD] }));
  await refused(400, service.post('/api/config/theme', { theme: PASSWORD }));
  await refused(400, service.post('/api/config/node-url', { url: `http://user:${PASSPHRASE}@127.0.0.1/` }));
  await refused(404, service.post('/api/sync', { password: PASSWORD }));

  await done(service.post('/api/wallet/restore', restore));
  await refused(409, service.post('/api/wallet/restore', { ...restore, bip39_passphrase: PASSPHRASE }));
  await refused(409, service.post('/api/wallet/create', { password: WRONG }));
  await done(service.post('/api/accounts', { password: PASSWORD }));
  await done(service.post('/api/sync', { password: PASSWORD }));
  await done(service.get('/api/notes'));
  await done(service.get('/api/transactions'));
  await done(service.post('/api/address'));
  await done(service.post('/api/viewing-key', { password: PASSWORD.normalize('NFD') }));
  await done(service.post('/api/wallet/backup', { password: PASSWORD }));
  await refused(404, service.post('/api/viewing-key', { password: PASSWORD, account: 9 }));
  let hasty: Answer;
  do {
    for (let free = 0; free < 3; free++) {
      await refused(401, service.post('/api/wallet/unlock', { password: WRONG }));
    }
    hasty = await service.post('/api/wallet/unlock', { password: PASSWORD });
    // On a machine that stood still for a second it was not hasty: again.
  } while (hasty.status === 200);
  await refused(429, Promise.resolve(hasty));
  await patiently('/api/wallet/change-password', { password: PASSWORD, new_password: NEW_PASSWORD });
  await done(service.post('/api/wallet/lock'));
  await refused(401, service.post('/api/sync', { password: PASSWORD }));
  await refused(423, service.get('/api/balance'));
  await patiently('/api/wallet/unlock', { password: NEW_PASSWORD });
  node.answer = () => ({ chain: seed.mnemonic, blocks: PASSWORD });
  await refused(502, service.post('/api/sync', {}));

  const secrets = secretForms();
  const own = ownForms();
  const search = (where: string, content: Buffer, sought: ReadonlyMap<string, readonly Buffer[]>): void => {
    for (const [name, forms] of sought)
      t.false(
        forms.some((form) => content.includes(form)),
        `${name} in ${where}`,
      );
  };
  const searchFiles = (when: string): void => {
    const files = [...filesBelow(service.folder)];
    t.true(files.length >= 4, when);
    for (const file of files) {
      const where = `${path.basename(file)} ${when}`;
      t.is(statSync(file).mode & 0o077, 0, where);
      const content = readFileSync(file);
      search(where, content, secrets);
      search(where, content, own);
    }
  };
  searchFiles('while unlocked');
  await service.stop();
  searchFiles('after the end');
  // What lies there in clear is found, so what is sealed would be.
  t.true(
    readFileSync(path.join(service.dataDir, LEDGER_FILE)).includes(
      Buffer.from(fromDisplayHex(seed.main.tip.hash)),
    ),
  );
  const log = Buffer.from(service.output());
  t.true(log.includes('"route":"/api/wallet/restore"'));
  search('the log', log, secrets);
  search('the log', log, own);
  const bodies = Buffer.from(JSON.stringify(errors));
  search('an error', bodies, secrets);
  search('an error', bodies, own);
  t.false(bodies.includes(service.folder), 'a path in an error');
  t.false(/\bat .*\.[jt]s:\d/.test(bodies.toString()), 'a stack in an error');
});

/** An unknown field is named in the answer, to the one who sent it. */
const hideNames = ({ status, body }: Answer): Answer => ({ status, body: { code: body['code'] } });
