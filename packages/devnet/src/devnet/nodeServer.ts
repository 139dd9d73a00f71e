// JSON-RPC over HTTP on the loopback interface, as zebrad serves it: POST, positional parameters, status 200 for errors
// too, optional cookie authentication. On request it misbehaves in ways that a client must survive.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Height } from '@wallet-companion/base/values';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { MAIN, TEST } from '@wallet-companion/zcash/network';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { MAX_BLOCK_BYTES } from './blockLimit.ts';
import type { ChainView } from './chainView.ts';
import { RpcError } from './devnetError.ts';
import { Faults, type PendingFault } from './faults.ts';
import { nodeMethods, type RpcMethod } from './nodeMethods.ts';

export interface NodeFault {
  readonly kind:
    | 'garbage' // a body that is not JSON
    | 'truncated' // JSON that ends in the middle
    | 'no-result' // neither result nor error
    | 'wrong-result' // a result of a type that no method has
    | 'error' // a JSON-RPC error the client cannot know
    | 'http-500'
    | 'unauthorized' // 401, whatever the credentials
    | 'hang-up' // what was asked for is done, and the connection closes without an answer
    | 'stall' // no answer until the client gives up
    | 'other-network' // the genesis hash of another network
    | 'flipped-bit' // raw blocks have one bit changed, in byte `at`
    | 'more-leaves'; // the trees of verbose blocks report `leaves` more than they have
  /** Only calls of this method; all methods when absent. */
  readonly method?: string;
  /** Only calls of `getblock` for this height. */
  readonly height?: Height;
  /** For `flipped-bit`. */
  readonly at?: number;
  /** For `more-leaves`. */
  readonly leaves?: Partial<TreeSizes>;
  /** How many calls are hit; default: all until `behave()`. */
  readonly times?: number;
  /** How many calls pass before the first hit. */
  readonly after?: number;
  /** Called for each call that stalls. */
  readonly onStall?: () => void;
}

export interface NodeServerOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** Turns cookie authentication on; the file is written as zebrad writes it. */
  readonly cookieFile?: string;
}

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** `silence` holds the connection until the client or `close()` ends it. */
type Reply = { readonly status: number; readonly body: string } | 'hang-up' | 'silence';

/**
 * No deadlines: mining or scanning in the same process keeps the server from its sockets; that must not count against
 * the client.
 */
const NEVER_HURRIES = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 } as const;
const COOKIE_USER = '__cookie__';
/** A transaction may fill a block, and is sent as hex. */
const MAX_BODY_BYTES = 2 * MAX_BLOCK_BYTES + 4_096;

