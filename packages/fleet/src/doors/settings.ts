// Where the queue may be and what its secrets are read from, checked before anything of a fleet starts.

export { readFleetKey, readRedisPassword } from '../fleet/files/secretFile.ts';
export { missingPackage, QUEUE_PACKAGES } from '../fleet/queue/missingPackage.ts';
export { type RedisAddress, redisAddress } from '../fleet/queue/redisAddress.ts';
