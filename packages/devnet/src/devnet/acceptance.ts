// Decides whether a node would accept a transaction into its mempool. Proofs, of which the length is always checked, are
// verified apart from the rest, where the devnet was given a verifier. Refusals have the error codes and texts of zebrad 7.

import { bytesToHex, FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { shieldedExcess } from '@wallet-companion/zcash/blocks';
import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import { branchIdAt, isActive, UPGRADES } from '@wallet-companion/zcash/network';
import {
  ACTION_POOLS,
  isActionPool,
  POOL,
  POOLS,
  type Pool,
  perActionPool,
} from '@wallet-companion/zcash/pools';
import {
  bindingValidatingKey,
  cryptographyOf,
  effectsOf,
  feeOf,
  findProblems,
  isCoinbase,
  poolEffects,
  shieldedSighash,
  type TransactionEffects,
  type TransactionProblem,
} from '@wallet-companion/zcash/signing';
import {
  orchardProofSize,
  parseTransaction,
  type Transaction,
  transactionContents,
  txid,
} from '@wallet-companion/zcash/transactions';
import { LEAST_FEE_PER_ACTION, logicalActions } from '@wallet-companion/zcash/zip317';
import { limitedItems, MAX_BLOCK_BYTES, shieldedItems } from './blockLimit.ts';
import type { BuiltTransaction } from './builtTransaction.ts';
import type { ChainView, FindWrongProofs } from './chainView.ts';
import { RpcError } from './devnetError.ts';
import { nameOfSpend, namesOfSpent } from './mempool.ts';
import type { MinedBlock } from './minedBlock.ts';
import { nameOfOutput, type TransparentCoin, unspentCoins } from './transparentCoins.ts';
import { versionsAt } from './upgrades.ts';

const MISC = -1;
const DESERIALIZATION = -22;
const VERIFY = -25;
/** ZIP 203 */
const EXPIRY_END = 500_000_000;
/** Blocks after which a coinbase's transparent output can be spent. */
const COINBASE_MATURITY = 100;
const ENABLE_SPENDS = 0b001;
const ENABLE_OUTPUTS = 0b010;

const failed = (error: string): RpcError =>
  new RpcError(VERIFY, `failed to validate tx: WtxId("private"), error: ${error}`);
const invalid = (error: string): RpcError =>
  failed(`transaction did not pass consensus validation: ${error}`);
const undecodable = (error: string): RpcError => new RpcError(DESERIALIZATION, `io error: ${error}`);
const unfitting = (error: string): RpcError =>
  invalid(`could not contextually validate transaction on best chain: ${error}`);

/** As zebrad says of wrong signatures of actions as well. */
const wrongActions = (): RpcError => invalid('Orchard or Ironwood Halo2 proof verification failed');

/** For the block after the tip, whatever its proofs are. Throws `RpcError` with the reason for a refusal. */
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
  const coins = coinsOf(view, transaction);
  const { effects, problems } = examined(transaction, coins);
  checkAgainstChain(view, effects);
  const fee = checkSums(transaction, effects, problems);
  checkSignatures(problems);
  const spends = POOLS.flatMap((pool) =>
    poolEffects(effects, pool).spends.map(({ nullifier }) => ({ pool, nullifier })),
  );
  const spent = { spends, coins: coins.map((coin) => nameOfOutput(coin.txid, coin.index)) };
  checkAgainstMempool(view, spent);
  return {
    txid: id,
    version: transaction.version,
    bytes: Uint8Array.from(bytes),
    fee,
    notes: [],
    ...spent,
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
    const transaction = parseTransaction(bytes);
    checkEncoding(transaction);
    return transaction;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new RpcError(DESERIALIZATION, 'io error: failed to fill whole buffer');
  }
}

/** The checks that a node makes while it decodes, before all other checks. */
function checkEncoding(transaction: Transaction): void {
  const contents = transactionContents(transaction);
  for (const pool of ACTION_POOLS) {
    const bundle = contents[pool];
    if (bundle === undefined) continue;
    const size = orchardProofSize(bundle.actions.length);
    if (bundle.proof.length !== size)
      throw undecodable(
        `Orchard proof has non-canonical length ${bundle.proof.length}; expected ${size} bytes`,
      );
    const { isKey, isValueCommitment } = cryptographyOf(pool);
    for (const { cv, rk } of bundle.actions) {
      if (!isValueCommitment(cv)) throw undecodable('invalid Pallas point for value commitment');
      if (!isKey(rk)) throw undecodable('invalid verification key');
    }
  }
}

