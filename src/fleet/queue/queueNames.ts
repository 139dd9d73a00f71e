// What the queue is called in Redis, and how large its contents may be.

export const QUEUE_NAME = 'wallet-companion-scan';
export const JOB_NAME = 'scan';
/** Base64: 100,000 keys. */
export const MAX_JOB_CHARACTERS = 8 * 2 ** 20;
/** Base64: far more nullifiers than 1,000 full blocks have. */
export const MAX_RESULT_CHARACTERS = 128 * 2 ** 20;
