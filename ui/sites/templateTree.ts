import type { TemplateEntry } from '../../src/shared/sites/templates.ts';

/** A folder of a template: subfolders first, then files, each sorted by name. */
export interface Folder {
  name: string;
  path: string;
  folders: Folder[];
  files: TemplateEntry[];
}

const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name);

/** Returns the name of a file without its folder. */
export const nameOf = ({ path }: TemplateEntry): string => path.slice(path.lastIndexOf('/') + 1);

/** Builds the tree from a flat list of paths. */
export function treeOf(entries: readonly TemplateEntry[]): Folder {
  const root: Folder = { name: '', path: '', folders: [], files: [] };
  const known = new Map([['', root]]);
  const folderOf = (path: string): Folder => {
    const there = known.get(path);
    if (there) return there;
    const cut = path.lastIndexOf('/');
    const folder: Folder = { name: path.slice(cut + 1), path, folders: [], files: [] };
    known.set(path, folder);
    folderOf(cut === -1 ? '' : path.slice(0, cut)).folders.push(folder);
    return folder;
  };
  for (const entry of entries) {
    const cut = entry.path.lastIndexOf('/');
    folderOf(cut === -1 ? '' : entry.path.slice(0, cut)).files.push(entry);
  }
  for (const folder of known.values()) folder.folders.sort(byName);
  return root;
}
