// The other end of a connection, which says what a test wants.
import { duplexPair } from 'node:stream';
import {
  asciiBytes,
  concatBytes,
  encodeCompactSize,
  u32ToLeBytes,
  u64ToLeBytes,
} from '@wallet-companion/base/bytes';
import { type Frame, FrameReader, frameBytes, LONGEST_BODY } from '../../src/chain/peers/frames.ts';
import { MAGIC, PROTOCOL_VERSION, type Version } from '../../src/chain/peers/messages.ts';
import { PeerConnection, type PeerOptions } from '../../src/chain/peers/peerConnection.ts';

export const EMPTY = new Uint8Array();
export const NONCE = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);

export const HONEST: Version = {
  version: PROTOCOL_VERSION,
  services: 1n,
  nonce: Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1),
  agent: '/Zebra:7.0.0/',
  startHeight: 100,
};

/** As a node writes it, addresses and time included. */
export const greeting = ({ version, services, nonce, agent, startHeight }: Version): Frame => ({
  command: 'version',
  body: concatBytes(
    u32ToLeBytes(version),
    u64ToLeBytes(services),
    u64ToLeBytes(1_800_000_001n),
    new Uint8Array(52).fill(9),
    nonce,
    encodeCompactSize(agent.length),
    asciiBytes(agent),
    u32ToLeBytes(startHeight),
    Uint8Array.of(1),
  ),
});

/** What one message is answered with. */
export type Script = (frame: Frame) => readonly (Frame | Uint8Array)[];

const shakesHands =
  (version: Version): Script =>
  ({ command, body }) => {
    if (command === 'version') return [greeting(version), { command: 'verack', body: EMPTY }];
    return command === 'ping' ? [{ command: 'pong', body }] : [];
  };

interface Timer {
  readonly ms: number;
  readonly strike: () => void;
}

/** A peer with a script, which shakes hands where that does not answer. `pieces`: bytes that arrive at once. */
export function scriptedPeer(script: Script = () => [], version = HONEST, pieces = 1_000_000) {
  const [ours, theirs] = duplexPair();
  const received: Frame[] = [];
  const timers = new Set<Timer>();
  const magic = MAGIC.regtest;
  const reader = new FrameReader(magic);
  reader.limit = LONGEST_BODY;
  const say = (...frames: readonly (Frame | Uint8Array)[]): void => {
    for (const one of frames) {
      const bytes = one instanceof Uint8Array ? one : frameBytes(magic, one);
      for (let at = 0; at < bytes.length; at += pieces) theirs.write(bytes.slice(at, at + pieces));
    }
  };
  theirs.on('data', (chunk: Uint8Array) => {
    for (const frame of reader.push(chunk)) {
      received.push(frame);
      const answer = script(frame);
      say(...(answer.length > 0 ? answer : shakesHands(version)(frame)));
    }
  });
  theirs.on('error', () => undefined);
  const options: PeerOptions = {
    magic,
    agent: '/x/',
    startHeight: 0,
    nonce: NONCE,
    now: () => 1_800_000_123_456,
    after: (ms, strike) => {
      const timer = { ms, strike };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  return {
    received,
    say,
    ours,
    theirs,
    open: (overrides: Partial<PeerOptions> = {}) => PeerConnection.open(ours, { ...options, ...overrides }),
    /** Strikes the timers of this length. */
    pass: (ms: number) => {
      for (const timer of [...timers]) if (timer.ms === ms && timers.delete(timer)) timer.strike();
    },
    timers,
  };
}
