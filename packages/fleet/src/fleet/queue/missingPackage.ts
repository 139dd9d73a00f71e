// Which packages the queue needs, for who checks that they are there without loading them.

import { CompanionError } from '@wallet-companion/client/contract';

export const QUEUE_PACKAGES = ['bullmq', 'ioredis'] as const;

export const missingPackage = (name: string, cause: unknown): CompanionError =>
  new CompanionError(
    'INVALID_REQUEST',
    `A scan fleet needs the optional package ${name}, which is not installed. Install both beside the companion: npm install -g ${QUEUE_PACKAGES.join(' ')}`,
    { cause },
  );
