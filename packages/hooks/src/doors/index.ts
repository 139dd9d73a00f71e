// Deliveries of a companion's events to programs and web addresses.

export type { Deliver, Delivery, Failure } from '../hooks/delivery.ts';
export type { HookLink } from '../hooks/hookLink.ts';
export type { RecordFile } from '../hooks/hookRecords.ts';
export { Hooks, type HooksEnvironment } from '../hooks/hooks.ts';
