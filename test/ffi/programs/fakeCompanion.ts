// Stands in for `wallet-companion serve`: notes how it was started, and serves examples on the data directory's socket.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { socketPath } from '../../../src/ipc/socketPath.ts';
import { serveSocket } from '../../../src/ipc/socketServer.ts';
import { FakeLink } from '../../helpers/fakeLink.ts';

const words = process.argv.slice(2);
const dataDir = words[words.indexOf('--data-dir') + 1] ?? '';
writeFileSync(path.join(dataDir, 'arguments'), JSON.stringify(words));
writeFileSync(path.join(dataDir, 'pid'), String(process.pid));
await serveSocket({ link: new FakeLink(), path: socketPath(dataDir), requestId: () => 'started' });
