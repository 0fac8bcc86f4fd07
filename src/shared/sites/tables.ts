import {
  audited,
  bytes,
  id,
  integer,
  json,
  machine,
  optional,
  reference,
  table,
  text,
  time,
  type Row,
} from '../table.ts';

/** The templates table: a ZIP of `size` bytes with so many `files`; `placeholders` found in it are JSON. */
export const templates = table('templates', audited('name'), {
  id: id(),
  user_id: optional(reference('users', 'SET NULL')),
  name: text(),
  created_at: time(),
  file_name: text(),
  sha256: text(),
  size: integer(),
  files: integer(),
  placeholders: json(),
  updated_at: time(),
});
export type TemplateRow = Row<typeof templates>;

/** The template_archives table: the ZIP of a template. */
export const templateArchives = table('template_archives', machine('the ZIP of a template, whose row has its hash'), {
  id: id(),
  template_id: reference('templates', 'CASCADE'),
  archive: bytes(),
});
export type TemplateArchiveRow = Row<typeof templateArchives>;

/**
 * The sites table: the sources of a domain's site. `release` is the one switched to last; null: none yet. `folder_claim` is
 * the claim of its domain on the folder to which it was deployed.
 */
export const sites = table('sites', audited('html_name', ['release', 'deployed_at', 'folder_claim']), {
  id: id(),
  domain_id: reference('domains', 'CASCADE'),
  template_id: reference('templates', 'RESTRICT'),
  html_name: text(),
  html: text(),
  release: optional(text()),
  deployed_at: optional(time()),
  updated_at: time(),
  folder_claim: optional(integer()),
});
export type SiteRow = Row<typeof sites>;
