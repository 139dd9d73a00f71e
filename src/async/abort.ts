// Signals that end with another one.

export interface FollowingAbort {
  readonly signal: AbortSignal;
  abort(): void;
  /** Leaves no trace in the signal that was followed. */
  unfollow(): void;
}

/** Aborts when told to, and with the same reason when `leader` does. */
export function following(leader: AbortSignal | undefined): FollowingAbort {
  const own = new AbortController();
  // Not `AbortSignal.any`, of which a trace stays in a signal that lives long.
  const follow = (): void => own.abort(leader?.reason);
  if (leader?.aborted === true) follow();
  else leader?.addEventListener('abort', follow, { once: true });
  return {
    signal: own.signal,
    abort: () => own.abort(),
    unfollow: () => leader?.removeEventListener('abort', follow),
  };
}
