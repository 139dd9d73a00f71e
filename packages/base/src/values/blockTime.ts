// How far the time of a block may be from that of a clock.

/** A node refuses a block further ahead of its clock. */
export const MAX_FUTURE_SECONDS = 2 * 3_600;
