// The outside before anything is added, at Cloudflare and on the host of two servers: names, records, files.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cdn } from '../../support/cdn.ts';

export const RULE = 'a'.repeat(32);

/** Names and texts that only the victim may see. */
export const KEPT = {
  project: 'Kept plan',
  zone: 'kept-zone.com',
  reserve: 'kept-reserve.com',
  sibling: 'kept.shared-zone.com',
  deep: 'kept.later-zone.com',
  folder: '/srv/kept/folder',
  other: '/srv/kept-other/folder',
  record: 'kept-record-text',
  address: '198.51.100.77',
  rule: 'kept-target.com',
  page: 'kept page text',
  password: 'kept password',
};

/** Returns the files below a folder, each with its mode and content. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [`${path} ${statSync(path).mode} ${readFileSync(path, 'utf8')}`];
  });

const forwarding = (zone: string) => ({
  id: RULE,
  targets: [{ target: 'url' as const, constraint: { operator: 'matches', value: `*${zone}/*` } }],
  actions: [{ id: 'forwarding_url', value: { url: `https://${KEPT.rule}/$2`, status_code: 301 } }],
  priority: 1,
  status: 'active' as const,
  created_on: '2026-01-01T00:00:00Z',
  modified_on: '2026-01-01T00:00:00Z',
});

export function addZones(cdn: Cdn): void {
  const records = [`A @ ${KEPT.address}`, `TXT @ ${KEPT.record}`];
  cdn.addZone(KEPT.zone, [...records, 'A x 198.51.100.2']).page_rules.push(forwarding(KEPT.zone));
  cdn.addZone(KEPT.reserve, records);
  cdn.addZone('shared-zone.com', [`A kept ${KEPT.address}`, 'A own 198.51.100.2', 'A @ 198.51.100.3']);
  cdn.addZone('later-zone.com', [`A kept ${KEPT.address}`, 'A @ 198.51.100.2']);
  cdn.zone('later-zone.com').page_rules.push(forwarding('later-zone.com'));
  cdn.addZone('own-zone.com', ['A @ 198.51.100.2']);
  cdn.addZone('own-reserve.com', ['A @ 198.51.100.2']);
}

export function addFolders(root: string): void {
  for (const folder of [KEPT.folder, KEPT.other]) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'index.html'), KEPT.page);
  }
}
