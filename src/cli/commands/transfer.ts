import type { Command } from 'commander';
import type { HelpTexts } from '../texts/ru.ts';
import { defineAuto } from './transfer-auto.ts';

/** `transfer auto`. */
export function define(noun: Command, help: HelpTexts): void {
  defineAuto(noun, help);
}
