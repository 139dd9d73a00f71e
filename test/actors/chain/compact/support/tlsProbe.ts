// Run as a process of its own by tls.full.test.ts, because trusted certificates are set when a process starts: asks the node
// and the compact server of argv for their tips and prints heights or error codes.

import { MAIN } from '@wallet-companion/zcash/network';
import { toErrorRecord } from '../../../../../src/protocol/errors.ts';
import { openPatientCompact, openPatientNode } from '../../../../helpers/waits.ts';

const [, , nodeUrl = '', compactUrl = ''] = process.argv;
const sources = [
  openPatientNode({ url: nodeUrl, cookieFile: null }, MAIN),
  openPatientCompact(compactUrl, MAIN),
];
const answers: unknown[] = [];
for (const source of sources) {
  try {
    answers.push((await source.tip()).height);
  } catch (error) {
    answers.push(toErrorRecord(error).code);
  }
  source.close();
}
console.log(JSON.stringify(answers));
