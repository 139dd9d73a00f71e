// How often a check repeats itself: `npm test` holds each behaviour once, `npm run test:full` goes on at length. It runs
// again the tests that import this file (scripts/testFull.mjs).

/** Every name, shape or place, where `npm test` tries one of each. */
export const AT_LENGTH = process.env['WALLET_COMPANION_AT_LENGTH'] === '1';

/** A variable of the environment may ask for another number. */
export const runs = (usual: number, atLength = usual * 10, variable = ''): number =>
  Number(process.env[variable] ?? (AT_LENGTH ? atLength : usual));

/** At length all of them, else one in so many. */
export const oneIn = <T>(count: number, all: readonly T[]): readonly T[] =>
  AT_LENGTH ? all : all.filter((_, place) => place % count === 0);

/** What is tried in each of several ways: at length all ways, else one for each in turn. */
export const inTurn = <T>(ways: readonly T[], place: number): readonly T[] =>
  AT_LENGTH ? ways : [ways[place % ways.length]!];