export class NodeServer {
  #view: ChainView;
  #methods: Readonly<Record<string, RpcMethod>>;
  readonly #faults = new Faults<NodeFault>();
  readonly #calls = new Map<string, number>();
  readonly #server = createServer(NEVER_HURRIES, (request, response) => {
    this.#handle(request, response).catch(() => response.destroy());
  });
  #authorization: Buffer | undefined;
  #watcher: () => void = () => undefined;

  constructor(view: ChainView) {
    this.#view = view;
    this.#methods = nodeMethods(view);
  }

  /** Serves another chain from the next call on. */
  show(view: ChainView): void {
    this.#view = view;
    this.#methods = nodeMethods(view);
  }

  /** Resolves with the node's URL. */
  async listen({ port = 0, cookieFile }: NodeServerOptions = {}): Promise<string> {
    if (cookieFile !== undefined) {
      const cookie = `${COOKIE_USER}:${randomBytes(32).toString('base64')}`;
      writeFileSync(cookieFile, cookie, { mode: 0o600 });
      this.#authorization = Buffer.from(`Basic ${Buffer.from(cookie).toString('base64')}`);
    }
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Also ends stalled calls. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  misbehave(fault: NodeFault): void {
    this.#faults.add(fault);
  }

  behave(): void {
    this.#faults.clear();
  }

  get faults(): readonly PendingFault<NodeFault>[] {
    return this.#faults.pending;
  }

  /** `watcher` runs before each answer, so that the chain can change between any two. */
  watch(watcher: () => void): void {
    this.#watcher = watcher;
  }

  /** How often a method was called since the start. */
  callCount(method: string): number {
    return this.#calls.get(method) ?? 0;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = await this.#reply(request, await readBody(request));
    if (reply === 'hang-up') response.destroy();
    else if (reply !== 'silence') {
      response.writeHead(reply.status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(reply.body),
      });
      response.end(reply.body);
    }
  }

  async #reply(request: IncomingMessage, body: string | undefined): Promise<Reply> {
    const call = body === undefined ? undefined : parseCall(body);
    const fault = this.#faults.take((f) => this.#hits(f, call));
    if (fault?.kind === 'unauthorized' || !this.#isAuthorized(request)) return { status: 401, body: '' };
    if (request.method !== 'POST') return { status: 405, body: '' };
    if (!call) return { status: 400, body: '' };
    this.#calls.set(call.method, this.callCount(call.method) + 1);
    this.#watcher();
    const text = JSON.stringify(await this.#answer(call));
    return fault ? this.#misanswer(fault, call, text) : { status: 200, body: text };
  }

  #hits(fault: NodeFault, call: Call | undefined): boolean {
    const { method, height } = fault;
    if (fault.kind === 'flipped-bit') {
      if (call?.method !== 'getblock' || call.params[1] !== 0) return false;
    } else if (fault.kind === 'more-leaves') {
      if (call?.method !== 'getblock' || call.params[1] !== 1) return false;
    } else if (method !== undefined && method !== call?.method) return false;
    if (height === undefined) return true;
    const hash = this.#view.blocks.at(height)?.hash;
    const named = call?.params[0];
    return named === String(height) || (hash !== undefined && named === toDisplayHex(hash));
  }

  #isAuthorized(request: IncomingMessage): boolean {
    if (!this.#authorization) return true;
    const given = Buffer.from(request.headers.authorization ?? '');
    return given.length === this.#authorization.length && timingSafeEqual(given, this.#authorization);
  }

  async #answer({ id, method, params }: Call): Promise<unknown> {
    try {
      const run = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
      if (!run) throw new RpcError(-32_601, 'Method not found');
      return { jsonrpc: '2.0', id, result: await run(params) };
    } catch (thrown) {
      const error =
        thrown instanceof RpcError
          ? { code: thrown.code, message: thrown.message }
          : { code: -32_603, message: 'Internal error' };
      return { jsonrpc: '2.0', id, error };
    }
  }

  #misanswer(fault: NodeFault, call: Call, text: string): Reply {
    const ok = (body: string): Reply => ({ status: 200, body });
    const envelope = (more: object) => ok(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...more }));
    switch (fault.kind) {
      case 'garbage':
        return ok('<html>this is not JSON-RPC</html>');
      case 'truncated':
        return ok(text.slice(0, Math.floor(text.length / 2)));
      case 'no-result':
        return envelope({});
      case 'wrong-result':
        return envelope({ result: { unexpected: [null, -1, 'text'] } });
      case 'error':
        return envelope({ error: { code: -28, message: 'the node is still starting' } });
      case 'http-500':
        return { status: 500, body: 'internal server error' };
      case 'unauthorized':
        return { status: 401, body: '' };
      case 'hang-up':
        return 'hang-up';
      case 'stall':
        fault.onStall?.();
        return 'silence';
      case 'other-network': {
        const isGenesis = call.method === 'getblockhash' && call.params[0] === 0;
        const other = this.#view.params.network === 'main' ? TEST : MAIN;
        return isGenesis ? envelope({ result: other.genesisHash }) : ok(text);
      }
      case 'flipped-bit': {
        const { result } = JSON.parse(text) as { result: string };
        const block = Buffer.from(result, 'hex');
        const at = fault.at ?? block.length - 1;
        block.writeUInt8(block.readUInt8(at) ^ 1, at);
        return envelope({ result: block.toString('hex') });
      }
      case 'more-leaves': {
        const { result } = JSON.parse(text) as { result: { trees: Record<string, { size: number }> } };
        const trees = { ...result.trees };
        for (const [pool, more] of Object.entries(fault.leaves ?? {})) {
          trees[pool] = { size: (trees[pool]?.size ?? 0) + more };
        }
        return envelope({ result: { ...result, trees } });
      }
    }
  }
}

/** Undefined when the body is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseCall(body: string): Call | undefined {
  try {
    const { id = null, method, params = [] } = JSON.parse(body) as Partial<Record<keyof Call, unknown>>;
    return typeof method === 'string' && Array.isArray(params) ? { id, method, params } : undefined;
  } catch {
    return undefined;
  }
}
