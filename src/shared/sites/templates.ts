import { z } from 'zod';
import type { TemplateRow } from '../accounts/accounts.ts';
import { line, message } from '../text.ts';

/** The words of a template that a site's own texts take the place of. */
export const PLACEHOLDERS = ['SITE_URL', 'TITLE', 'DESCRIPTION', 'BODY'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** A placeholder: the word standing alone, and not as the name of a tag, which some write in capitals (`<TITLE>`). */
export const PLACEHOLDER = new RegExp(
  String.raw`(?<![\p{L}\p{N}_]|<\/?)(?:${PLACEHOLDERS.join('|')})(?![\p{L}\p{N}_])`,
  'gu',
);

/** The placeholders of a text, each once, in their usual order. */
export function placeholdersIn(text: string): Placeholder[] {
  const found = new Set([...text.matchAll(PLACEHOLDER)].map(([word]) => word));
  return PLACEHOLDERS.filter((name) => found.has(name));
}

/** The largest ZIP that is taken, in bytes. */
export const MAX_TEMPLATE_BYTES = 20 * 1024 * 1024;

const ZIP_TYPES = new Set(['application/zip', 'application/x-zip-compressed', 'application/x-zip']);

/** Whether a file may be chosen as a template, going by what it is called. What is in it is looked at by the server. */
export const isZipName = ({ name, type }: { name: string; type: string }): boolean =>
  /\.zip$/i.test(name) || ZIP_TYPES.has(type.toLowerCase());

/** The form of a template; its ZIP comes beside it as the file `template_file`. */
export const TemplateInput = z.object({
  name: line(200).min(1, message('template.name_required')),
});
export type TemplateInput = z.infer<typeof TemplateInput>;

/** The fields an edit may carry: what is absent stays. */
export const TemplateChange = TemplateInput.partial();
export type TemplateChange = z.infer<typeof TemplateChange>;

/**
 * A template in a list. `file_path` is a link that downloads the ZIP for ten minutes without a header; null where there
 * is no ZIP, or nobody to give a link to. `size` is the ZIP's in bytes, `files` those that a site is made of, `domains`
 * those of the portfolio that use it. Its creator and admins alone may edit it (`can_edit`).
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

/** A file of a template: its size unpacked, and which placeholders stand in it; `text` is whether they are looked for. */
export interface TemplateEntry {
  path: string;
  size: number;
  text: boolean;
  placeholders: Placeholder[];
}

/** What is in a ZIP that a site can be made of, by path. */
export interface TemplateScan {
  size: number;
  placeholders: Placeholder[];
  entries: TemplateEntry[];
}
