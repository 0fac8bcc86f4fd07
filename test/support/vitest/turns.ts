/** Whether every case of a matrix is played in every place, as `npm run test:long` does with WHOLE_MATRIX=1. */
export const isWholeMatrix = process.env['WHOLE_MATRIX'] === '1';

const remainder = process.env['TEST_POSTGRES'] === undefined ? 0 : 1;

/**
 * Whether a case of a matrix is played on the database of this project: the even ones are on SQLite, the odd ones on PostgreSQL, so
 * that a run of both plays each case once. All are with WHOLE_MATRIX=1.
 */
export const isTurnOf = (number: number): boolean => isWholeMatrix || number % 2 === remainder;

/** Returns the cases of a list whose turn it is on the database of this project. */
export const inTurns = <T>(cases: readonly T[]): T[] => cases.filter((_, index) => isTurnOf(index));

/** Returns every third case of a list whose cases are made from one declaration each, from `first` on; all with WHOLE_MATRIX=1. */
export const everyThird = <T>(cases: readonly T[], first: 0 | 1 | 2 = 0): T[] =>
  cases.filter((_, index) => isWholeMatrix || index % 3 === first);
