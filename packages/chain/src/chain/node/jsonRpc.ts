// JSON-RPC 2.0 over HTTP(S) to a chain node that may be dead, slow or hostile: every call has a deadline, every body a
// limit, redirects are not followed, and failures become error codes without any path, cookie or text of the node.

import { open } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { type After, AnswerRoom, systemAfter } from '@wallet-companion/base/async';
import { DIRECT, ProxyError, proxyFault, type Way, type WayTo } from '@wallet-companion/base/proxy';
import { CompanionError } from '@wallet-companion/client/contract';
import { answerTooLarge, onionWithoutProxy, overloadError, proxyAway } from '../source/callFailures.ts';
import { hasTooManyValues, parseObject, readAnswer, SMALL_ANSWER_BYTES } from './answerBody.ts';
import type { AnswerBody } from './keptAnswer.ts';
import { ReusingAgent } from './reusedReads.ts';

/** The node understood the call and refused it. Callers know which codes are answers ("no such block"). */
export class JsonRpcRefusal extends Error {
  override readonly name = 'JsonRpcRefusal';
  readonly method: string;
  readonly code: number;
  /** The node's text: read it, never show it as it is. */
  readonly text: string;

  constructor(method: string, code: number, text: string) {
    super(`the node refused ${method} with code ${code}`);
    this.method = method;
    this.code = code;
    this.text = text;
  }
}

export interface JsonRpcLimits {
  /** Longest silence before and between the bytes of an answer. */
  readonly idleMs: number;
  /** Longest whole call, so that a body that drips for ever ends. */
  readonly totalMs: number;
  /** Limit of the methods with large answers; others get `SMALL_ANSWER_BYTES`. */
  readonly maxResponseBytes: number;
  /** Shared by all callers of nodes: the memory that all answers together may take. */
  readonly room: AnswerRoom;
  readonly maxSockets: number;
  /** The timer of the limits above. */
  readonly after: After;
}

/** A block has at most 2,000,000 bytes, twice that in hex; the txids of a full block take less. 16,000 outputs fit, too. */
const LARGEST_ANSWER_BYTES = 2 * 2_000_000 + SMALL_ANSWER_BYTES;
/** A transaction with its fields in hexadecimal beside the whole: a payment of 330 actions takes 4.2 MB. */
const VERBOSE_FACTOR = 2;
/** As many as one sync requests at a time. */
const LARGE_ANSWERS_AT_ONCE = 8;
const LARGE_ANSWERS: ReadonlySet<string> = new Set([
  'getblock',
  'getrawtransaction',
  'getrawmempool',
  'getaddressutxos',
]);

export const JSON_RPC_LIMITS: JsonRpcLimits = {
  idleMs: 15_000,
  totalMs: 120_000,
  maxResponseBytes: LARGEST_ANSWER_BYTES,
  room: new AnswerRoom(LARGE_ANSWERS_AT_ONCE),
  maxSockets: 12,
  after: systemAfter,
};

export interface JsonRpcEndpoint {
  readonly url: string;
  /** Sent with every call when set. The caller decides whether this host may see it. */
  readonly cookieFile: string | null;
  /** There is a cookie, but this host may not see it. */
  readonly isCookieWithheld?: boolean;
}

interface Post {
  readonly method: string;
  readonly body: string;
  readonly maxBytes: number;
  readonly wantsHex: boolean;
  readonly signal: AbortSignal | undefined;
  /** Whether to send it again where it is unknown if it arrived. */
  readonly mayRepeat: boolean;
}

interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: AnswerBody;
}

export class JsonRpcClient {
  readonly #url: URL;
  readonly #way: Way;
  readonly #cookieFile: string | null;
  readonly #isCookieWithheld: boolean;
  readonly #limits: JsonRpcLimits;
  readonly #agent: http.Agent;
  #authorization: string | undefined;
  /** Whether any call was answered with the present credentials. */
  #answered = false;
  #nextId = 1;
  #receivedBytes = 0;
  #date: number | undefined;

