// Records the files of today's versions that are not recorded yet. Run from the repository's root.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeFiles, packed, RECORDED_KINDS, recordedName } from './contents.ts';

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'wallet-companion-record-'));
try {
  await makeFiles(folder);
  for (const recorded of RECORDED_KINDS) {
    const name = recordedName(recorded, recorded.latest);
    if (fs.existsSync(name)) continue;
    fs.writeFileSync(name, packed(name, fs.readFileSync(path.join(folder, recorded.file))));
    console.log(name);
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
