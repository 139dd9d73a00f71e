// What the HTTP front takes from outside, injected so that tests own time and the log.

/** Milliseconds from any fixed point; never goes back. */
export type MonotonicClock = () => number;

/** The part of pino that is used. */
export interface HttpLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
