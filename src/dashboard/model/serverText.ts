// What is known of a server, in a sentence.

import type { Output } from '../../client/operationTypes.ts';
import type { Formats } from './amounts.ts';

export type Server = Output<'system.status'>['node'];

export function serverText({ state, since, tip_height }: Server, formats: Formats): string {
  const when = since === null ? '' : ` Since ${formats.moment(since)}.`;
  const tip = tip_height === null ? '' : ` Its newest block is ${formats.count(tip_height)}.`;
  switch (state) {
    case 'up':
      return `It answers.${tip}`;
    case 'behind':
      return `It answers, and is behind what was scanned already.${tip}`;
    case 'lost':
      return `It does not answer.${when}`;
    case 'refused':
      return `It answers, but not as it should, or it does not let the companion in.${when}`;
    case 'wrong_network':
      return `It is on another network than the wallet.${when}`;
    default:
      return 'Not asked yet.';
  }
}
