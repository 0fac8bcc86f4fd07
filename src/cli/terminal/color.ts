import { isatty } from 'node:tty';
import type { Asked } from './asked.ts';

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/** Whether an escape sequence may go to a stream. Asks the system, because making the stream itself takes milliseconds. */
export const isRich = (asked: Asked, stream: keyof typeof DESCRIPTORS): boolean =>
  asked.color && isatty(DESCRIPTORS[stream]);

/** Tells chalk and Ink, which look at the environment when they are loaded. */
export function decideColor(asked: Asked): void {
  process.env['FORCE_COLOR'] = isRich(asked, 'stdout') || isRich(asked, 'stderr') ? '1' : '0';
}
