// One hook of config.json for one wallet: what it reads there, and the way to its receiver.

import type { After } from '@wallet-companion/base/async';
import type { WayTo } from '@wallet-companion/base/proxy';
import type { HookSetting } from '../protocol/hookEvents.ts';
import { ChangesLane, wantedChanges } from './changesLane.ts';
import { commandHook } from './commandHook.ts';
import type { Deliver, Delivery } from './delivery.ts';
import { about, Hook, type HookLog } from './hook.ts';
import type { HookReads } from './hookLink.ts';
import { type HookRecords, recordName } from './hookRecords.ts';
import { InvoicesLane } from './invoicesLane.ts';
import { Lanes } from './lane.ts';
import { webhook } from './webhook.ts';

export interface HookEnvironment {
  readonly log: HookLog;
  readonly requestId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly elapsed: () => number;
  readonly after: After;
  readonly random: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a grant, by its name, may hear this now; default: always. */
  readonly mayHear?: (grant: string, delivery: Delivery) => boolean;
  /** How requests leave this machine; default: directly. */
  readonly wayTo?: WayTo;
  /** Default: chosen by the setting. */
  readonly way?: (setting: HookSetting) => Deliver;
}

/** Whose events, from where. */
export interface HookSource {
  readonly link: HookReads;
  readonly wallet: string;
  /** Known to be locked: it is not asked before it is open, which would start its thread. */
  readonly isLocked: boolean;
}

export function walletHook(
  setting: HookSetting,
  source: HookSource,
  records: HookRecords,
  environment: HookEnvironment,
): Hook {
  const { wallet } = source;
  const { log, requestId, now } = environment;
  const wanted = wantedChanges(setting.events);
  const beganAnew = () =>
    log.warn(
      about(setting, wallet),
      'the place of a hook in the changes is not known: it begins anew from now',
    );
  const record = records.get(recordName(setting.name, wallet));
  const context = { ...source, requestId, now, save: () => records.save(), beganAnew };
  const lanes = [
    ...(wanted.size === 0 ? [] : [new ChangesLane(wanted, record, context)]),
    ...(setting.events.includes('invoice.changed') ? [new InvoicesLane(record, context)] : []),
  ];
  return new Hook(setting, {
    ...environment,
    wallet,
    record,
    records,
    deliver: withinGrant(setting, environment),
    changes: lanes.length === 0 ? undefined : new Lanes(lanes),
    newId: requestId,
  });
}

/** What the grant may not hear counts as delivered: it is looked at before each delivery, as grants end. */
function withinGrant(setting: HookSetting, environment: HookEnvironment): Deliver {
  const deliver = environment.way?.(setting) ?? wayOf(setting, environment);
  const { grant } = setting;
  if (grant === undefined) return deliver;
  return async (delivery, stop) =>
    environment.mayHear?.(grant, delivery) === false ? undefined : deliver(delivery, stop);
}

function wayOf(
  { name, command, url, secret_file: secretFile }: HookSetting,
  environment: HookEnvironment,
): Deliver {
  return url !== undefined && secretFile !== undefined
    ? webhook(name, url, secretFile, environment)
    : commandHook(name, command ?? [], environment);
}