/** The checks run in zebrad's order. */
function checkForm({ params, blocks }: ChainView, transaction: Transaction, shown: string): void {
  const { activation } = params;
  const { version, expiryHeight, transparent, sapling } = transaction;
  const height = blocks.tip.height + 1;
  const excess = isActive(activation, 'nu7', height) ? shieldedExcess(shieldedItems(transaction)) : undefined;
  if (excess !== undefined)
    throw invalid(
      `mempool transaction has ${excess.count} ${limitedItems(excess.pool)}, exceeding the next block's ZIP 218 limit of ${excess.limit}`,
    );
  const used = ACTION_POOLS.filter((pool) => transaction[pool].actions.count > 0);
  const allows = (flag: number) => used.some((pool) => (transaction[pool].flags & flag) !== 0);
  if (transparent.inputCount + sapling.spends.count === 0 && !allows(ENABLE_SPENDS))
    throw invalid('must have at least one input: transparent, shielded spend, or joinsplit');
  if (transparent.outputCount + sapling.outputs.count === 0 && !allows(ENABLE_OUTPUTS))
    throw invalid('must have at least one output: transparent, shielded output, or joinsplit');
  for (const pool of used) {
    if ((transaction[pool].flags & (ENABLE_SPENDS | ENABLE_OUTPUTS)) === 0)
      throw invalid(`must have at least one active ${pool} flag`);
  }
  if (version >= 5 && transaction.consensusBranchId !== branchIdAt(activation, height))
    throw invalid('transaction uses an incorrect consensus branch id');
  if (expiryHeight >= EXPIRY_END)
    throw invalid(`expiry Height(${expiryHeight}) must be less than the maximum Height(499999999)`);
  if (expiryHeight > 0 && expiryHeight < height) {
    const words = `transaction must not be mined at a block Height(${height}) greater than its expiry Height(${expiryHeight}), failing transaction transaction::Hash("${shown}")`;
    throw invalid(words);
  }
  const { name = '' } = UPGRADES.findLast(({ key }) => isActive(activation, key, height)) ?? {};
  // Version 4 has different effects that no code here reads: it is always refused, though nodes accept it before NU7.
  if (version < 5 || version > versionsAt(activation, height).newest)
    throw invalid(`transaction version ${version} not supported by the network upgrade ${name}`);
  if (isCoinbase(transactionContents(transaction).inputs))
    throw invalid('coinbase inputs MUST NOT exist in mempool');
}

/** What the inputs spend, in their order: unspent on the best chain, and old enough. */
function coinsOf(view: ChainView, transaction: Transaction): TransparentCoin[] {
  if (transaction.transparent.inputCount === 0) return [];
  const unspent = unspentCoins(view);
  const height = view.blocks.tip.height + 1;
  return transactionContents(transaction).inputs.map(({ prevTxid, prevIndex }) => {
    const coin = unspent.get(nameOfOutput(prevTxid, prevIndex));
    if (coin === undefined)
      throw invalid('could not find transparent input UTXO in the best chain or mempool');
    if (coin.isCoinbase && height - coin.height < COINBASE_MATURITY)
      throw invalid(
        `immature transparent coinbase spend: attempt to spend ${txIdToHex(coin.txid)} at Height(${height}), but spends are invalid before Height(${coin.height + COINBASE_MATURITY})`,
      );
    return coin;
  });
}

function examined(
  transaction: Transaction,
  coins: readonly TransparentCoin[],
): {
  readonly effects: TransactionEffects;
  readonly problems: readonly TransactionProblem[];
} {
  const contents = transactionContents(transaction);
  const effects = effectsOf(contents, coins);
  const { sapling } = contents;
  const authorization = {
    scriptSigs: contents.inputs.map(({ scriptSig }) => scriptSig),
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
  // Only the maker knows the binding signature's signing key; the signature itself is verified.
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

/** Returns the fee. */
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
  if (fee < leastFee(transaction)) {
    const words =
      'failed to verify ZIP-317 transaction rules, transaction was not inserted to mempool: Unpaid actions is higher than the limit';
    throw invalid(words);
  }
  return fee;
}

function leastFee({ transparent, sapling, ...pools }: Transaction): bigint {
  const actions = logicalActions({
    transparentInputBytes: transparent.inputBytes.length,
    transparentOutputBytes: transparent.outputBytes.length,
    sapling: { spends: sapling.spends.count, outputs: sapling.outputs.count },
    ...perActionPool((pool) => {
      const { count } = pools[pool].actions;
      return { spends: count, outputs: count };
    }),
  });
  return BigInt(actions * LEAST_FEE_PER_ACTION);
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
  if (field === 'scriptSig') throw invalid('script verification failed');
  if (part === 'transparent') throw invalid('could not calculate the transaction fee');
  if (!isActionPool(part)) {
    const isPoint = field === 'cv' || field === 'rk' || field === 'ephemeralKey';
    throw invalid(
      isPoint
        ? 'spend description cv and rk MUST NOT be of small order'
        : 'Sapling proof or signature verification failed',
    );
  }
  throw wrongActions();
}

/** Of a transaction that is accepted but for its proofs. A copy of its bytes is read before the answer. */
export async function checkProofs(
  view: ChainView,
  findWrongProofs: FindWrongProofs,
  bytes: Uint8Array,
): Promise<void> {
  const transaction = parseTransaction(bytes);
  const contents = transactionContents(transaction);
  const effects = effectsOf(contents, coinsOf(view, transaction));
  const wrong = await findWrongProofs(effects, (pool) => contents[pool]?.proof);
  if (wrong.length > 0) throw wrongActions();
}

function checkAgainstMempool(
  { mempool }: ChainView,
  spent: Pick<BuiltTransaction, 'spends' | 'coins'>,
): void {
  const taken = new Set(mempool.transactions.flatMap(namesOfSpent));
  if (!namesOfSpent(spent).some((name) => taken.has(name))) return;
  const words =
    'any transaction with the same effects will be rejected from the mempool until the next chain tip block: transaction rejected because another transaction in the mempool has already spent some of its inputs';
  throw new RpcError(VERIFY, words);
}

/** Whether a transaction that the chain accepted can be in the block at `height`. */
export function isMineableAt({ params }: ChainView, bytes: Uint8Array, height: Height): boolean {
  const { consensusBranchId, expiryHeight } = parseTransaction(bytes);
  const isAlive = expiryHeight === 0 || expiryHeight >= height;
  return isAlive && consensusBranchId === branchIdAt(params.activation, height);
}
