// The companion's end, in the thread with its keys: cuts ranges into jobs, and checks what comes back.

export { type Accused, FleetPool, type FleetPoolParts } from '../fleet/companion/fleetPool.ts';
export type { FleetRange, Trouble } from '../fleet/companion/fleetRange.ts';
export { cutJobs } from '../fleet/companion/jobPlan.ts';
export type { BlockRange, Heights, LocalPool, OwnChain, TimedBatch } from '../fleet/ports/blocks.ts';
export { JobLost, type JobQueue, type LostReason, type QueuePlace } from '../fleet/ports/jobQueue.ts';
