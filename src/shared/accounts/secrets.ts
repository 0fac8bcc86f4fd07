/** Replaces a secret that is not shown. A write with this value keeps the stored secret. */
export const MASK = '********';

/** The least length of a passphrase by which a backup is sealed. */
export const SHORTEST_PASSPHRASE = 10;

/** Returns a text without the byte order mark with which editors of Windows begin a file, and which nobody types. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** Returns the secret that a file or a pipe holds: without its last line end. */
export const secretIn = (text: string): string => withoutMark(text).replace(/\r?\n$/, '');

/** Whether a passphrase is long enough to seal a backup. */
export const isPassphrase = (text: string): boolean => withoutMark(text).length >= SHORTEST_PASSPHRASE;
