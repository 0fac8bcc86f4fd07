import { config } from '../../lib/config.ts';
import { factsOf, isRegistrarType } from '../../shared/accounts/registrar-types.ts';
import type { Message } from '../../shared/i18n/index.ts';

const LACKING = { base_url: 'registrar.lacks_base_url', client_ip: 'registrar.lacks_client_ip' } as const;

/**
 * Returns what to do about the setting that calls of a registrar's login need and that is empty: an account may be saved without it.
 * Undefined: none. An address of the API that the environment gives is used before the account's own.
 */
export function lackOf(type: string, fields: Readonly<Record<string, string>>): Message | undefined {
  if (!isRegistrarType(type)) return undefined;
  const { fields: kinds } = factsOf(type);
  for (const [name, key] of Object.entries(LACKING)) {
    const kind = kinds[name];
    if (kind === undefined || kind.endsWith('?') || (fields[name] ?? '') !== '') continue;
    if (name === 'base_url' && config().registrarUrls[type] !== undefined) continue;
    return { key, params: { type } };
  }
  return undefined;
}
