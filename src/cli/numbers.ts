import { InvalidArgumentError } from 'commander';

/** Reads a whole number of a flag between two bounds. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) throw new InvalidArgumentError(`${least}–${most}`);
    return value;
  };

/** Reads a time in seconds, of up to ten minutes, with a fraction if need be. */
export function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0 || value > 600) throw new InvalidArgumentError('0.1–600');
  return value;
}
