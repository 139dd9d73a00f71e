// What a PCZT pays, and what counts for it (ZIP 317).
import { POOLS, perActionPool } from '../pools.ts';
import { INPUT_SIZE, logicalActions } from '../zip317.ts';
import type { TransparentInput, TransparentOutput } from './layout.ts';
import type { Pczt } from './pczt.ts';

/** Outpoint, length of the script and sequence. */
const INPUT_SIZE_WITHOUT_SCRIPT = 41;

/** Zatoshi; negative where more is paid than spent. */
export function feeOf(pczt: Pczt): bigint {
  const { inputs, outputs } = pczt.transparent;
  let fee = 0n;
  for (const pool of POOLS) fee += pczt[pool].valueSum;
  for (const { value } of inputs) fee += value;
  for (const { value } of outputs) fee -= value;
  return fee;
}

/** Its logical actions (ZIP 317). */
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

/** Before its signatures are there it is taken for a P2PKH input, the least that there is. */
function inputSize({ scriptSig }: TransparentInput): number {
  return scriptSig === undefined ? INPUT_SIZE : INPUT_SIZE_WITHOUT_SCRIPT + scriptSig.length;
}

const outputSize = ({ scriptPubkey }: TransparentOutput): number => 9 + scriptPubkey.length;
