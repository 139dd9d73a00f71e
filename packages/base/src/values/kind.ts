// Marks a value as one kind of value for the compiler only: the mark does not exist at run time.

declare const kind: unique symbol;

/** Accepts only values that are marked as this kind. */
export type Marked<Value, Kind extends string> = Value & { readonly [kind]: Kind };

/** Accepts any plain value, but no value that is marked as another kind. */
export type Marking<Value, Kind extends string> = Value & { readonly [kind]?: Kind };
