// Operations about the companion itself.

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
} as const satisfies Record<string, Operation>;
