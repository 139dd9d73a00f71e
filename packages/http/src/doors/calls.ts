// Requests of which only the status counts.

export { STATUS_LIMIT_MS, statusFailure } from '../calls/statusFailure.ts';
