import { z } from 'zod';
import type { TemplateRow } from './tables.ts';
import { line, message } from '../text.ts';

/** The words of a template that a site's own texts replace. */
export const PLACEHOLDERS = ['SITE_URL', 'TITLE', 'DESCRIPTION', 'BODY'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Matches a placeholder: the word alone, and not as the name of a tag in capitals (`<TITLE>`). */
export const PLACEHOLDER = new RegExp(
  String.raw`(?<![\p{L}\p{N}_]|<\/?)(?:${PLACEHOLDERS.join('|')})(?![\p{L}\p{N}_])`,
  'gu',
);

/** Returns the placeholders of a text, each once, in the order of PLACEHOLDERS. */
export function placeholdersIn(text: string): Placeholder[] {
  const found = new Set([...text.matchAll(PLACEHOLDER)].map(([word]) => word));
  return PLACEHOLDERS.filter((name) => found.has(name));
}

/** The largest ZIP that is accepted, in bytes. */
export const MAX_TEMPLATE_BYTES = 20 * 1024 * 1024;

const ZIP_TYPES = new Set(['application/zip', 'application/x-zip-compressed', 'application/x-zip']);

/** Whether a file may be chosen as a template, by its name or type. The server checks its content. */
export const isZipName = ({ name, type }: { name: string; type: string }): boolean =>
  /\.zip$/i.test(name) || ZIP_TYPES.has(type.toLowerCase());

const NO_NAME = message('template.name_required');

/** The form of a template; its ZIP comes beside it as the file `template_file`. */
export const TemplateInput = z.object({
  name: line(200, NO_NAME).min(1, NO_NAME),
});
export type TemplateInput = z.infer<typeof TemplateInput>;

/** Fields of an edit: absent fields stay. */
export const TemplateChange = TemplateInput.partial();
export type TemplateChange = z.infer<typeof TemplateChange>;

/**
 * A template in a list. `file_path` is a link that downloads the ZIP for ten minutes without a header; null if there is no
 * ZIP, or no user to give a link to. `size` is that of the ZIP in bytes, `files` counts those a site is made of, `domains`
 * those of the portfolio that use it. Only its creator and admins may edit it (`can_edit`).
 */
export interface TemplateView extends Pick<
  TemplateRow,
  'id' | 'name' | 'file_name' | 'size' | 'files' | 'created_at' | 'updated_at'
> {
  file_path: string | null;
  placeholders: Placeholder[];
  domains: number;
  can_edit: boolean;
}

/** A file of a template: its unpacked size in bytes, and its placeholders; `text`: whether it is searched for them. */
export interface TemplateEntry {
  path: string;
  size: number;
  text: boolean;
  placeholders: Placeholder[];
}

/** Content of a template's ZIP; entries are sorted by path. */
export interface TemplateScan {
  size: number;
  placeholders: Placeholder[];
  entries: TemplateEntry[];
}
