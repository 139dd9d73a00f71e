// The place of an item in a PCZT, for programs and for people.
import { isActionPool } from '@wallet-companion/zcash/pools';
import type { Place } from '../inspection.ts';

export interface At {
  /** Such as `ironwood.actions[0].output`; empty for the whole PCZT. */
  readonly field: string;
  /** Undefined for the transaction as a whole. */
  readonly place: Place | undefined;
  /** Index among the actions, spends, outputs or inputs, from 0; undefined for all of them. */
  readonly index: number | undefined;
  /** The list, or the half of an action; inputs are spends here. */
  readonly part: 'spend' | 'output' | undefined;
}

export const WHOLE: At = { field: '', place: undefined, index: undefined, part: undefined };

export const bundleAt = (place: Place): At => ({ ...WHOLE, field: place, place });

/** A list of spends or outputs, or of actions. */
export function listAt(place: Place, part: At['part']): At {
  const isOfActions = part === undefined || (place !== 'transparent' && isActionPool(place));
  const list = isOfActions ? 'actions' : place === 'transparent' && part === 'spend' ? 'inputs' : `${part}s`;
  return { field: `${place}.${list}`, place, index: undefined, part };
}

/** Names a place in a PCZT as it is written in messages: `orchard.actions[0].spend`. */
export function itemAt(place: Place, index: number, part: At['part']): At {
  const list = listAt(place, part);
  const half = list.field.endsWith('.actions') && part !== undefined ? `.${part}` : '';
  return { ...list, field: `${list.field}[${index}]${half}`, index };
}
