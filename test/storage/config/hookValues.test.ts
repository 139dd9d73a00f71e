// What `on_event` may hold: each entry either a program or an address, and addresses that are in clear on this machine only.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import type { HookSetting } from '../../../src/protocol/hookEvents.ts';
import { openConfigFile } from '../../../src/storage/config/configFile.ts';
import { CONFIG_SCHEMAS } from '../../../src/storage/config/configValues.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';

const accepts = (hooks: unknown): boolean => CONFIG_SCHEMAS.on_event.safeParse(hooks).success;
const WEB = { name: 'a', events: ['change'], url: 'https://shop.example/x?y=1', secret_file: '/k' };
const PROGRAM = { name: 'b', events: ['wallet.locked', 'change.spent'], command: ['/bin/x', '', '$(y)'] };

test('a program or an address', (t) => {
  t.true(accepts([]));
  t.true(accepts([WEB, { ...PROGRAM, wallets: ['default', 'savings'] }]));
  for (const wrong of [
    { ...WEB, command: ['/bin/x'] },
    { ...WEB, url: undefined },
    { ...WEB, secret_file: undefined },
    { ...WEB, secret_file: 'k' },
    { ...WEB, secret: 'inline' },
    { ...PROGRAM, secret_file: '/k' },
    { ...PROGRAM, command: [] },
    { ...PROGRAM, command: '/bin/x' },
    { ...PROGRAM, command: ['x'] },
    { ...PROGRAM, command: ['./x'] },
    { ...PROGRAM, command: ['~/x'] },
    { ...PROGRAM, command: ['/bin/x', 'a\0b'] },
    { ...PROGRAM, command: ['/bin/x', 'a'.repeat(5000)] },
    { ...PROGRAM, command: Array.from({ length: 65 }, () => '/x') },
    { ...PROGRAM, name: '' },
    { ...PROGRAM, name: '../x' },
    { ...PROGRAM, name: 'a'.repeat(65) },
    { ...PROGRAM, events: [] },
    { ...PROGRAM, events: ['sync.progress'] },
    { ...PROGRAM, shell: true },
    { ...PROGRAM, wallets: [] },
    { ...PROGRAM, wallets: 'savings' },
    { ...PROGRAM, wallets: ['savings', 'savings'] },
    { ...PROGRAM, wallets: ['../savings'] },
    { ...PROGRAM, wallets: ['Savings'] },
  ])
    t.false(accepts([wrong]), JSON.stringify(wrong));
  t.false(accepts([WEB, { ...PROGRAM, name: WEB.name }]), 'names are told apart by');
  t.false(accepts(Array.from({ length: 17 }, (_, i) => ({ ...WEB, name: `h${i}` }))));
});

test('an address in clear is on this machine by its text', (t) => {
  for (const url of [
    'http://127.0.0.1/',
    'http://127.8.0.1:1/',
    'http://[::1]:8/x',
    'http://localhost:8',
    'https://a',
  ])
    t.true(accepts([{ ...WEB, url }]), url);
  for (const url of [
    'http://shop.example/',
    'http://localhost.example/',
    'http://127.0.0.1.example/',
    'http://localtest.me/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.0.0.1/',
    'http://127.0.0.1@shop.example/',
    'https://user:pass@shop.example/',
    'https://shop.example/#x',
    'ftp://127.0.0.1/',
    'file:///x',
    'https://a b/',
    'x',
    '',
  ])
    t.false(accepts([{ ...WEB, url }]), url);
});

test('it is taken from an edited file, kept by what is written later, and never quoted when it is wrong', async (t) => {
  const configDir = temporaryFolder(t);
  const file = path.join(configDir, 'config.json');
  const config = openConfigFile({ configDir });
  fs.writeFileSync(file, JSON.stringify({ on_event: [WEB] }));
  t.deepEqual((await config.reload()).on_event, [WEB] as HookSetting[]);
  await config.update({ theme: 'dark' });
  t.deepEqual(JSON.parse(fs.readFileSync(file, 'utf8')).on_event, [WEB]);
  fs.writeFileSync(file, JSON.stringify({ on_event: [{ ...WEB, url: 'http://shop.example/token' }] }));
  const error = await t.throwsAsync(config.reload());
  t.regex(error?.message ?? '', /on_event\.0\.url.*https URL/);
  t.false(error?.message.includes('token'));
  t.deepEqual(config.get().on_event, [WEB] as HookSetting[]);
});
