// What becomes of a transaction that is handed to a node or a compact server, and of the question where one is: by every
// answer that is known of servers, and by everything that goes wrong on the way.
import * as grpc from '@grpc/grpc-js';
import { bytesToHex, equalBytes } from '@wallet-companion/base/bytes';
import { Waits } from '@wallet-companion/base/test/waits';
import type { RefusalReason, SendOutcome, Source, TransactionStatus } from '@wallet-companion/chain/ports';
import { parseBlock } from '@wallet-companion/zcash/blocks';
import { asTxId, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { txid as txidOf } from '@wallet-companion/zcash/transactions';
import test, { type ExecutionContext } from 'ava';
import type { ChainActor } from '../../../src/actors/chain/chainActor.ts';
import type { CompanionError, ErrorCode } from '../../../src/protocol/errors.ts';
import { startChainActor } from '../../helpers/chainActorHere.ts';
import { FixtureCompactServer, GrpcError, STALL } from '../../helpers/fixtureCompactServer.ts';
import { FixtureNode, ORDINARY, Refusal, SILENCE } from '../../helpers/fixtureNode.ts';
import {
  compactMain,
  FIRST,
  MAIN_INFO,
  PARAMETERS,
  rawMain,
  TREES_BEFORE,
} from '../../helpers/knownSeedBlocks.ts';
import { openPatientCompact, openPatientNode, PATIENT_CLIENT, PATIENT_RPC } from '../../helpers/waits.ts';

const [one, other] = rawMain
  .flatMap((block) => parseBlock(block).transactions)
  .filter(({ version, ironwood }) => version === 6 && ironwood.actions.count > 0);
const RAW = one!.bytes;
const TXID = txidOf(one!);
const SENT = { raw: RAW, txid: TXID };
const SOURCES: readonly Source[] = ['node', 'compact'];

/** Both sides answer alike: a code and words, 0 and a txid. */
interface Desk {
  readonly actor: ChainActor;
  readonly node: FixtureNode;
  readonly server: FixtureCompactServer;
  /** Ends the waits for answers. */
  readonly waits: Waits;
  /** How often the transaction has arrived. */
  readonly arrived: { count: number };
  answer(code: number, words: string): void;
}

async function openDesk(t: ExecutionContext): Promise<Desk> {
  const node = await FixtureNode.start({
    chain: 'main',
    firstHeight: FIRST,
    blocks: rawMain,
    treesBefore: TREES_BEFORE,
  });
  const server = await FixtureCompactServer.start({ blocks: compactMain, info: MAIN_INFO });
  const waits = new Waits();
  const { after } = waits;
  t.teardown(async () => {
    server.stop();
    await node.stop();
  });
  const { actor } = await startChainActor(
    t,
    {
      network: 'main',
      activation: PARAMETERS.activation,
      nodeUrl: node.url,
      namedNodes: [node.url],
      compactServerUrl: server.url,
      birthdayHeight: FIRST,
      lastScanHeight: FIRST - 1,
    },
    {
      openNode: (endpoint, parameters) => openPatientNode(endpoint, parameters, { ...PATIENT_RPC, after }),
      openCompact: (url, parameters) => openPatientCompact(url, parameters, { ...PATIENT_CLIENT, after }),
    },
  );
  const arrived = { count: 0 };
  return {
    actor,
    node,
    server,
    waits,
    arrived,
    answer: (code, words) => {
      node.answer = (method, params) => {
        if (method !== 'sendrawtransaction') return ORDINARY;
        t.deepEqual(params, [bytesToHex(RAW)]);
        arrived.count++;
        return code === 0 ? words : new Refusal(code, words);
      };
      server.send = (raw) => {
        t.true(equalBytes(raw, RAW));
        arrived.count++;
        return [code, words];
      };
    },
  };
}

async function failsWith(t: ExecutionContext, call: Promise<unknown>, code: ErrorCode): Promise<string> {
  const error = await t.throwsAsync<CompanionError>(call);
  t.is(error?.code, code, error?.message);
  return error?.message ?? '';
}

const inZebra = (words: string): string =>
  `failed to validate tx: WtxId("private"), error: transaction did not pass consensus validation: ${words}`;
const onChain = (words: string): string =>
  inZebra(`could not contextually validate transaction on best chain: ${words}`);
const refused = (reason: RefusalReason) => ({ kind: 'refused', reason }) as const;

/** As zebrad 7 says it, with its codes, and zcashd (-26). */
const ANSWERS: readonly (readonly [code: number, words: string, Partial<SendOutcome>])[] = [
  [-1, 'transaction already exists in mempool', { kind: 'known' }],
  [-1, 'transaction dropped because it is already queued for download', { kind: 'known' }],
  [
    -1,
    'any transaction with the same effects will be rejected from the mempool until a chain reset: transaction was committed to the best chain',
    { kind: 'known' },
  ],
  [-25, 'failed to validate tx: WtxId("private"), error: transaction is already in state', { kind: 'known' }],
  [-26, '18: txn-already-in-mempool', { kind: 'known' }],
  [-27, 'transaction already in block chain', { kind: 'known' }],
  [
    -1,
    'any transaction with the same effects will be rejected from the mempool until a chain reset: best chain tip has reached transaction expiry height',
    refused('expired'),
  ],
  [
    -25,
    inZebra(
      'transaction must not be mined at a block Height(200) greater than its expiry Height(140), failing transaction transaction::Hash("ab")',
    ),
    refused('expired'),
  ],
  [
    -26,
    'tx-expiring-soon: expiryheight is 104 but should be at least 105 to avoid transaction expiring soon',
    refused('expired'),
  ],
  [
    -25,
    onChain('ironwood double-spend: duplicate nullifier: Nullifier(0x0e), in finalized state: false'),
    refused('conflict'),
  ],
  [
    -25,
    'any transaction with the same effects will be rejected from the mempool until the next chain tip block: transaction rejected because another transaction in the mempool has already spent some of its inputs',
    refused('conflict'),
  ],
  [
    -1,
    'any transaction with the same effects will be rejected from the mempool until a chain reset: transaction inputs were spent, or nullifiers were revealed, in the best chain',
    refused('conflict'),
  ],
  [-26, '18: bad-txns-orchard-duplicate-nullifier', refused('conflict')],
  [-26, '18: txn-mempool-conflict', refused('conflict')],
  [
    -25,
    onChain('unknown Orchard anchor: Root("cd"),\nNone, index in block: None, transaction::Hash("ab")'),
    refused('invalid'),
  ],
  [-25, inZebra('Orchard or Ironwood Halo2 proof verification failed'), refused('invalid')],
  [-25, inZebra('transaction uses an incorrect consensus branch id'), refused('invalid')],
  [-22, 'io error: failed to fill whole buffer', refused('invalid')],
  [-22, 'TX decode failed', refused('invalid')],
  [
    -25,
    inZebra(
      'failed to verify ZIP-317 transaction rules, transaction was not inserted to mempool: Unpaid actions is higher than the limit',
    ),
    refused('fee'),
  ],
  ...[
    "331 Ironwood actions, exceeding the next block's ZIP 218 limit of 330",
    "301 Sapling inputs and outputs, exceeding the next block's ZIP 218 limit of 300",
    "402 shielded actions across all pools, exceeding the next block's ZIP 218 limit of 330",
  ].map((words) => [-25, inZebra(`mempool transaction has ${words}`), refused('limit')] as const),
  [-26, '66: tx unpaid action limit exceeded: 2 action(s) exceeds limit of 0', refused('fee')],
  [-25, 'transaction evicted from the mempool due to ZIP-401 denial of service limits', refused('other')],
  [-1, 'nobody has heard of this before', refused('other')],
  [-1, '', refused('other')],
];

for (const [code, words, expected] of ANSWERS) {
  test(`${code} ${words.slice(-100)} is ${Object.values(expected).join(' ')}`, async (t) => {
    const { actor, answer, arrived } = await openDesk(t);
    answer(code, words);
    for (const source of SOURCES) t.like(await actor.sendTransaction({ source, ...SENT }), expected);
    t.is(arrived.count, 2);
  });
}

/** The other side has not said what it thinks of the transaction. */
const NO_DECISION: readonly (readonly [code: number, words: string, ErrorCode | 'BAD_RESPONSE'])[] = [
  [-25, 'timeout waiting for verification result', 'UPSTREAM_TIMEOUT'],
  [-25, 'verification cancelled', 'UPSTREAM_TIMEOUT'],
  [-1, 'transaction dropped because the queue is full', 'UPSTREAM_TIMEOUT'],
  [-1, 'mempool is disabled since synchronization is behind the chain tip', 'NODE_BEHIND'],
  [-10, 'Zcash is downloading blocks...', 'NODE_BEHIND'],
  [-28, 'Loading block index...', 'BAD_RESPONSE'],
  [-32_601, 'Method not found', 'BAD_RESPONSE'],
];

for (const [code, words, expected] of NO_DECISION) {
  test(`${code} ${words} is no verdict on the transaction`, async (t) => {
    const { actor, answer } = await openDesk(t);
    answer(code, words);
    for (const source of SOURCES) {
      const bad = source === 'node' ? 'NODE_BAD_RESPONSE' : 'COMPACT_SERVER_BAD_RESPONSE';
      await failsWith(
        t,
        actor.sendTransaction({ source, ...SENT }),
        expected === 'BAD_RESPONSE' ? bad : expected,
      );
    }
  });
}

test('what is taken is accepted under its own txid, and under no other', async (t) => {
  const { actor, answer } = await openDesk(t);
  const mine = txIdToHex(TXID);
  for (const words of [mine, mine.toUpperCase()]) {
    answer(0, words);
    for (const source of SOURCES)
      t.deepEqual(await actor.sendTransaction({ source, ...SENT }), { kind: 'accepted' });
  }
  for (const words of [txIdToHex(txidOf(other!)), bytesToHex(TXID), '']) {
    answer(0, words);
    await failsWith(t, actor.sendTransaction({ source: 'node', ...SENT }), 'NODE_BAD_RESPONSE');
    const compact = actor.sendTransaction({ source: 'compact', ...SENT });
    await failsWith(t, compact, 'COMPACT_SERVER_BAD_RESPONSE');
  }
  // As lightwalletd passes it on.
  answer(0, `"${mine}"`);
  t.deepEqual(await actor.sendTransaction({ source: 'compact', ...SENT }), { kind: 'accepted' });
});

test('words of the other side are cut, of one line, printable, and without places', async (t) => {
  const { actor, answer } = await openDesk(t);
  const textOf = async (words: string): Promise<string[]> => {
    answer(-1, words);
    return Promise.all(
      SOURCES.map(async (source) => {
        const outcome = await actor.sendTransaction({ source, ...SENT });
        return outcome.kind === 'refused' ? outcome.text : '';
      }),
    );
  };
  for (const text of await textOf(`a${'b'.repeat(100_000 / 2)}`)) t.is(text, `a${'b'.repeat(199)}`);
  for (const text of await textOf('no\u001b[31m \u202ered\u0000 é here\n    at /home/me/x.js:1\n')) {
    t.is(text, 'no [31m  red    here');
  }
  const places =
    'cannot open /home/me/.cache/zebra or file=/var/x: (C:\\Users\\me\\y) ~/z ../up ask http://10.0.0.3:8232/a?b, spend/output';
  for (const text of await textOf(places)) {
    t.is(text, 'cannot open ... or file=... (...) ... ... ask ... spend/output');
  }
});

test('what has another txid, is no transaction or is too large is not sent', async (t) => {
  const { actor, answer, arrived, node, server } = await openDesk(t);
  answer(0, txIdToHex(TXID));
  const wrong = [
    { raw: RAW, txid: txidOf(other!) },
    { raw: RAW, txid: asTxId(TXID.subarray(1)) },
    { raw: RAW.subarray(1), txid: TXID },
    { raw: new Uint8Array(0), txid: TXID },
    { raw: new Uint8Array(2_000_001), txid: TXID },
    { raw: bytesToHex(RAW), txid: TXID },
    { raw: RAW, txid: undefined },
    {},
  ] as (typeof SENT)[];
  for (const sent of wrong) {
    for (const source of SOURCES)
      await failsWith(t, actor.sendTransaction({ source, ...sent }), 'INVALID_REQUEST');
  }
  for (const source of SOURCES) {
    await failsWith(
      t,
      actor.transactionStatus({ source, txid: asTxId(new Uint8Array(31)) }),
      'INVALID_REQUEST',
    );
  }
  t.is(arrived.count, 0);
  t.deepEqual([...node.calls, ...server.calls], []);
});

test('nothing is sent into another network, also where the right one answered before', async (t) => {
  const { actor, answer, arrived, node, server } = await openDesk(t);
  answer(0, txIdToHex(TXID));
  for (const source of SOURCES) await actor.tip({ source });
  const { answer: before } = node;
  node.answer = (method, params) =>
    method === 'getblockchaininfo' ? { chain: 'test', blocks: 1 } : before(method, params);
  server.announce({ chainName: 'test' });
  for (const source of SOURCES)
    await failsWith(t, actor.sendTransaction({ source, ...SENT }), 'NETWORK_MISMATCH');
  t.is(arrived.count, 0);
});

test('a connection that ends without an answer: the outcome is unknown, and it is not sent twice', async (t) => {
  const { actor, node, answer, arrived } = await openDesk(t);
  answer(0, txIdToHex(TXID));
  // A kept connection is there to be used.
  await actor.tip({ source: 'node' });
  for (const end of ['destroy', 'resetAndDestroy'] as const) {
    let seen = 0;
    node.exchange = (request) => {
      if (Number(request.headers['content-length']) < RAW.length) return false;
      // When all of it is here.
      request.resume().on('end', () => request.socket[end]());
      seen++;
      return true;
    };
    const detail = await failsWith(t, actor.sendTransaction({ source: 'node', ...SENT }), 'NODE_UNREACHABLE');
    t.regex(detail, /without an answer/);
    t.is(seen, 1);
  }
  node.exchange = () => false;
  t.is(arrived.count, 0);
});

test('an answer that does not come is UPSTREAM_TIMEOUT', async (t) => {
  for (const source of SOURCES) {
    const { actor, node, server, waits } = await openDesk(t);
    node.answer = (method) => {
      if (method !== 'sendrawtransaction') return ORDINARY;
      waits.end();
      return SILENCE;
    };
    server.send = () => {
      waits.end();
      throw STALL;
    };
    await failsWith(t, actor.sendTransaction({ source, ...SENT }), 'UPSTREAM_TIMEOUT');
  }
});

test('pages, endless answers and answers that break off are no refusals', async (t) => {
  const { actor, node } = await openDesk(t);
  const bodies = [
    '<html>sign in</html>',
    `{"result":"${'a'.repeat(100_000)}"}`,
    '{"error":{"code":"x"}}',
    '[]',
  ];
  for (const body of bodies) {
    node.exchange = (request, response) => {
      if (Number(request.headers['content-length']) < RAW.length) return false;
      response.end(body);
      return true;
    };
    await failsWith(t, actor.sendTransaction({ source: 'node', ...SENT }), 'NODE_BAD_RESPONSE');
  }
});

test('a gRPC failure is no refusal', async (t) => {
  const { actor, server } = await openDesk(t);
  for (const [status, code] of [
    [grpc.status.UNAVAILABLE, 'COMPACT_SERVER_UNREACHABLE'],
    [grpc.status.UNKNOWN, 'COMPACT_SERVER_BAD_RESPONSE'],
    [grpc.status.INVALID_ARGUMENT, 'COMPACT_SERVER_BAD_RESPONSE'],
    [grpc.status.DEADLINE_EXCEEDED, 'UPSTREAM_TIMEOUT'],
  ] as const) {
    let sent = 0;
    server.send = () => {
      sent++;
      return new GrpcError(status, 'duplicate nullifier');
    };
    await failsWith(t, actor.sendTransaction({ source: 'compact', ...SENT }), code);
    t.is(sent, 1);
  }
});

test('zainod fails with what its node refused', async (t) => {
  const { actor, server } = await openDesk(t);
  const before =
    'InternalServerError: error receiving data from backing node: validator rejected the query: ';
  for (const [words, expected] of [
    [`rejected by validator: ${inZebra('transaction is already in state')}`, { kind: 'known' }],
    [`rejected by validator: ${inZebra('ironwood double-spend: duplicate nullifier')}`, refused('conflict')],
    ['malformed transaction: io error: failed to fill whole buffer', refused('invalid')],
    ['rejected by validator: nobody has heard of this before', refused('other')],
    ['validator unreachable: transaction already exists in mempool', { kind: 'known' }],
  ] as const) {
    server.send = () => new GrpcError(grpc.status.INTERNAL, before + words);
    t.like(await actor.sendTransaction({ source: 'compact', ...SENT }), expected, words);
  }
  server.send = () =>
    new GrpcError(grpc.status.INTERNAL, `${before}validator unreachable: connection refused`);
  await failsWith(t, actor.sendTransaction({ source: 'compact', ...SENT }), 'COMPACT_SERVER_BAD_RESPONSE');
});

const hex = bytesToHex(RAW);
const NODE_STATES: readonly (readonly [unknown, TransactionStatus])[] = [
  [
    { hex, height: 7, confirmations: 2, in_active_chain: true, blockhash: 'ab' },
    { kind: 'mined', height: 7 },
  ],
  [{ hex, in_active_chain: false }, { kind: 'mempool' }],
  // zebrad and zcashd of a block that was left behind.
  [{ hex, in_active_chain: false, blockhash: 'ab' }, { kind: 'unknown' }],
  [{ hex, height: -1, confirmations: 0, blockhash: 'ab' }, { kind: 'unknown' }],
  [new Refusal(-5, 'Transaction not found in mempool or best chain'), { kind: 'unknown' }],
];

test('a node says where a transaction is, and only of this one', async (t) => {
  const { actor, node } = await openDesk(t);
  const status = (answer: unknown) => {
    node.answer = (method, params) => {
      if (method !== 'getrawtransaction') return ORDINARY;
      t.deepEqual(params, [txIdToHex(TXID), 1]);
      return answer;
    };
    return actor.transactionStatus({ source: 'node', txid: TXID });
  };
  for (const [answer, expected] of NODE_STATES) t.deepEqual(await status(answer), expected);
  const otherHex = bytesToHex(other!.bytes);
  for (const answer of [
    { hex: otherHex, height: 7 },
    { hex: 'zz', height: 7 },
    { hex, height: -2 },
    { hex, height: 2 ** 31 },
    { height: 7 },
    hex,
    // None of these says that there is no such transaction.
    new Refusal(-1),
    new Refusal(-28),
    new Refusal(-32_601),
  ]) {
    await failsWith(t, status(answer), 'NODE_BAD_RESPONSE');
  }
});

test('a compact server says where a transaction is, and only of this one', async (t) => {
  const { actor, server } = await openDesk(t);
  const status = (answer: Uint8Array | GrpcError, height = 7n) => {
    server.transaction = (asked) => {
      t.true(equalBytes(asked, TXID));
      return answer;
    };
    server.transactionHeight = height;
    return actor.transactionStatus({ source: 'compact', txid: TXID });
  };
  t.deepEqual(await status(RAW), { kind: 'mined', height: 7 });
  t.deepEqual(await status(RAW, 0n), { kind: 'mempool' });
  t.deepEqual(await status(RAW, 2n ** 64n - 1n), { kind: 'unknown' });
  t.deepEqual(await status(new Uint8Array(0)), { kind: 'unknown' });
  for (const [code, text] of [
    [grpc.status.NOT_FOUND, 'transaction not found'],
    [
      grpc.status.NOT_FOUND,
      'GetTransaction: getrawtransaction ab failed: -5: No such mempool or main chain transaction',
    ],
    [grpc.status.UNKNOWN, '-5: No information available about transaction'],
    [grpc.status.INTERNAL, 'RPC error: LegacyRpcError { code: -5, message: "No such transaction" }'],
  ] as const) {
    t.deepEqual(await status(new GrpcError(code, text)), { kind: 'unknown' });
  }
  for (const failure of [
    new GrpcError(
      grpc.status.NOT_FOUND,
      'GetTransaction: getrawtransaction ab failed: dial tcp: connection refused',
    ),
    new GrpcError(grpc.status.NOT_FOUND, 'GetTransaction: getrawtransaction ab failed: -28: loading'),
    new GrpcError(grpc.status.INTERNAL, 'failed'),
  ]) {
    await failsWith(t, status(failure), 'COMPACT_SERVER_BAD_RESPONSE');
  }
  await failsWith(t, status(other!.bytes), 'COMPACT_SERVER_BAD_RESPONSE');
  await failsWith(t, status(RAW.subarray(1)), 'COMPACT_SERVER_BAD_RESPONSE');
  await failsWith(t, status(RAW, 2n ** 31n), 'COMPACT_SERVER_BAD_RESPONSE');
});
