// A chain node for tests: serves given raw blocks by JSON-RPC on loopback, and misbehaves when told to.

import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { type BlockSummary, summarizeRawBlock } from '@wallet-companion/zcash/blocks';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { addLeaves } from '@wallet-companion/zcash/trees';

/** Answer with a JSON-RPC error. */
export class Refusal {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message = 'refused') {
    this.code = code;
    this.message = message;
  }
}

/** A test that computes for long keeps the server from its sockets, and must not be blamed for it. */
const NEVER_HURRIES = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 } as const;

/** Left to the ordinary answer. */
export const ORDINARY = Symbol('ordinary');

/** No answer, with the connection left open. */
export const SILENCE = Symbol('silence');

export interface FixtureNodeOptions {
  readonly chain: string;
  /** Height of the first block given. */
  readonly firstHeight: number;
  readonly blocks: readonly Uint8Array[];
  /** Tree sizes before the first block. */
  readonly treesBefore: TreeSizes;
  /** Display order; by default the node has no block 0. */
  readonly genesisHash?: string;
  /** PEM; plain HTTP without. */
  readonly tls?: { readonly key: Buffer; readonly cert: Buffer };
}

interface Served {
  readonly bytes: Uint8Array;
  readonly summary: BlockSummary;
  readonly treesAfter: TreeSizes;
}

export class FixtureNode {
  readonly #server: http.Server | https.Server;
  #options: FixtureNodeOptions;
  #served: Served[] = [];
  /** `method param` of every call, in order of arrival. */
  readonly calls: string[] = [];
  readonly authorizations: (string | undefined)[] = [];
  /** Replaces the answer to a call; `ORDINARY` leaves it, `SILENCE` holds it back. */
  answer: (method: string, params: readonly unknown[]) => unknown = () => ORDINARY;
  /** Takes over the HTTP exchange when it returns true. */
  exchange: (request: http.IncomingMessage, response: http.ServerResponse) => boolean = () => false;

  private constructor(options: FixtureNodeOptions) {
    this.#options = options;
    this.#serve(options.blocks);
    const respond: http.RequestListener = (request, response) => this.#respond(request, response);
    this.#server =
      options.tls === undefined
        ? http.createServer(NEVER_HURRIES, respond)
        : https.createServer({ ...NEVER_HURRIES, ...options.tls }, respond);
  }

  static async start(options: FixtureNodeOptions): Promise<FixtureNode> {
    const node = new FixtureNode(options);
    await new Promise<void>((resolve) => node.#server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): string {
    const scheme = this.#options.tls === undefined ? 'http' : 'https';
    return `${scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get tipHeight(): number {
    return this.#options.firstHeight + this.#served.length - 1;
  }

  /** Replaces every block above `forkHeight`. */
  reorg(forkHeight: number, branch: readonly Uint8Array[]): void {
    const kept = this.#served.slice(0, forkHeight - this.#options.firstHeight + 1).map(({ bytes }) => bytes);
    this.#serve([...kept, ...branch]);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(blocks: readonly Uint8Array[]): void {
    let sizes = this.#options.treesBefore;
    this.#served = blocks.map((bytes) => {
      const summary = summarizeRawBlock(bytes);
      sizes = addLeaves(sizes, summary.counts);
      return { bytes, summary, treesAfter: sizes };
    });
  }

  #respond(request: http.IncomingMessage, response: http.ServerResponse): void {
    this.authorizations.push(request.headers.authorization);
    if (this.exchange(request, response)) return;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
        id: number;
        method: string;
        params: unknown[];
      };
      this.calls.push([method, ...params].join(' '));
      const replaced = this.answer(method, params);
      if (replaced === SILENCE) return;
      const result = replaced === ORDINARY ? this.#ordinary(method, params) : replaced;
      const body =
        result instanceof Refusal
          ? { jsonrpc: '2.0', id, error: { code: result.code, message: result.message } }
          : { jsonrpc: '2.0', id, result };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
  }

  #ordinary(method: string, params: readonly unknown[]): unknown {
    const tip = this.#served.at(-1)!;
    switch (method) {
      case 'getblockchaininfo':
        return {
          chain: this.#options.chain,
          blocks: this.tipHeight,
          bestblockhash: toDisplayHex(tip.summary.hash),
        };
      case 'getbestblockhash':
        return toDisplayHex(tip.summary.hash);
      case 'getblockhash': {
        if (params[0] === 0 && this.#options.genesisHash !== undefined) return this.#options.genesisHash;
        const found = this.#find(String(params[0]));
        return found === undefined ? new Refusal(-8) : toDisplayHex(found.summary.hash);
      }
      case 'getblock': {
        if (typeof params[0] !== 'string') return new Refusal(-1);
        const found = this.#find(params[0]);
        if (found === undefined) return new Refusal(params[0].length === 64 ? -5 : -8);
        if (params[1] === 0) return bytesToHex(found.bytes);
        return { hash: toDisplayHex(found.summary.hash), trees: treesMember(found.treesAfter) };
      }
      case 'z_gettreestate': {
        const { firstHeight, treesBefore } = this.#options;
        const height = Number(params[0]);
        const sizes = height === firstHeight - 1 ? treesBefore : this.#find(String(height))?.treesAfter;
        return sizes === undefined ? new Refusal(-8) : treeStateOf(sizes);
      }
      default:
        return new Refusal(-32601);
    }
  }

  #find(heightOrHash: string): Served | undefined {
    return heightOrHash.length === 64
      ? this.#served.find(({ summary }) => toDisplayHex(summary.hash) === heightOrHash)
      : this.#served[Number(heightOrHash) - this.#options.firstHeight];
  }
}

/** Empty trees are left out, as a node does. */
function treesMember(sizes: TreeSizes): Record<string, { size: number }> {
  return Object.fromEntries(
    Object.entries(sizes)
      .filter(([, size]) => size > 0)
      .map(([pool, size]) => [pool, { size: size as number }]),
  );
}

/** Frontiers of the right sizes with made-up nodes. */
export function treeStateOf(sizes: TreeSizes): Record<string, unknown> {
  const frontier = (size: number): unknown => ({ commitments: { finalState: frontierHex(size) } });
  return {
    sapling: frontier(sizes.sapling),
    orchard: frontier(sizes.orchard),
    ironwood: frontier(sizes.ironwood),
  };
}

export function frontierHex(size: number): string {
  const node = `01${'11'.repeat(32)}`;
  if (size === 0) return '000000';
  // The last one or two leaves stand apart; the bits of what is left say which parents are full.
  const leaves = size % 2 === 0 ? 2 : 1;
  const above = (size - leaves) / 2;
  const parents = above === 0 ? [] : [...above.toString(2)].reverse();
  const count = parents.length.toString(16).padStart(2, '0');
  return `${node}${leaves === 2 ? node : '00'}${count}${parents.map((bit) => (bit === '1' ? node : '00')).join('')}`;
}
