// Abort signals that follow another one.

export interface FollowingAbort {
  readonly signal: AbortSignal;
  abort(): void;
  /** Removes its listener from the followed signal. */
  unfollow(): void;
}

/** Aborts on request, and with the same reason when `leader` does. */
export function following(leader: AbortSignal | undefined): FollowingAbort {
  const own = new AbortController();
  // Not `AbortSignal.any`, which leaves memory behind in a long-lived signal.
  const follow = (): void => own.abort(leader?.reason);
  if (leader?.aborted === true) follow();
  else leader?.addEventListener('abort', follow, { once: true });
  return {
    signal: own.signal,
    abort: () => own.abort(),
    unfollow: () => leader?.removeEventListener('abort', follow),
  };
}
