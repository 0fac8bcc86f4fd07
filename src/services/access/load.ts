import { readingFor } from '../../../db/readers.ts';

/** Runs a call for a client: once `signal` fires, its reads that still wait are dropped. `urgent` ones go ahead. */
export const forClient = readingFor;
