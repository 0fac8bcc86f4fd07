import type { SiteRow } from './tables.ts';

/** A file of a site, its path relative to the web root, with forward slashes. */
export interface SiteFile {
  path: string;
  content: Uint8Array;
}

/** A domain's site without its text. `deploying` is the operation that works on it now; null: none. */
export interface SiteView extends Pick<
  SiteRow,
  'template_id' | 'html_name' | 'release' | 'deployed_at' | 'updated_at'
> {
  template_name: string;
  html_bytes: number;
  deploying: number | null;
}

/** The largest page that is accepted, in bytes. */
export const MAX_HTML_BYTES = 2 * 1024 * 1024;

/** Whether a file may be chosen as a site's page, by its name. */
export const isHtmlName = (name: string): boolean => /\.html?$/i.test(name);
