// The client, and the types of what it is asked, answers and tells.

export {
  type Client,
  type ClientOptions,
  type Connection,
  connect,
  createClient,
  type FetchedResponse,
  type Groups,
  type WalletClient,
} from '../client/client.ts';
export {
  type After,
  type EventsOptions,
  events,
  type OpenStream,
  type ReceivedEvent,
  type StreamState,
} from '../client/events.ts';
export { type Progress, type SyncOptions, type SyncStep, syncToTip } from '../client/syncToTip.ts';
export { CompanionError, ERRORS, type ErrorCode, type FieldError } from '../contract/errors.ts';
export type { CompanionEvent, EventBody, EventName, EventsMissed } from '../contract/events.ts';
export type { WalletOperation } from '../contract/generated/routes.ts';
export type { Arguments, Input, OperationName, Output } from '../contract/operationTypes.ts';
export type { Problem } from '../contract/problem.ts';
