// Who did what with which result: lines of JSON in a file of bounded size, never with content.

import { timeText } from '@wallet-companion/base/values';
import type { Output } from '../protocol/operations.ts';

type Line = Output<'grants.log'>['lines'][number];

export interface LinesFile {
  /** Never throws: a full disk stops no call. */
  write(line: string): void;
  /** The newest lines, the oldest of them first; fewer where there are fewer. */
  latest(): readonly string[];
}

export class GrantLog {
  readonly #file: LinesFile;
  readonly #now: () => number;

  constructor(file: LinesFile, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  add(line: Omit<Line, 'at'>): void {
    this.#file.write(`${JSON.stringify({ at: timeText(this.#now()), ...line })}\n`);
  }

  /** The latest first. */
  lines(limit: number, grant?: string): Line[] {
    const found: Line[] = [];
    for (const text of this.#file.latest().toReversed()) {
      const line = parsed(text);
      if (line === undefined || (grant !== undefined && line.grant !== grant)) continue;
      found.push(line);
      if (found.length === limit) break;
    }
    return found;
  }
}

/** A line may be cut where the machine lost power. */
function parsed(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Partial<Line>;
    const { at, grant, name, operation, wallet = null, result } = line;
    const texts = [at, grant, name, operation, result];
    return texts.every((one) => typeof one === 'string')
      ? ({ at, grant, name, operation, wallet, result } as Line)
      : undefined;
  } catch {
    return undefined;
  }
}
