// Jobs and results as bytes, and these sealed.

export type { Sealing } from '../fleet/ports/sealing.ts';
export { FleetSeal } from '../fleet/sealed/fleetSeal.ts';
export { decodeJob, encodeJob } from '../fleet/sealed/scanJob.ts';
export { decodeResult, encodeResult, type ScanResult, WORKER_ID_BYTES } from '../fleet/sealed/scanResult.ts';
