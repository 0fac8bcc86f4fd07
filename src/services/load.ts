import { readWait, writeWait } from '../../db/index.ts';
import { readingFor } from '../../db/readers.ts';

/** Runs a call for a client: once `signal` fires, its reads that still wait are dropped. `urgent` ones go ahead. */
export const forClient = readingFor;

/** Seconds until a read that came now would be answered, as far as the last ones tell. */
export const readDelay = (): number => readWait() / 1000;

/** Seconds until a write that came now would begin, as far as the last ones tell. */
export const writeDelay = (): number => writeWait() / 1000;
