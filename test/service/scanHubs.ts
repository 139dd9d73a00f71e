// Tells the threads that own scan workers from those of wallets and chain: they get ports of wallets, the first right after
// their start and before Node reports them.
import { MessagePort, Worker } from 'node:worker_threads';
import { requestOf } from '../../src/workers/channelForms.ts';

const hubs = new WeakSet<Worker>();
const { postMessage } = Worker.prototype;

Worker.prototype.postMessage = function (this: Worker, message, ...moved) {
  const request = requestOf(message);
  if (request?.method === 'connectWallet' && request.argument instanceof MessagePort) hubs.add(this);
  postMessage.call(this, message, ...(moved as []));
};

export const isScanHub = (worker: Worker): boolean => hubs.has(worker);
