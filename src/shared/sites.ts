/** The sites table: what a domain's site is made of. `release` is the one that was switched to last; null: none yet. */
export interface SiteRow {
  id: number;
  domain_id: number;
  template_id: number;
  html_name: string;
  html: string;
  release: string | null;
  deployed_at: string | null;
  updated_at: string;
}

/** A file of a site, its path relative to the web root, with forward slashes. */
export interface SiteFile {
  path: string;
  content: Uint8Array;
}
