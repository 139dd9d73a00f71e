// What callers over HTTP may do without a grant (config.json).

export const ANONYMOUS_ACCESS = ['full', 'read', 'none'] as const;
export type AnonymousAccess = (typeof ANONYMOUS_ACCESS)[number];
