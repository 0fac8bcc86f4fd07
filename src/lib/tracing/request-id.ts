import { randomUUID } from 'node:crypto';

const WELL_FORMED = /^[\w.-]{8,64}$/;

/** Returns the id that a caller has given, where it is well formed, else a new one. It comes into logs: it is no place for a secret. */
export const requestIdOf = (given = ''): string => (WELL_FORMED.test(given) ? given : randomUUID());

let read: () => string | undefined = () => undefined;

/** Sets where the id of the running request is read; called by what knows who acts. */
export const readRequestId = (from: () => string | undefined): void => {
  read = from;
};

/** Returns the id of the request, run or command on whose account the caller runs; undefined: there is none. */
export const currentRequestId = (): string | undefined => read();