  constructor(endpoint: JsonRpcEndpoint, limits: JsonRpcLimits = JSON_RPC_LIMITS, wayTo: WayTo = DIRECT) {
    this.#url = parseNodeUrl(endpoint.url);
    this.#way = wayTo(this.#url.hostname);
    if (this.#way.kind === 'none') throw onionWithoutProxy();
    this.#cookieFile = endpoint.cookieFile;
    this.#isCookieWithheld = endpoint.isCookieWithheld === true;
    this.#limits = limits;
    const options = { keepAlive: true, maxSockets: limits.maxSockets };
    this.#agent = this.#newAgent(options);
  }

  #newAgent(options: http.AgentOptions): http.Agent {
    const { protocol } = this.#url;
    if (this.#way.kind === 'proxy') return this.#way.route.agent(protocol, options);
    return protocol === 'https:'
      ? new https.Agent({ ...options, rejectUnauthorized: true })
      : new ReusingAgent(options);
  }

  /** `host:port` for messages. */
  get host(): string {
    return this.#url.host;
  }

  /** The `Date` of the newest answer, in milliseconds since 1970; undefined where it had none. */
  get date(): number | undefined {
    return this.#date;
  }

  /** Bytes of answer bodies received so far. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /**
   * The `result` member. Throws `JsonRpcRefusal` when the node answers with an error, `CompanionError`
   * (`NODE_UNREACHABLE`, `NODE_UNAUTHORIZED`, `NODE_BAD_RESPONSE`, `BUSY`, `UPSTREAM_TIMEOUT`) for everything else.
   */
  call(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    return this.#call(method, params, { wantsHex: false, signal, mayRepeat: true });
  }

  /**
   * As `call`, for a result in hexadecimal: returns its bytes as `Uint8Array` where they could be decoded on arrival. Any
   * other result is the `result` member as it is, which the caller must check.
   */
  callForHex(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    return this.#call(method, params, { wantsHex: true, signal, mayRepeat: true });
  }

  /**
   * As `call`, over a new connection, and never repeated when that closes before the answer: the node may have done what
   * was requested. `NODE_UNREACHABLE` then.
   */
  callOnce(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#call(method, params, { wantsHex: false, signal: undefined, mayRepeat: false });
  }

  /** Closes idle and busy connections; open calls fail. */
  close(): void {
    this.#agent.destroy();
  }

  async #call(
    method: string,
    params: readonly unknown[],
    post: Pick<Post, 'wantsHex' | 'signal' | 'mayRepeat'>,
  ): Promise<unknown> {
    const id = this.#nextId++;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const maxBytes = this.#maxBytes(method, params);
    const answer = await this.#authorizedPost({ ...post, method, body, maxBytes });
    return this.#result(id, method, answer);
  }

