// Loaded before the programs that tests start: no deadline of theirs ends what a slow machine is still at. They are the
// real programs, without an option for this, so their timers are stretched from outside. What deadlines do is tested
// where clocks can be handed in. They scan in one thread too: with one for each core a machine with many would spend the
// tests on starting them.
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Shorter ones are pauses, not deadlines: gRPC's before it connects again, for one. */
const SHORTEST_DEADLINE_MS = 3_000;
const STRETCH = 100;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const stretched = (ms: number | undefined): number | undefined =>
  ms === undefined || ms < SHORTEST_DEADLINE_MS ? ms : Math.min(ms * STRETCH, LONGEST_TIMER_MS);

const realSetTimeout = globalThis.setTimeout;
globalThis.setTimeout = Object.assign(
  (callback: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) =>
    realSetTimeout(callback, stretched(ms), ...values),
  { [promisify.custom]: pause, __promisify__: pause },
) as typeof globalThis.setTimeout;
const realTimeout = AbortSignal.timeout;
AbortSignal.timeout = (ms) => realTimeout.call(AbortSignal, stretched(ms) ?? ms);

// Node has timers of its own for requests that do not arrive.
const realListen = net.Server.prototype.listen as (...values: unknown[]) => http.Server;
http.Server.prototype.listen = function (this: http.Server, ...values: unknown[]): http.Server {
  this.headersTimeout = 0;
  this.requestTimeout = 0;
  return realListen.apply(this, values);
} as typeof http.Server.prototype.listen;

os.availableParallelism = () => 1;
syncBuiltinESMExports();
