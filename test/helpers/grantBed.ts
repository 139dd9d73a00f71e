// Grants without files: a book in memory, with a clock that only moves when told.

import { Access, type AccessSettings } from '../../src/grants/access.ts';
import type { Grant } from '../../src/grants/grant.ts';
import { GrantBook } from '../../src/grants/grantBook.ts';
import { GrantLog } from '../../src/grants/grantLog.ts';
import { grantHandlers } from '../../src/grants/handlers.ts';
import { PageCodes } from '../../src/grants/pageCodes.ts';
import { Pairings } from '../../src/grants/pairings.ts';
import { Till } from '../../src/grants/till.ts';
import { dispatchMessage } from '../../src/protocol/dispatch.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import { GRANT_ERRORS } from '../../src/protocol/grants.ts';
import { COMMON_ERRORS } from '../../src/protocol/operation.ts';
import {
  type FeatureHandlers,
  type HandlerContext,
  type Handlers,
  type OperationName,
  type Output,
  operations,
} from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { seededRandom } from './seededRandom.ts';

type Handled = keyof (FeatureHandlers<'grants', 'service'> & FeatureHandlers<'pairing', 'service'>);

/** Callers as the handlers see them: who owns the files, who gave the password with the call, and who did neither. */
export const BY_OWNER: HandlerContext = { requestId: 'test', byOwner: true, hasPassword: false };
export const WITH_PASSWORD: HandlerContext = { requestId: 'test', byOwner: false, hasPassword: true };
export const WITHOUT_PASSWORD: HandlerContext = { requestId: 'test', byOwner: false, hasPassword: false };

export interface Calls {
  /** As the front calls. By the owner, where nobody else is named. */
  call<N extends Handled>(name: N, input?: object, caller?: HandlerContext): Promise<Output<N>>;
  /** Throws when the call succeeded, or failed in a way that the table does not know. */
  failure(name: Handled, input?: object, caller?: HandlerContext): Promise<CompanionError>;
  /** Its code alone. */
  failureCode(name: Handled, input?: object, caller?: HandlerContext): Promise<string>;
}

export interface GrantBed extends Calls {
  readonly access: Access;
  readonly book: GrantBook;
  readonly pages: PageCodes;
  readonly pairings: Pairings;
  readonly log: GrantLog;
  readonly handlers: ReturnType<typeof grantHandlers>;
  /** What was written last. */
  readonly written: () => readonly Grant[];
  /** How often the file was written. */
  readonly writes: () => number;
  readonly reported: Output<'pairing.list'>[];
  /** Changed by tests. */
  settings: AccessSettings;
  now: number;
  /** How far the time of day was set. */
  set: number;
  /** Of the newest scanned block, in seconds. */
  scannedTime: number | null;
}

/** `fails`: whether the file cannot be written now. */
export function grantBed(
  seed: string,
  given: Partial<AccessSettings> = {},
  kept: readonly Grant[] = [],
  fails: () => boolean = () => false,
): GrantBed {
  const lines: string[] = [];
  let written = kept;
  let writes = 0;
  const reported: Output<'pairing.list'>[] = [];
  const now = () => bed.now;
  const elapsed = () => bed.now - bed.set;
  const settings = () => bed.settings;
  const chance = { now, elapsed, randomBytes: seededRandom(seed) };
  const book = new GrantBook({
    ...chance,
    file: {
      read: () => kept,
      write: async (grants) => {
        if (fails()) throw new Error('no space');
        written = grants;
        writes += 1;
      },
    },
  });
  const pages = new PageCodes(chance);
  const log = new GrantLog({ write: (line) => void lines.push(line.trimEnd()), latest: () => lines }, now);
  const pairings = new Pairings({
    ...chance,
    book,
    allowedOrigins: () => settings().allowedOrigins,
    allowOnly: async (allowedOrigins) => {
      bed.settings = { ...bed.settings, allowedOrigins };
    },
    changed: (pairing) => void reported.push(pairing),
  });
  const handlers = grantHandlers({
    ...{ book, pages, pairings, log, settings, now },
    till: new Till({ ...chance, book, pages }),
    scannedTime: async () => bed.scannedTime,
  });
  const bed: GrantBed = {
    ...callsOf(handlers),
    access: new Access({ settings, book, pages, log, now, elapsed }),
    book,
    pages,
    pairings,
    log,
    handlers,
    written: () => written,
    writes: () => writes,
    reported,
    settings: { anonymousAccess: 'full', allowedOrigins: [], ...given },
    now: Date.UTC(2026, 0, 1),
    set: 0,
    scannedTime: null,
  };
  return bed;
}

function callsOf(handlers: ReturnType<typeof grantHandlers>): Calls {
  const call = async (name: Handled, input: object = {}, caller = BY_OWNER): Promise<never> => {
    const logFault = (_where: string, fault: unknown): never => {
      throw fault;
    };
    const message = { name, input, ...caller };
    const result = await dispatchMessage('service', handlers as Handlers<'service'>, message, { logFault });
    return operations[name].output.parse(unwrap(result)) as never;
  };
  const failure = async (name: Handled, input?: object, caller?: HandlerContext): Promise<CompanionError> => {
    try {
      await call(name, input, caller);
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error;
      const known = [...COMMON_ERRORS, ...GRANT_ERRORS, ...operations[name as OperationName].errors];
      if (!known.includes(error.code))
        throw new Error(`the table does not say that ${name} can answer ${error.code}`);
      return error;
    }
    throw new Error(`${name} succeeded`);
  };
  return { call, failure, failureCode: async (...given) => (await failure(...given)).code };
}

/** As a companion without grants: everything is open to programs, and to these origins all but what is the owner's. */
export function openAccess(allowedOrigins: () => readonly string[] = () => []): Access {
  const bed = grantBed('open');
  return new Access({
    ...bed,
    settings: () => ({ anonymousAccess: 'full', allowedOrigins: allowedOrigins() }),
    now: () => bed.now,
    elapsed: () => bed.now,
  });
}
