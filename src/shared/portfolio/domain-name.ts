import punycode from 'punycode/punycode.js';
import { cleanHostname, isHostname, MAX_TYPED } from '../hostname.ts';
import type { Key } from '../i18n/index.ts';

/** Whether a clean host has a label in punycode, so that it reads differently in `toUnicode`. */
export const hasIdn = (host: string): boolean => /(^|\.)xn--/.test(host);

/** A clean host as people read it. Punycode that does not come back to the same host is shown as it is. */
export function toUnicode(host: string): string {
  if (!hasIdn(host)) return host;
  try {
    const unicode = punycode.toUnicode(host);
    return cleanHostname(unicode) === host ? unicode : host;
  } catch {
    return host;
  }
}

/** The verdict on a name to buy. The errors are keys of the catalogues, in the order of the rules. */
export interface NameVerdict {
  valid: boolean;
  errors: Key[];
}

// A zone is letters, or punycode: IANA has no other.
const ZONE = /^(?:[\p{L}\p{M}]{2,63}|xn--[a-z0-9-]{1,59})$/iu;
const NAME_CHARACTERS = /^[\p{L}\p{M}\p{Nd}-]+$/u;

/**
 * The domain-name helper: the rules for a name to buy. What stands before the last dot is one label, so a subdomain
 * breaks the rule of the characters; letters of any alphabet are letters, and count as long as their punycode is.
 */
export function checkDomainName(name: string): NameVerdict {
  const typed = name.trim();
  if (typed === '') return { valid: false, errors: ['name.empty'] };
  const dot = typed.lastIndexOf('.');
  const errors: Key[] = [];
  if (!ZONE.test(typed.slice(dot + 1)) || dot === -1) errors.push('name.zone');
  if (dot !== -1) errors.push(...checkLabel(typed.slice(0, dot)));
  // What only UTS46 knows: a label that begins with an accent, letters of both directions, broken punycode.
  if (errors.length === 0 && !isHostname(typed)) errors.push('name.characters');
  return { valid: errors.length === 0, errors };
}

function checkLabel(label: string): Key[] {
  const errors: Key[] = [];
  // Beyond MAX_TYPED it is too long in any spelling, and not worth converting.
  const length =
    label.length > MAX_TYPED ? label.length : punycode.toASCII(label.toLowerCase().normalize('NFC')).length;
  if (length < 1 || length > 63) errors.push('name.length');
  if (length > 0 && !NAME_CHARACTERS.test(label)) errors.push('name.characters');
  if (label.startsWith('-') || label.endsWith('-')) errors.push('name.hyphen');
  return errors;
}
