// What a failed gRPC call means to us. Servers differ in their codes: Go ones answer nearly everything with UNKNOWN.

import { status } from '@grpc/grpc-js';
import type { Height } from '@wallet-companion/shielded/values';
import { CompanionError } from '../../../protocol/errors.ts';
import { GrpcFailure } from './compactConnection.ts';

/** The server gave blocks of two branches: a reorg under way, or its cache lags behind. Asking again later helps. */
export class ChainMoved extends CompanionError {}

export const chainMoved = (host: string, height: Height): ChainMoved =>
  new ChainMoved(
    'COMPACT_SERVER_BAD_RESPONSE',
    `The compact server at ${host} gave a block ${height} that does not follow the one before it; its chain may be changing.`,
  );

/**
 * Blocks that cannot be right: parts are left out, or sizes are wrong. They are not kept; asking once more may help.
 */
export class UnfitBlocks extends CompanionError {}

/** `who` gave them: "The compact server at ...", or the store where nobody is known. */
export const unfitBlocks = (who: string, what: string): UnfitBlocks =>
  new UnfitBlocks('COMPACT_SERVER_BAD_RESPONSE', `${who} ${what}.`);

export const serverAt = (host: string): string => `The compact server at ${host}`;

export const badAnswer = (host: string, what: string): CompanionError =>
  new CompanionError('COMPACT_SERVER_BAD_RESPONSE', `${serverAt(host)} ${what}.`);

export const noAnswer = (host: string): CompanionError =>
  new CompanionError('UPSTREAM_TIMEOUT', `The compact server at ${host} did not answer in time.`);

/**
 * Failures that often pass by themselves: a server restarting, repairing a reorg, at the limit of its streams, behind a
 * proxy that resets long streams, or whose blocks lag behind the tip that it announced.
 */
export function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof GrpcFailure)) return thrown instanceof ChainMoved;
  return (
    thrown.code === status.ABORTED ||
    thrown.code === status.UNAVAILABLE ||
    thrown.code === status.CANCELLED ||
    thrown.code === status.UNKNOWN ||
    thrown.code === status.INTERNAL ||
    thrown.code === status.NOT_FOUND ||
    thrown.code === status.OUT_OF_RANGE ||
    thrown.code === status.RESOURCE_EXHAUSTED
  );
}

/** The server answered that it does not have what was asked for. */
export function isNotFound(thrown: unknown): boolean {
  if (!(thrown instanceof GrpcFailure)) return false;
  if (thrown.code === status.NOT_FOUND || thrown.code === status.OUT_OF_RANGE) return true;
  // lightwalletd passes its node's words on: -5 for an unknown transaction, "newer than latest block" for a height.
  return thrown.code === status.UNKNOWN && /^-5\b|not found|no information|newer than/i.test(thrown.text);
}

/**
 * The node behind the server answered that it does not know the transaction. lightwalletd says NOT_FOUND of every failure
 * of its node, with the node's code where it has one.
 */
export const isUnknownTransaction = (thrown: unknown): boolean =>
  thrown instanceof GrpcFailure && isNotFound(thrown) && !/ failed: (?!-5\b)/.test(thrown.text);

/** The server cannot be asked now; what it said before may still be used. */
export const isAway = (thrown: unknown): thrown is CompanionError =>
  thrown instanceof CompanionError &&
  (thrown.code === 'COMPACT_SERVER_UNREACHABLE' || thrown.code === 'UPSTREAM_TIMEOUT');

/** What gRPC says of a connection that failed, in our words. A server that says so itself gets the same fixed words. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'connection refused'],
  [/name resolution failed/i, 'the host name cannot be looked up'],
  [/certificate has expired/i, 'its TLS certificate has expired'],
  [/altnames/i, 'its TLS certificate is for another host'],
  [/certificate/i, 'its TLS certificate is not trusted'],
  [/wrong version number|packet length too long/i, 'it does not speak TLS'],
  [/protocol error/i, 'it does not speak HTTP/2'],
];

function reason(text: string): string {
  const known = REASONS.find(([pattern]) => pattern.test(text));
  return known === undefined ? '' : ` (${known[1]})`;
}

/** The failure as one of our codes; whatever is no gRPC failure stays what it is. */
export function compactServerError(host: string, thrown: unknown): unknown {
  if (!(thrown instanceof GrpcFailure)) return thrown;
  switch (thrown.code) {
    case status.UNAVAILABLE:
    // Not by us: whoever cancels knows it. A server that shuts down ends its streams so.
    case status.CANCELLED:
      return new CompanionError(
        'COMPACT_SERVER_UNREACHABLE',
        `The compact server at ${host} cannot be reached${reason(thrown.text)}; check that it runs, that compact_server_url is right, and whether it wants https.`,
      );
    case status.DEADLINE_EXCEEDED:
      return noAnswer(host);
    case status.UNIMPLEMENTED:
      return badAnswer(host, 'does not offer a call that is needed; is it a compact-block server?');
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
      return badAnswer(host, 'refuses to serve this client');
    default:
      if (isNotFound(thrown)) return badAnswer(host, 'does not have what was asked for (any more)');
      return badAnswer(
        host,
        `failed with gRPC status ${thrown.code} (${status[thrown.code] ?? 'not defined'})`,
      );
  }
}
