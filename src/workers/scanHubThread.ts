// Entry of the thread that owns the scan workers. It has no files and no network, and only the keys that scan
// workers have; each wallet thread reaches it by a separate port.

import { type MessagePort, workerData } from 'node:worker_threads';
import { systemAfter } from '@wallet-companion/base/async';
import type { KernelModule } from '@wallet-companion/kernel/kernel';
import { unwrap } from '../protocol/result.ts';
import { Channel, type Methods, move } from './channel.ts';
import { HubMember, ScanHub } from './scanHub.ts';
import { openTaskPool } from './scanPool.ts';
import { buffersOf } from './scanSecrets.ts';
import { starterChannel } from './thread.ts';
import type { ScanHubData, ScanHubMethods, ScanWorkMethods } from './threadMethods.ts';

const { threads } = workerData as ScanHubData;
let kernelChosen!: (module: KernelModule | undefined) => void;
const kernel = new Promise<KernelModule | undefined>((resolve) => {
  kernelChosen = resolve;
});
const hub = new ScanHub({
  threads,
  openPool: () => openTaskPool(threads, kernel),
  after: systemAfter,
});
let wallets = 0;
let isEnding = false;

function serve(port: MessagePort): void {
  const member = new HubMember();
  wallets += 1;
  hub.open();
  port.once('close', () => {
    void hub.forsake(member).finally(() => {
      wallets -= 1;
      endUnlessUsed();
    });
  });
  new Channel<Methods, ScanWorkMethods>({
    port,
    methods: {
      calls: {
        run: async (task) => {
          const answer = unwrap(await hub.run(member, task));
          return move(answer, buffersOf(answer));
        },
        leave: () => hub.leave(member),
      },
    },
  });
}

function endUnlessUsed(): void {
  if (isEnding && wallets === 0) process.exit();
}

starterChannel<Methods, ScanHubMethods>({
  events: {
    connectWallet: serve,
    kernelChosen,
    end: () => {
      isEnding = true;
      endUnlessUsed();
    },
  },
});
