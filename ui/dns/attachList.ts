import { cleanHostname } from '../../src/shared/hostname.ts';
import { AppError } from '../../src/shared/errors.ts';

/** A typed list of domains to attach. */
export interface AttachList {
  /** The number of entries. */
  total: number;
  /** Normalized and deduplicated, in the order of the text. */
  hosts: string[];
  duplicates: number;
  /** The line numbers, from 1, of invalid entries; a line with two of them is listed twice. */
  faults: number[];
}

/** Returns the normalized name, or null if the text is no domain. */
function hostOf(typed: string): string | null {
  try {
    return cleanHostname(typed);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Parses domains separated by line breaks, commas or semicolons. */
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
