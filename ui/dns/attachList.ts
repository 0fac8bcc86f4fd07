import { cleanHostname } from '../../src/shared/hostname.ts';
import { AppError } from '../../src/shared/errors.ts';

/** A typed list of domains to be attached. */
export interface AttachList {
  /** How many were typed. */
  total: number;
  /** Clean, each once, in the order of the text. */
  hosts: string[];
  duplicates: number;
  /** The lines, from 1, of what is no domain; a line with two of them stands there twice. */
  faults: number[];
}

/** The clean name, or null where it is none. */
function hostOf(typed: string): string | null {
  try {
    return cleanHostname(typed);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Reads domains parted by line breaks, commas or semicolons. */
export function parseAttachList(text: string): AttachList {
  const hosts = new Set<string>();
  const list: AttachList = { total: 0, hosts: [], duplicates: 0, faults: [] };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    for (const typed of line.split(/[,;]/).map((part) => part.trim())) {
      if (typed === '') continue;
      list.total += 1;
      const host = hostOf(typed);
      if (host === null) list.faults.push(index + 1);
      else if (hosts.has(host)) list.duplicates += 1;
      else hosts.add(host);
    }
  }
  return { ...list, hosts: [...hosts] };
}
