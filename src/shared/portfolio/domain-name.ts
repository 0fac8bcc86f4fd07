import punycode from 'punycode/punycode.js';
import { cleanHostname, isHostname, MAX_TYPED } from '../hostname.ts';
import type { Key } from '../i18n/index.ts';

/** Whether a clean host has a label in punycode. */
export const hasIdn = (host: string): boolean => /(^|\.)xn--/.test(host);

/** Decodes the punycode of a clean host. A host whose decoded form does not encode to the same host is returned unchanged. */
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
 * Validates a name to buy, for the domain-name helper. The text before the last dot is one label, so a subdomain fails the rule
 * of the characters. Letters of any alphabet are allowed; the length is that of the punycode.
 */
export function checkDomainName(name: string): NameVerdict {
  const typed = name.trim();
  if (typed === '') return { valid: false, errors: ['name.empty'] };
  const dot = typed.lastIndexOf('.');
  const errors: Key[] = [];
  if (!ZONE.test(typed.slice(dot + 1)) || dot === -1) errors.push('name.zone');
  if (dot !== -1) errors.push(...checkLabel(typed.slice(0, dot)));
  // Rules of UTS46: a label that begins with an accent, letters of both directions, broken punycode.
  if (errors.length === 0 && !isHostname(typed)) errors.push('name.characters');
  return { valid: errors.length === 0, errors };
}

function checkLabel(label: string): Key[] {
  const errors: Key[] = [];
  // Beyond MAX_TYPED it is too long in any spelling, and is not converted.
  const length =
    label.length > MAX_TYPED ? label.length : punycode.toASCII(label.toLowerCase().normalize('NFC')).length;
  if (length < 1 || length > 63) errors.push('name.length');
  if (length > 0 && !NAME_CHARACTERS.test(label)) errors.push('name.characters');
  if (label.startsWith('-') || label.endsWith('-')) errors.push('name.hyphen');
  return errors;
}
