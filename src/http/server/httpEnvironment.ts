// What the HTTP front needs from outside, injected so that tests control time and the log.

/** Milliseconds from any fixed point; never goes back. */
export type MonotonicClock = () => number;

/** The part of pino that the front uses. */
export interface HttpLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
