// The fee that a PCZT pays, and its logical actions (ZIP 317).
import { POOLS, perActionPool } from '@wallet-companion/zcash/pools';
import { INPUT_SIZE, logicalActions } from '@wallet-companion/zcash/zip317';
import type { TransparentInput, TransparentOutput } from './layout.ts';
import type { Pczt } from './pczt.ts';

/** Outpoint, script length and sequence. */
const INPUT_SIZE_WITHOUT_SCRIPT = 41;

/** Zatoshi; negative where the outputs exceed the inputs. */
export function feeOf(pczt: Pczt): bigint {
  const { inputs, outputs } = pczt.transparent;
  let fee = 0n;
  for (const pool of POOLS) fee += pczt[pool].valueSum;
  for (const { value } of inputs) fee += value;
  for (const { value } of outputs) fee -= value;
  return fee;
}

/** The PCZT's logical actions (ZIP 317). */
export function logicalActionsOf(pczt: Pczt): number {
  const { transparent, sapling } = pczt;
  return logicalActions({
    transparentInputBytes: transparent.inputs.reduce((sum, input) => sum + inputSize(input), 0),
    transparentOutputBytes: transparent.outputs.reduce((sum, output) => sum + outputSize(output), 0),
    sapling: { spends: sapling.spends.length, outputs: sapling.outputs.length },
    ...perActionPool((pool) => {
      const { length } = pczt[pool].actions;
      return { spends: length, outputs: length };
    }),
  });
}

/** An input without signatures counts as a P2PKH input, the smallest kind. */
function inputSize({ scriptSig }: TransparentInput): number {
  return scriptSig === undefined ? INPUT_SIZE : INPUT_SIZE_WITHOUT_SCRIPT + scriptSig.length;
}

const outputSize = ({ scriptPubkey }: TransparentOutput): number => 9 + scriptPubkey.length;
