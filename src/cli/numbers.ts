import { InvalidArgumentError } from 'commander';

/** Returns a parser for a flag's whole number within bounds. Throws InvalidArgumentError. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) throw new InvalidArgumentError(`${least}–${most}`);
    return value;
  };

/** Parses a duration in seconds, with an optional fraction, of up to ten minutes. Throws InvalidArgumentError. */
export function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0 || value > 600) throw new InvalidArgumentError('0.1–600');
  return value;
}
