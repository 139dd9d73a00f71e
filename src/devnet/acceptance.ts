// Whether a node would take a transaction into its mempool, as far as that can be told without the circuits: that proofs
// have the right length is all that is known of them here. Refusals have the codes and words of zebrad 7.
import { bytesToHex, FormatError } from '../shielded/bytes.ts';
import { parseTransaction, type Transaction } from '../shielded/encoding/transaction.ts';
import { transactionContents } from '../shielded/encoding/transactionContents.ts';
import { txid } from '../shielded/encoding/txid.ts';
import { txIdToHex } from '../shielded/identifiers.ts';
import { ACTION_POOLS, isActionPool, POOL, POOLS, type Pool, perActionPool } from '../shielded/pools.ts';
import type { TransactionProblem } from '../shielded/transaction/authorization.ts';
import { feeOf, findProblems } from '../shielded/transaction/authorizationCheck.ts';
import { bindingValidatingKey } from '../shielded/transaction/bindingKeys.ts';
import {
  effectsOf,
  isCoinbase,
  poolEffects,
  type TransactionEffects,
} from '../shielded/transaction/effects.ts';
import { cryptographyOf } from '../shielded/transaction/poolCryptography.ts';
import { shieldedSighash } from '../shielded/transaction/sighash.ts';
import type { Height } from '../values/height.ts';
import { MAX_BLOCK_BYTES } from './blockLimit.ts';
import type { BuiltTransaction } from './builtTransaction.ts';
import type { ChainView } from './chainView.ts';
import { nameOfSpend } from './mempool.ts';
import type { MinedBlock } from './minedBlock.ts';
import { RpcError } from './rpcError.ts';
import { branchIdAt, newestRule } from './upgrades.ts';

const MISC = -1;
const DESERIALIZATION = -22;
const VERIFY = -25;
/** ZIP 203 */
const EXPIRY_END = 500_000_000;
/** ZIP 317 */
const MARGINAL_FEE = 5000n;
const GRACE_ACTIONS = 2;
const TRANSPARENT_OUTPUT_SIZE = 34;
const ENABLE_SPENDS_AND_OUTPUTS = 0b011;

const failed = (error: string): RpcError =>
  new RpcError(VERIFY, `failed to validate tx: WtxId("private"), error: ${error}`);
const invalid = (error: string): RpcError =>
  failed(`transaction did not pass consensus validation: ${error}`);
const unfitting = (error: string): RpcError =>
  invalid(`could not contextually validate transaction on best chain: ${error}`);

/** For the block after the tip. RpcError says why not. */
export function acceptedTransaction(view: ChainView, bytes: Uint8Array): BuiltTransaction {
  const transaction = parsed(bytes);
  const id = txid(transaction);
  const shown = txIdToHex(id);
  if (view.mempool.byTxid(shown)) throw new RpcError(MISC, 'transaction already exists in mempool');
  if (view.blocks.byTxid(shown)) {
    const words =
      'any transaction with the same effects will be rejected from the mempool until a chain reset: transaction was committed to the best chain';
    throw new RpcError(MISC, words);
  }
  checkForm(view, transaction, shown);
  const { effects, problems } = examined(transaction);
  const fee = checkSums(transaction, effects, problems);
  checkAgainstChain(view, effects);
  checkSignatures(problems);
  const spends = POOLS.flatMap((pool) =>
    poolEffects(effects, pool).spends.map(({ nullifier }) => ({ pool, nullifier })),
  );
  checkAgainstMempool(view, spends);
  return {
    txid: id,
    version: transaction.version,
    bytes: Uint8Array.from(bytes),
    fee,
    notes: [],
    spends,
    leafCounts: {
      ...perActionPool((pool) => transaction[pool].actions.count),
      sapling: transaction.sapling.outputs.count,
    },
    isSent: true,
  };
}

function parsed(bytes: Uint8Array): Transaction {
  try {
    if (bytes.length > MAX_BLOCK_BYTES) throw new FormatError('larger than a block');
    return parseTransaction(bytes);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new RpcError(DESERIALIZATION, 'io error: failed to fill whole buffer');
  }
}

