// How the compact server misbehaves on request, in ways that a client has to survive.
import type { Omission } from './omission.ts';

export type CompactMethod =
  | 'GetLatestBlock'
  | 'GetBlock'
  | 'GetBlockRange'
  | 'GetTransaction'
  | 'SendTransaction'
  | 'GetTreeState'
  | 'GetLightdInfo'
  | 'GetMempoolStream'
  | 'GetSubtreeRoots'
  | 'GetAddressUtxos';

export interface CompactFault {
  readonly kind:
    | 'short-stream' // a range ends with status OK before block `at`, a stream of the mempool at once
    | 'gap' // block `at` is left out of a range
    | 'duplicate' // block `at` comes twice
    | 'stale-branch' // ranges still hold the abandoned branch, up to block `at` when given
    | 'garbage' // random bytes instead of the message (of block `at` in a range)
    | 'stall' // nothing more comes (from block `at` on in a range, not even the end of a stream of the mempool)
    | 'lost' // what was asked for is done, and fails with UNAVAILABLE (not in a range)
    | 'error' // fails with UNAVAILABLE (before block `at` in a range)
    | 'not-offered' // the server does not know the call
    | 'omission' // blocks of a range, from `at` on when given, leave out what `omission` says
    | 'flood' // transactions of a stream of the mempool never end
    | 'other-network'; // the server reports another network
  /** Height; the first block of the range when absent. Only for faults of ranges. */
  readonly at?: number;
  readonly omission?: Omission;
  /** The method that is hit. Default: GetBlockRange for faults of ranges, GetLightdInfo for `other-network`. */
  readonly method?: CompactMethod;
  /** How many calls are hit; default: all until `behave()`. */
  readonly times?: number;
  /** How many calls pass before the first hit. */
  readonly after?: number;
  /** Called for each call that stalls, after all data before the stall has been sent. */
  readonly onStall?: () => void;
}

/** The method that a fault hits where it names none. */
export function usualMethod({ kind }: CompactFault): CompactMethod {
  return kind === 'other-network' ? 'GetLightdInfo' : 'GetBlockRange';
}
