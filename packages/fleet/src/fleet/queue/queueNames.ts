// The names of the queue in Redis, and the size limits of its contents.

export const QUEUE_NAME = 'wallet-companion-scan';
export const JOB_NAME = 'scan';
/** Base64: 100,000 keys. */
export const MAX_JOB_CHARACTERS = 8 * 2 ** 20;
/** Half a million nullifiers, in 500 blocks at most. A job with more is scanned by the companion. */
export const MAX_RESULT_BYTES = 16 * 2 ** 20;
/** A result or a job, and the reply around it. */
export const MAX_REPLY_BYTES = 20 * 2 ** 20;
/** For results that were never fetched because their companion is gone. */
export const KEPT_SECONDS = 3_600;

/** Results lie beside the queue: BullMQ would also send each one in the events, in one reply with all the others. */
export const resultKey = (id: string): string => `${QUEUE_NAME}:result:${id}`;