function checkForm({ params, blocks }: ChainView, transaction: Transaction, shown: string): void {
  const { activation } = params;
  const { version, expiryHeight, transparent, sapling } = transaction;
  const height = blocks.tip.height + 1;
  const newest = newestRule('transactionVersion', activation, height) ?? 4;
  if (version < 5 || version > newest)
    throw invalid(`transaction version ${version} not supported by the network upgrade`);
  if (transaction.consensusBranchId !== branchIdAt(activation, height))
    throw invalid('transaction uses an incorrect consensus branch id');
  if (expiryHeight >= EXPIRY_END)
    throw invalid(`expiry Height(${expiryHeight}) must be less than the maximum Height(499999999)`);
  if (expiryHeight > 0 && expiryHeight < height) {
    const words = `transaction must not be mined at a block Height(${height}) greater than its expiry Height(${expiryHeight}), failing transaction transaction::Hash("${shown}")`;
    throw invalid(words);
  }
  const actions = ACTION_POOLS.some((pool) => transaction[pool].actions.count > 0);
  if (transparent.inputCount + sapling.spends.count === 0 && !actions)
    throw invalid('must have at least one input: transparent, shielded spend, or joinsplit');
  if (transparent.outputCount + sapling.outputs.count === 0 && !actions)
    throw invalid('must have at least one output: transparent, shielded output, or joinsplit');
  for (const pool of ACTION_POOLS) {
    if (transaction[pool].actions.count > 0 && (transaction[pool].flags & ENABLE_SPENDS_AND_OUTPUTS) === 0)
      throw invalid(`must have at least one active ${pool} flag`);
  }
  if (transparent.inputCount === 0) return;
  // Coins of strangers come from nowhere here, and nobody else has any.
  if (isCoinbase(transactionContents(transaction).inputs))
    throw invalid('coinbase inputs MUST NOT exist in mempool');
  throw invalid('could not find transparent input UTXO in the best chain or mempool');
}

function examined(transaction: Transaction): {
  readonly effects: TransactionEffects;
  readonly problems: readonly TransactionProblem[];
} {
  const contents = transactionContents(transaction);
  const effects = effectsOf(contents);
  const { sapling } = contents;
  const authorization = {
    scriptSigs: [],
    sapling: sapling && {
      spendAuthSigs: sapling.spends.map(({ spendAuthSig }) => spendAuthSig),
      spendProofs: sapling.spends.map(({ proof }) => proof),
      outputProofs: sapling.outputs.map(({ proof }) => proof),
      bindingSigningKey: undefined,
    },
    ...perActionPool((pool) => {
      const bundle = contents[pool];
      return (
        bundle && {
          spendAuthSigs: bundle.actions.map(({ spendAuthSig }) => spendAuthSig),
          proof: bundle.proof,
          bindingSigningKey: undefined,
        }
      );
    }),
  };
  // The key of the binding signature is its maker's; the signature itself is there to be verified.
  const problems = findProblems(effects, authorization)
    .filter(({ field }) => field !== 'bindingSigningKey')
    .concat(
      POOLS.filter((pool) => !isBound(effects, pool, contents[pool]?.bindingSig)).map((pool) => ({
        part: pool,
        field: 'bindingSigningKey',
        kind: 'invalid',
      })),
    );
  return { effects, problems };
}