  #maxBytes(method: string, params: readonly unknown[]): number {
    const { maxResponseBytes } = this.#limits;
    if (method === 'getrawtransaction' && params[1] === 1) return VERBOSE_FACTOR * maxResponseBytes;
    return LARGE_ANSWERS.has(method) ? maxResponseBytes : Math.min(SMALL_ANSWER_BYTES, maxResponseBytes);
  }

  /** The cookie is read before the first call and again after a refusal: the node writes a new one at each start. */
  async #authorizedPost(post: Post): Promise<HttpAnswer> {
    if (this.#cookieFile !== null) this.#authorization ??= await cookieAuthorization(this.#cookieFile);
    const sent = this.#authorization;
    let answer = await this.#post(post, sent);
    if (answer === HUNG_UP && !post.mayRepeat) throw this.#unreachable('connection closed without an answer');
    if (isRefusal(answer) && this.#cookieFile !== null) {
      const fresh = await cookieAuthorization(this.#cookieFile);
      if (fresh !== sent) this.#answered = false;
      this.#authorization = fresh;
      if (fresh !== undefined && fresh !== sent) answer = await this.#post(post, fresh);
    }
    // A node that has already answered with these credentials closes for another reason.
    if (answer === HUNG_UP && this.#answered) throw this.#unreachable('connection closed');
    if (answer === HUNG_UP || isRefusal(answer)) throw this.#unauthorized(answer === HUNG_UP);
    this.#answered = true;
    return answer;
  }

  #unauthorized(hungUp: boolean): CompanionError {
    const what = hungUp ? 'closes connections without an answer, as nodes do that ask' : 'asks';
    const detail = this.#isCookieWithheld
      ? `${what} for credentials; the cookie goes only to an address that config.json or the command line names, on this machine or over https`
      : this.#cookieFile === null
        ? `${what} for credentials; set node_cookie_file to its cookie file`
        : this.#authorization === undefined
          ? `${what} for credentials, and its cookie file cannot be read`
          : `${what} for other credentials than those of the cookie file`;
    return new CompanionError('NODE_UNAUTHORIZED', `The chain node at ${this.host} ${detail}.`);
  }

  /** The node may have closed a kept-alive connection meanwhile: then one more try over a new one. */
  async #post(post: Post, authorization: string | undefined): Promise<HttpAnswer | typeof HUNG_UP> {
    if (!post.mayRepeat) return this.#postOnce(post, authorization, false);
    const answer = await this.#postOnce(post, authorization, this.#agent);
    return answer === HUNG_UP ? this.#postOnce(post, authorization, false) : answer;
  }

  #postOnce(
    { method, body, maxBytes, wantsHex, signal }: Post,
    authorization: string | undefined,
    agent: http.Agent | false,
  ): Promise<HttpAnswer | typeof HUNG_UP> {
    const { idleMs, totalMs, room, after } = this.#limits;
    // For this call alone, as Node makes one itself where none leads through a proxy.
    const own = agent === false && this.#way.kind === 'proxy' ? this.#newAgent({}) : agent;
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const transport = this.#url.protocol === 'https:' ? https : http;
      const request = transport.request(this.#url, {
        method: 'POST',
        agent: own,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          accept: 'application/json',
          'accept-encoding': 'identity',
          ...(authorization === undefined ? {} : { authorization }),
        },
      });

      const fail = (error: unknown): void => {
        settle();
        reject(error);
        request.destroy();
      };
      const timeout = (): void =>
        fail(
          new CompanionError('UPSTREAM_TIMEOUT', `The chain node at ${this.host} did not answer in time.`),
        );
      const abort = (): void => fail(signal?.reason);
      let callOffIdle = after(idleMs, timeout);
      const callOffTotal = after(totalMs, timeout);
      let endReading = (): void => undefined;
      const settle = (): void => {
        endReading();
        callOffIdle();
        callOffTotal();
        signal?.removeEventListener('abort', abort);
      };
      signal?.addEventListener('abort', abort, { once: true });

      request.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') {
          fail(this.#transportFailure(error));
          return;
        }
        settle();
        resolve(HUNG_UP);
      });
      // Without a listener, Node would close the connection and leave the call waiting.
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        fail(this.#bad('wants another protocol than HTTP'));
      });
      request.on('response', (response) => {
        if (own instanceof ReusingAgent) own.watch(response);
        const heard = (): void => {
          callOffIdle();
          callOffIdle = after(idleMs, timeout);
        };
        const ended = (kept: AnswerBody, length: number): void => {
          this.#receivedBytes += length;
          settle();
          const { statusCode: status = 0, headers } = response;
          const date = Date.parse(headers.date ?? '');
          this.#date = Number.isNaN(date) ? undefined : date;
          resolve({ status, headers, body: kept });
        };
        const tooLarge = (): void => fail(this.#tooLarge(method));
        const hooks = { arrived: heard, held: () => callOffIdle(), ended, tooLarge };
        endReading = readAnswer(response, { maxBytes, room, wantsHex }, hooks);
        response.on('error', () => fail(this.#bad('broke off in the middle of an answer')));
      });
      request.end(body);
    });
  }

  #transportFailure(error: NodeJS.ErrnoException): CompanionError {
    if (error instanceof ProxyError) return this.#behindProxy(error);
    const code = error.code ?? '';
    if (code === 'HPE_HEADER_OVERFLOW') return this.#tooLarge('a call, in its HTTP headers,');
    if (code.startsWith('HPE_')) return this.#bad('does not speak HTTP');
    return this.#unreachable(connectionFailure(code));
  }

  #behindProxy({ message }: ProxyError): CompanionError {
    if (proxyFault(message)?.isOfProxy !== true) return this.#unreachable(message);
    return proxyAway('NODE_UNREACHABLE', `The chain node at ${this.host}`, message);
  }

  #unreachable(reason: string): CompanionError {
    return new CompanionError(
      'NODE_UNREACHABLE',
      `The chain node at ${this.host} cannot be reached (${reason}); check that it runs and that node_url is right.`,
    );
  }

  /**
   * Some nodes send refusals with status 500 or 404, so the body decides before the status does. A refusal for now is
   * none of the node's: it must not count as "no such block".
   */
  #result(id: number, method: string, { status, headers, body }: HttpAnswer): unknown {
    const refusal = overloadError(`The chain node at ${this.host}`, status, headers);
    if (refusal !== undefined) throw refusal;
    const coding = headers['content-encoding'] ?? 'identity';
    if (coding !== 'identity')
      throw this.#bad(`sent its answer ${codingText(coding)}, though "identity" was asked for`);
    if (hasTooManyValues(body.text)) throw this.#tooLarge(method);
    const reply = parseObject(body.text);
    if (reply !== undefined) {
      // Missing or null where a node could not read the call; any other id is a mistake of a proxy, or a lie.
      if ((reply['id'] ?? id) !== id) throw this.#bad('answered another call than the one made');
      const error = reply['error'];
      if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number') {
        const text = 'message' in error && typeof error.message === 'string' ? error.message : '';
        throw new JsonRpcRefusal(method, error.code, text);
      }
      if (status === 200 && (error === undefined || error === null) && reply['result'] !== undefined) {
        return body.hexResult ?? reply['result'];
      }
    }
    if (status >= 300 && status < 400) throw this.#bad('answered with a redirect, which is not followed');
    if (status !== 200) throw this.#bad(`answered with HTTP status ${status}`);
    throw this.#bad('did not answer with a JSON-RPC reply; is node_url the address of its RPC?');
  }

  #tooLarge(what: string): CompanionError {
    return answerTooLarge('NODE_BAD_RESPONSE', `The chain node at ${this.host}`, what);
  }

  #bad(what: string): CompanionError {
    return new CompanionError('NODE_BAD_RESPONSE', `The chain node at ${this.host} ${what}.`);
  }
}

