// The portfolio at an import, and look-ups of the registrars and projects that a file names.
import type { DomainRow } from './tables.ts';
import type { Key } from '../i18n/index.ts';

/** A domain of the portfolio, with the name of its project. `holder` is its owner. */
export type ExistingDomain = Pick<
  DomainRow,
  | 'id'
  | 'user_id'
  | 'project_id'
  | 'type'
  | 'transfer_type'
  | 'file_path'
  | 'expired_at'
  | 'registrars_id'
  | 'updated_at'
> & { project: string | null; server_id: number | null; holder: number };

export interface ExistingProject {
  id: number;
  user_id: number;
  name: string;
}

export interface ExistingRegistrar {
  id: number;
  name: string;
}

/** Domains of the portfolio among the names of a file; `taken`: another user's. `owner` is the importing user. */
export interface Existing {
  domains: ReadonlyMap<string, ExistingDomain | 'taken'>;
  projects: readonly ExistingProject[];
  registrars: readonly ExistingRegistrar[];
  owner: number;
}

/** Makes a function that finds a registrar by its id or, if there is none, by its name; a key: why there is none. */
export function registrarFinder({
  registrars,
}: Pick<Existing, 'registrars'>): (text: string) => ExistingRegistrar | Key {
  const byId = new Map(registrars.map((registrar) => [String(registrar.id), registrar]));
  return (text) => {
    const found = byId.get(text);
    if (found) return found;
    const [named, another] = registrars.filter(({ name }) => foldProject(name) === foldProject(text));
    if (another) return 'import.registrar_many';
    return named ?? 'import.registrar_unknown';
  };
}

/** Returns the form in which names of projects are compared: case, number of blanks and composition of letters do not count. */
export const foldProject = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Makes a function that finds a project by name, the importer's own before others; `many` if the name is ambiguous. */
export function projectFinder({
  projects,
  owner,
}: Pick<Existing, 'projects' | 'owner'>): (name: string) => ExistingProject | 'many' | undefined {
  const byName = new Map<string, ExistingProject[]>();
  for (const project of projects) {
    const folded = foldProject(project.name);
    byName.set(folded, [...(byName.get(folded) ?? []), project]);
  }
  return (name) => {
    const all = byName.get(foldProject(name)) ?? [];
    const own = all.filter(({ user_id }) => user_id === owner);
    const candidates = own.length > 0 ? own : all;
    return candidates.length > 1 ? 'many' : candidates[0];
  };
}