function isBound(effects: TransactionEffects, pool: Pool, signature: Uint8Array | undefined): boolean {
  if (signature === undefined) return true;
  try {
    const key = bindingValidatingKey(effects, pool);
    return cryptographyOf(pool).binding.verify(key, shieldedSighash(effects), signature);
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/** The fee. */
function checkSums(
  transaction: Transaction,
  effects: TransactionEffects,
  problems: readonly TransactionProblem[],
): bigint {
  const withdrawOnly = problems.find(({ field }) => field === 'valueBalance');
  if (withdrawOnly !== undefined)
    throw invalid('the Orchard value balance must be non-negative from NU6.3 onward');
  const fee = feeOf(effects);
  if (fee < 0n) throw invalid('could not calculate the transaction fee');
  if (fee < conventionalFee(transaction)) {
    const words =
      'failed to verify ZIP-317 transaction rules, transaction was not inserted to mempool: Unpaid actions is higher than the limit';
    throw invalid(words);
  }
  return fee;
}

function conventionalFee({ transparent, sapling, ...pools }: Transaction): bigint {
  const actions =
    Math.ceil(transparent.outputBytes.length / TRANSPARENT_OUTPUT_SIZE) +
    Math.max(sapling.spends.count, sapling.outputs.count) +
    ACTION_POOLS.reduce((sum, pool) => sum + pools[pool].actions.count, 0);
  return MARGINAL_FEE * BigInt(Math.max(GRACE_ACTIONS, actions));
}

function checkAgainstChain(view: ChainView, effects: TransactionEffects): void {
  const spent = new Set(
    view.blocks.blocks.flatMap(({ transactions }) =>
      transactions.flatMap(({ spends }) => spends.map(nameOfSpend)),
    ),
  );
  for (const pool of POOLS) {
    const { spends, isEmpty } = poolEffects(effects, pool);
    for (const { nullifier } of spends) {
      const name = nameOfSpend({ pool, nullifier });
      if (spent.has(name)) {
        const words = `${pool} double-spend: duplicate nullifier: Nullifier(0x${bytesToHex(nullifier)}), in finalized state: false`;
        throw unfitting(words);
      }
      spent.add(name);
    }
    if (isEmpty || spends.length === 0) continue;
    const anchor = bytesToHex(effects[pool]!.anchor!);
    if (!isAnchor(view, pool, anchor))
      throw unfitting(`unknown ${POOL[pool].name} anchor: Root("${anchor}"), None, index in block: None`);
  }
}

/** Whether a block of the best chain ended with this root. */
function isAnchor({ blocks, trees }: ChainView, pool: Pool, anchor: string): boolean {
  for (let at: MinedBlock | undefined = blocks.tip; at !== undefined; at = at.parent) {
    const isSameTree = at.parent !== undefined && at.parent.treeSizes[pool] === at.treeSizes[pool];
    if (!isSameTree && bytesToHex(trees[pool].rootAfter(at)) === anchor) return true;
  }
  return false;
}

function checkSignatures([problem]: readonly TransactionProblem[]): void {
  if (problem === undefined) return;
  const { part, field } = problem;
  if (part === 'transparent') throw invalid('could not calculate the transaction fee');
  if (!isActionPool(part)) {
    const isPoint = field === 'cv' || field === 'rk' || field === 'ephemeralKey';
    throw invalid(
      isPoint
        ? 'spend description cv and rk MUST NOT be of small order'
        : 'Sapling proof or signature verification failed',
    );
  }
  if (field === 'proof') throw invalid(`${POOL[part].name} proof has a non-canonical size`);
  throw invalid('Orchard or Ironwood Halo2 proof verification failed');
}

function checkAgainstMempool({ mempool }: ChainView, spends: BuiltTransaction['spends']): void {
  const spent = new Set(mempool.transactions.flatMap((one) => (one.spends ?? []).map(nameOfSpend)));
  if (!spends.some((spend) => spent.has(nameOfSpend(spend)))) return;
  const words =
    'any transaction with the same effects will be rejected from the mempool until the next chain tip block: transaction rejected because another transaction in the mempool has already spent some of its inputs';
  throw new RpcError(VERIFY, words);
}

/** Whether it can be in the block at `height` of a chain on which it was accepted. */
export function isMineableAt({ params }: ChainView, bytes: Uint8Array, height: Height): boolean {
  const { consensusBranchId, expiryHeight } = parseTransaction(bytes);
  const isAlive = expiryHeight === 0 || expiryHeight >= height;
  return isAlive && consensusBranchId === branchIdAt(params.activation, height);
}