/** A name that could be another text is left out. */
const codingText = (coding: string): string =>
  /^[a-z0-9-]{1,16}$/.test(coding) ? `in the content coding "${coding}"` : 'in another content coding';

/**
 * The connection was closed before any answer. A zebrad does so to callers without its cookie, instead of answering 401.
 */
const HUNG_UP = Symbol('hung up');

const isRefusal = (answer: HttpAnswer | typeof HUNG_UP): boolean =>
  answer === HUNG_UP || answer.status === 401 || answer.status === 403;

/** HTTP(S) URL without credentials, else `INVALID_URL`. */
function parseNodeUrl(text: string): URL {
  const url = URL.canParse(text) && !/\s/.test(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new CompanionError('INVALID_URL', 'The node URL must start with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new CompanionError(
      'INVALID_URL',
      'The node URL must not contain credentials; use the cookie file.',
    );
  }
  return url;
}

/** Fixed words for why a connection failed. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host name',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'connection timed out',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate is not trusted',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
  EPROTO: 'it does not speak TLS',
};

/** `code`: Node.js's code of the failure. */
const connectionFailure = (code: string): string => REASONS[code] ?? 'the connection failed';

// Cookie authentication of the chain node: at every start it writes a file with fresh Basic credentials.

/** A cookie file holds one short line; anything longer is some other file. */
const MAX_COOKIE_BYTES = 4096;

/** User name that the node expects when its file holds only the password. */
const COOKIE_USER = '__cookie__';

/** The `Authorization` header from the node's cookie file, or undefined when the file cannot be read as one. */
async function cookieAuthorization(file: string): Promise<string | undefined> {
  const text = await readShortFile(file);
  const line = text?.trim();
  if (line === undefined || line === '') return undefined;
  const credentials = line.includes(':') ? line : `${COOKIE_USER}:${line}`;
  return `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`;
}

async function readShortFile(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_COOKIE_BYTES + 1), 0);
      return bytesRead > MAX_COOKIE_BYTES ? undefined : buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    // Missing or unreadable: if it was needed, the node answers 401.
    return undefined;
  }
}
