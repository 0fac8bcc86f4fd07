/** Replaces a secret that is not shown. A write with this value keeps the stored secret. */
export const MASK = '********';
