// A worker's end, in the thread with the keys of its jobs.

export type { JobOutcome, WorkOnJob } from '../fleet/ports/jobQueue.ts';
export { type JobWorkParts, jobWork, type ScannedBatch, type ScanRange } from '../fleet/worker/jobWork.ts';
