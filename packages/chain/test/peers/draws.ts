// Numbers that look drawn and are the same in each run.

/** An integer from 0 to below the bound: the generator of Park and Miller. */
export function draws(): (bound: number) => number {
  let state = 1;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}
