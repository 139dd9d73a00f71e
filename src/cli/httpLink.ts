// The link through a running companion's HTTP front. It uses node:http, not fetch: fetch times out after five minutes,
// and a sync may take longer.

import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { checkedWallet, pathInWallet, requestTo, tryProblem } from '@wallet-companion/client/contract';
import { CompanionError } from '../protocol/errors.ts';
import type { Dispatcher } from '../protocol/link.ts';
import {
  type CallContext,
  isOfWallet,
  type OperationName,
  type Output,
  operations,
  parseInput,
} from '../protocol/operations.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import { whileItLives } from './signOfLife.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterSeconds: number | undefined;
}

/** `base` is the companion's URL, `token` that of a grant. Failures to reach it are `COMPANION_UNREACHABLE`. */
export function httpLink(base: string, token?: string): Dispatcher {
  const companion = parseBase(base);
  return {
    async dispatch<N extends OperationName>(
      name: N,
      input: unknown,
      { requestId, wallet }: CallContext,
    ): Promise<Result<Output<N>>> {
      const ending = new AbortController();
      try {
        const { signal } = ending;
        const sent = { requestId, wallet: checkedWallet(wallet), token, signal };
        const answer = await whileItLives(
          `The companion at ${companion.origin}`,
          send(companion, name, parseInput(name, input), sent),
          () => askHealth(companion, signal),
        );
        if (answer.status === (operations[name].http.status ?? 200)) return ok(answer.body as Output<N>);
        throw tryProblem(answer.body, answer.retryAfterSeconds) ?? notACompanion(companion);
      } catch (thrown) {
        return failure(thrown);
      } finally {
        ending.abort();
      }
    },
  };
}

/** Throws `INVALID_URL`. */
export function parseBase(text: string): URL {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.search !== '' || url.hash !== '') {
    throw new CompanionError('INVALID_URL', 'Give the companion as --url http://127.0.0.1:PORT.', {
      errors: [{ path: 'url', message: 'must be an http or https URL' }],
    });
  }
  return url;
}

export const notACompanion = (companion: URL): CompanionError =>
  new CompanionError('COMPANION_UNREACHABLE', `What answers at ${companion.origin} is not a companion.`);

export const noAnswer = (companion: URL, cause: unknown): CompanionError =>
  new CompanionError(
    'COMPANION_UNREACHABLE',
    `No companion answers at ${companion.origin}. Start one with "wallet-companion serve", or leave --url out.`,
    { cause },
  );

interface Sent {
  readonly requestId: string;
  readonly wallet: string | undefined;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/** RFC 6750. */
export const authorization = (token: string | undefined): { readonly authorization?: string } =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

function send(
  companion: URL,
  name: OperationName,
  input: object,
  { requestId, wallet, token, signal }: Sent,
): Promise<Answer> {
  const { method, path: route } = operations[name].http;
  const { target, body } = requestTo(
    method,
    pathInWallet(route, isOfWallet(name) ? wallet : undefined),
    input,
  );
  const url = urlAt(companion, target);
  const headers = {
    accept: 'application/json, application/problem+json',
    'x-request-id': requestId,
    ...authorization(token),
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  };
  const open = openerOf(url);
  return new Promise((resolve, reject) => {
    // One connection for each call: an idle connection would keep the process alive.
    const outgoing = open(url, { method, headers, agent: false, signal }, (incoming) => {
      readAnswer(incoming).then(
        (answer) => (answer === undefined ? reject(notACompanion(companion)) : resolve(answer)),
        (cause: unknown) => reject(noAnswer(companion, cause)),
      );
    });
    outgoing.on('error', (cause) => reject(noAnswer(companion, cause)));
    outgoing.end(body);
  });
}

const urlAt = (companion: URL, target: string): URL =>
  new URL(`${companion.pathname.replace(/\/$/, '')}${target}`, companion);

const openerOf = (url: URL) => (url.protocol === 'https:' ? requestHttps : requestHttp);

/** Any answer is one, a proxy's as well. */
function askHealth(companion: URL, signal: AbortSignal): Promise<void> {
  const url = urlAt(companion, '/healthz');
  return new Promise((resolve, reject) => {
    const outgoing = openerOf(url)(url, { agent: false, signal }, (incoming) => {
      incoming.on('error', () => undefined).resume();
      resolve();
    });
    outgoing.on('error', reject).end();
  });
}

/** The failure in an answer; undefined when it is not a companion's problem document. */
export async function problemIn(incoming: IncomingMessage): Promise<CompanionError | undefined> {
  const answer = await readAnswer(incoming);
  return answer === undefined ? undefined : tryProblem(answer.body, answer.retryAfterSeconds);
}

async function readAnswer(incoming: IncomingMessage): Promise<Answer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const retryAfter = Number(incoming.headers['retry-after'] ?? Number.NaN);
  try {
    return {
      status: incoming.statusCode ?? 0,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    };
  } catch {
    return undefined;
  }
}
