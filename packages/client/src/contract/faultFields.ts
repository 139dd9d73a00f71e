// Which parts of a failure may be logged, for every thread and surface.

/** Codes, class, file and stack, but never the message, because it may quote input. */
export function faultFields(fault: unknown): Record<string, unknown> {
  if (!(fault instanceof Error)) return { kind: typeof fault };
  const { code, path } = fault as { code?: unknown; path?: unknown };
  return {
    kind: fault.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof path === 'string' ? { path } : {}),
    stack: fault.stack?.split('\n').filter((line) => line.startsWith('    at ')),
    ...(fault.cause === undefined ? {} : { cause: faultFields(fault.cause) }),
  };
}
