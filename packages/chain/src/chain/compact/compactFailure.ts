// What a failed gRPC call means. Servers differ in their codes: Go ones answer nearly everything with UNKNOWN.

import { status } from '@grpc/grpc-js';
import { proxyFault } from '@wallet-companion/base/proxy';
import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import { Overloaded, overloadError, proxyAway } from '../source/callFailures.ts';
import { meansKnown } from '../source/sending.ts';
import { GrpcFailure, tooLarge } from './compactConnection.ts';

/** The server sent blocks of two branches: a reorg under way, or its cache is behind. A later request helps. */
export class ChainMoved extends CompanionError {}

export const chainMoved = (host: string, height: Height): ChainMoved =>
  new ChainMoved(
    'COMPACT_SERVER_BAD_RESPONSE',
    `The compact server at ${host} gave a block ${height} that does not follow the one before it; its chain may be changing.`,
  );

/** Blocks that cannot be right: parts are left out, or sizes are wrong. They are not kept; one more request may help. */
export class UnfitBlocks extends CompanionError {}

/** `who` sent them: "The compact server at ...", or the store where no server is known. */
export const unfitBlocks = (who: string, what: string): UnfitBlocks =>
  new UnfitBlocks('COMPACT_SERVER_BAD_RESPONSE', `${who} ${what}.`);

export const serverAt = (host: string): string => `The compact server at ${host}`;

export const badAnswer = (host: string, what: string): CompanionError =>
  new CompanionError('COMPACT_SERVER_BAD_RESPONSE', `${serverAt(host)} ${what}.`);

export const noAnswer = (host: string): CompanionError =>
  new CompanionError('UPSTREAM_TIMEOUT', `The compact server at ${host} did not answer in time.`);

/**
 * Failures that are often temporary: a server that restarts, repairs a reorg, is at the limit of its streams, is behind a
 * proxy that resets long streams, or whose blocks are behind the tip that it announced.
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

/** The server answered that it does not have the requested object. */
export function isNotFound(thrown: unknown): boolean {
  if (!(thrown instanceof GrpcFailure)) return false;
  if (thrown.code === status.NOT_FOUND || thrown.code === status.OUT_OF_RANGE) return true;
  // zainod has its node's code between its own words.
  if (thrown.code === status.INTERNAL) return /\bcode: -5\b/.test(thrown.text);
  // lightwalletd passes its node's words on: -5 for an unknown transaction, "newer than latest block" for a height.
  return thrown.code === status.UNKNOWN && /^-5\b|not found|no information|newer than/i.test(thrown.text);
}

/**
 * The node behind the server answered that it does not know the transaction. lightwalletd returns NOT_FOUND for every
 * failure of its node, with the node's code where it has one.
 */
export const isUnknownTransaction = (thrown: unknown): boolean =>
  thrown instanceof GrpcFailure && isNotFound(thrown) && !/ failed: (?!-5\b)/.test(thrown.text);

/** What zainod puts before the words of its node on a transaction that the node does not take. */
const REFUSED_BY_NODE = /(?:rejected by validator|malformed transaction): (.*)/s;

/**
 * The node's words, where the node behind the server refused a sent transaction and the server failed with that. Of one that
 * the node has in its mempool, zainod says that the node cannot be reached.
 */
export function nodesRefusal(thrown: unknown): string | undefined {
  if (!(thrown instanceof GrpcFailure) || thrown.code !== status.INTERNAL) return undefined;
  return meansKnown(thrown.text) ? thrown.text : REFUSED_BY_NODE.exec(thrown.text)?.[1];
}

/** The server cannot be asked now; its earlier answers may still be used. */
export const isAway = (thrown: unknown): thrown is CompanionError =>
  thrown instanceof CompanionError &&
  (thrown instanceof Overloaded ||
    thrown.code === 'COMPACT_SERVER_UNREACHABLE' ||
    thrown.code === 'UPSTREAM_TIMEOUT');

/** gRPC's words for a failed connection, and the fixed words that replace them, also when a server sends the same. */
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
  const known = proxyFault(text)?.words ?? REASONS.find(([pattern]) => pattern.test(text))?.[1];
  return known === undefined ? '' : ` (${known})`;
}

/** The HTTP status behind a failure, in gRPC's own words, or the one that its status stands for; 0: none. */
const httpStatusOf = ({ code, text }: GrpcFailure): number =>
  code === status.RESOURCE_EXHAUSTED
    ? 429
    : Number(/^Received HTTP status code (\d{3})$/.exec(text)?.[1] ?? 0);

/** The failure with a code of the taxonomy; any other error than a gRPC failure stays as it is. */
export function compactServerError(host: string, thrown: unknown): unknown {
  if (!(thrown instanceof GrpcFailure)) return thrown;
  if (thrown.isTooLarge) return tooLarge(host);
  const refusal = overloadError(serverAt(host), httpStatusOf(thrown), { 'retry-after': thrown.retryAfter });
  if (refusal !== undefined) return refusal;
  const proxy = thrown.code === status.UNAVAILABLE ? proxyFault(thrown.text) : undefined;
  if (proxy?.isOfProxy === true) return proxyAway('COMPACT_SERVER_UNREACHABLE', serverAt(host), proxy.words);
  switch (thrown.code) {
    case status.UNAVAILABLE:
    // Not cancelled here: code that cancels expects the end. A server that shuts down ends its streams so.
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
