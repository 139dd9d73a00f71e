// The script of docs/signers.md as the signer of config.json: it carries the payment to a program that signs files, and back.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemAfter } from '@wallet-companion/base/async';
import anyTest from 'ava';
import { Returns } from '../../../src/actors/wallet/payments/returned.ts';
import { Signing } from '../../../src/actors/wallet/payments/signing.ts';
import { PcztProgram } from '../../../src/service/programs/pcztProgram.ts';
import { paymentBed } from '../../helpers/keptPaymentBed.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { unix } from './fakeProgram.ts';

const test = unix ? anyTest : anyTest.skip;

const built = (file: string): string => JSON.stringify(pathToFileURL(`packages/pczt/dist/${file}`).href);

/** Signs with the keys of the tests, from one file to another. */
const FILE_SIGNER = `#!${process.execPath}
(async () => {
  const fs = require('node:fs');
  const { decodePczt, encodePczt } = await import(${built('src/doors/pczt.js')});
  const { deriveSigningKeys } = await import(${built('src/doors/signer.js')});
  const { withSignatures } = await import(${built('test/helpers/completion.js')});
  const { PARAMS, SEED } = await import(${built('test/helpers/spendingAccount.js')});
  const [from, to] = process.argv.slice(2);
  const random = (length) => new Uint8Array(require('node:crypto').randomBytes(length));
  const { pczt } = withSignatures(decodePczt(fs.readFileSync(from)).pczt, deriveSigningKeys(SEED, PARAMS, 0), random);
  fs.writeFileSync(to, encodePczt(pczt, 2));
  console.log('signed');
})();
`;

test('the script of docs/signers.md has a payment signed, and leaves no file', async (t) => {
  const folder = temporaryFolder(t);
  const [, script] = /```sh\n(#!\/bin\/sh\n[^`]+)```/.exec(fs.readFileSync('docs/signers.md', 'utf8')) ?? [];
  const file = (name: string, text: string, mode: number): string => {
    const at = path.join(folder, name);
    fs.writeFileSync(at, text, { mode });
    return at;
  };
  file('pczt-signer', FILE_SIGNER, 0o755);
  const signer = new PcztProgram('signer', {
    setting: { command: [file('sign-payment', script!, 0o755)], timeout_seconds: 60, max_memory_mb: 1000 },
    settingsFile: file('config.json', '{}', 0o600),
    log: { info: () => undefined, warn: (fields) => t.log(fields) },
    env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder },
    after: systemAfter,
    memoryOf: () => undefined,
  });
  const before = fs.readdirSync(folder);
  const bed = paymentBed();
  bed.environment.signer = { sign: (pczt, stop) => signer.run(pczt, stop) };
  const signing = new Signing(bed.anchoring, new Returns(bed.payments));
  const view = await signing.sign(bed.session, bed.id, () => signing.byProgram(bed.session, bed.id));
  t.true(view.signatures_added > 0);
  t.is(view.missing[0]?.signatures, 0);
  t.deepEqual(fs.readdirSync(folder), before);
});
