// How a value is marked as one of its kind, for the compiler alone: nothing of it exists at run time.

declare const kind: unique symbol;

/** Only what was said to be of the kind. */
export type Marked<Value, Kind extends string> = Value & { readonly [kind]: Kind };

/** Any plain value, but none that is marked as another kind. */
export type Marking<Value, Kind extends string> = Value & { readonly [kind]?: Kind };
