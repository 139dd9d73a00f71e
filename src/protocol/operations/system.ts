// Operations about the companion itself, the doctor included.

import * as z from 'zod';
import * as field from '../fields.ts';
import type { Operation } from '../operation.ts';

export const systemOperations = {
  'system.version': {
    actor: 'wallet',
    ofCompanion: true,
    access: 'anyone',
    reach: 'anyone',
    summary: 'Name, version and network of this companion',
    input: z.strictObject({}),
    output: z.strictObject({
      name: z.string(),
      version: z.string(),
      api_version: z.literal(1),
      network: field.network,
      features: z.array(z.string()),
    }),
    http: { method: 'GET', path: '/api/version' },
    ipc: 'version',
    cli: { words: ['version'] },
    errors: [],
  },
  'system.backup': {
    actor: 'service',
    access: 'anyone',
    reach: ['admin'],
    summary: 'When everything was last backed up to one file, and whether that is long ago',
    input: z.strictObject({}),
    output: z.strictObject({
      last_backup_at: field.time.nullable().describe('Null where no backup is known'),
      overdue: z
        .boolean()
        .describe('There is a wallet, and the last backup is more than 30 days old, or none is known'),
      warning: z.string().nullable().describe('The reminder in words; null where none is due'),
    }),
    http: { method: 'GET', path: '/api/backup' },
    ipc: 'backup',
    cli: { words: ['backup-status'] },
    errors: [],
  },
} as const satisfies Record<string, Operation>;

// What a person asks on the day when something is wrong: every part checked, each with what to do about it.
export const CHECK_STATES = ['ok', 'warn', 'fail'] as const;

const check = z.strictObject({
  check: z.string().describe('The part that was looked at'),
  state: z.enum(CHECK_STATES),
  what: z.string().describe('What was found'),
  do: z.string().nullable().describe('What to do about it; null where nothing is to be done'),
});

export type Check = Readonly<z.output<typeof check>>;

export const doctorOperations = {
  'doctor.run': {
    actor: 'service',
    access: 'anyone',
    reach: ['admin'],
    summary:
      'Check servers, settings, files, disk, memory, hooks and service, and say what to do. Nothing private is in the answer',
    input: z.strictObject({}),
    output: z.strictObject({
      worst: z.enum(CHECK_STATES).describe('The worst state among the checks'),
      checks: z.array(check),
    }),
    http: { method: 'GET', path: '/api/doctor' },
    ipc: 'doctor',
    cli: { words: ['doctor'], view: 'checks', mustPass: true },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
