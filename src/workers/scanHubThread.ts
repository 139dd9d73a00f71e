// Entry of the thread that owns the shared scan workers. It has no files and no network, and only the keys that scan
// workers have; each wallet thread reaches it by a separate port.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemAfter } from '@wallet-companion/shielded/async';
import { ok, type Result } from '../protocol/result.ts';
import { serveMailbox } from './mailbox.ts';
import { HubMember, ScanHub } from './scanHub.ts';
import { openTaskPool } from './scanPool.ts';
import { buffersOf } from './scanSecrets.ts';
import type { ScanAnswer, WalletTask } from './scanTask.ts';
import { LEAVE, type ScanHubData, type ToScanHub } from './threadMessages.ts';

const { threads, kernel } = workerData as ScanHubData;
const hub = new ScanHub({
  threads,
  openPool: () => openTaskPool(threads, Promise.resolve(kernel.module)),
  after: systemAfter,
});
let wallets = 0;
let isEnding = false;

function serve(port: MessagePort): void {
  const member = new HubMember();
  wallets += 1;
  port.once('close', () => {
    void hub.forsake(member).finally(() => {
      wallets -= 1;
      endUnlessUsed();
    });
  });
  serveMailbox(
    port,
    async (message) => {
      if (message !== LEAVE) return hub.run(member, message as WalletTask);
      await hub.leave(member);
      return ok(null);
    },
    (result: Result<unknown>) =>
      result.ok && result.value !== null ? buffersOf(result.value as ScanAnswer) : [],
  );
}

function endUnlessUsed(): void {
  if (isEnding && wallets === 0) process.exit();
}

parentPort?.on('message', (message: ToScanHub) => {
  if (message.kind === 'wallet') serve(message.port);
  else isEnding = true;
  endUnlessUsed();
});
