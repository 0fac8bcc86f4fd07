import { InvalidArgumentError } from 'commander';

/** Reads a whole number of a flag between two bounds. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) throw new InvalidArgumentError(`${least}–${most}`);
    return value;
  };
