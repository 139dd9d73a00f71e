// Everything a wallet leaves on disk, searched for everything that must not be there.

import fs from 'node:fs';
import path from 'node:path';
import { acquireDirectoryLock } from '@wallet-companion/disk/lock';
import { contentsOf, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import { createCompactStores } from '../../src/storage/blocks/compactStores.ts';
import { openConfigFile } from '../../src/storage/config/configFile.ts';
import { chain, place } from './blocks/support/compact.ts';
import {
  block,
  kept,
  note,
  noteDatabases,
  sentOutput,
  state,
  transaction,
} from './notes/support/noteDatabase.ts';
import {
  BOOK,
  bytes,
  cheapWalletFile,
  HEADER,
  MNEMONIC,
  NOTHING_ELSE,
  PASSPHRASE,
  PASSWORD,
  secrets,
} from './wallet/support/wallet.ts';

test('no phrase, key, password, address, memo or txid of ours stands in any file, at work or at rest', async (t) => {
  const folder = temporaryFolder(t);
  const lock = await acquireDirectoryLock(folder);
  const wallet = cheapWalletFile(folder);
  const { masterKey: first } = await wallet.create(HEADER, secrets(), BOOK, PASSWORD);
  await wallet.replaceBook(first, BOOK);
  const masterKey = await wallet.changePassword(PASSWORD, bytes('the second password'), NOTHING_ELSE);
  await openConfigFile({ configDir: folder }).update({ last_scan_height: 7 });
  const stores = createCompactStores();
  stores.open(undefined, place(folder)).put(chain({ start: 1, end: 50 }));
  const noteStore = noteDatabases(folder).open(masterKey);
  const notes = Array.from({ length: 20 }, (_, i) => note(i));
  noteStore.commit({
    state: state(140),
    putNotes: notes.map((entry) => ({
      ...entry,
      spent: { txid: transaction(77).txid, height: 139, txIndex: 1 },
    })),
    putSentOutputs: [sentOutput(1)],
    putTransactions: [transaction(77)],
    putBlocks: [block(140)],
    sightings: [kept(1, 140)],
  });

  const texts = [
    ...MNEMONIC.split(' ').map((word, i, all) => `${word} ${all[i + 1] ?? 'legal'}`),
    PASSPHRASE,
  ];
  texts.push('second password', 'uview1', '309485009821345068724781055', 'memo 1', 'recipient', 'external');
  const hexes = [...notes, sentOutput(1), transaction(77)].flatMap((entry) => [
    entry.txid,
    ...('nullifier' in entry && entry.nullifier !== null ? [entry.nullifier] : []),
  ]);
  const needles = [
    Buffer.from(masterKey),
    Buffer.from(PASSWORD),
    ...texts.map((text) => Buffer.from(text)),
    ...hexes.flatMap((hex) => [
      Buffer.from(hex),
      Buffer.from(hex, 'hex'),
      Buffer.from(Buffer.from(hex, 'hex')).reverse(),
      Buffer.from(Buffer.from(hex, 'hex').toString('base64').slice(0, 40)),
    ]),
  ];
  const search = (): void => {
    for (const [name, contents] of contentsOf(folder)) {
      for (const needle of needles) t.is(contents.indexOf(needle), -1, `${name} holds ${needle.toString()}`);
    }
  };
  search();
  noteStore.close();
  stores.close();
  search();
  t.true(fs.existsSync(path.join(folder, 'ledger.db')));
  if (lock.state === 'acquired') lock.release();
});
