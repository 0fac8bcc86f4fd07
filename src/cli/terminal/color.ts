import { isatty } from 'node:tty';
import type { Asked } from './asked.ts';

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/**
 * Returns whether escape sequences may be written to a stream. Asks the system, because creating the stream takes
 * milliseconds.
 */
export const isRich = (asked: Asked, stream: keyof typeof DESCRIPTORS): boolean =>
  asked.color && isatty(DESCRIPTORS[stream]);

/** Sets FORCE_COLOR for chalk and Ink, which read the environment when they are loaded. */
export function decideColor(asked: Asked): void {
  process.env['FORCE_COLOR'] = isRich(asked, 'stdout') || isRich(asked, 'stderr') ? '1' : '0';
}
