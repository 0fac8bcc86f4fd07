import { z } from 'zod';
import { DEVICES, SOURCE_CHOICES } from '../engines.ts';
import { message } from '../text.ts';
import type { PositionSettingsRow } from './tables.ts';

/** The depths that can be read, in places. */
export const DEPTHS = [10, 20, 30, 50, 100] as const;

const Region = z
  .string()
  .trim()
  .regex(/^\d{1,9}$/, message('positions.region_invalid'));
const oneOf = <const T extends number>(values: readonly T[]) =>
  z
    .number()
    .refine((value): value is T => (values as readonly number[]).includes(value), message('error.invalid_value'));

/** How the positions of a project are read; regions are the engines' own numbers. */
export const PositionSettings = z.object({
  yandex_region: Region,
  google_region: Region,
  device: z.enum(DEVICES),
  depth: oneOf(DEPTHS),
  daily_cap: z.number().int().min(0).max(1_000_000),
  every_days: oneOf([0, 1, 7]),
  source: z.enum(SOURCE_CHOICES).optional(),
});
export type PositionSettings = z.infer<typeof PositionSettings>;

/** Fields of an edit: absent fields stay, of settings that are new as the defaults. */
export const PositionChange = PositionSettings.partial();
export type PositionChange = z.infer<typeof PositionChange>;

/** The settings of a project that never saved any: Moscow, Russia, on request alone. */
export const defaultSettings = (project_id: number): PositionSettingsRow => ({
  project_id,
  yandex_region: '213',
  google_region: '2643',
  device: 'desktop',
  depth: 50,
  daily_cap: 5_000,
  every_days: 0,
  source: 'auto',
});
