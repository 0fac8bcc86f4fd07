import type { Registrar } from '../../providers/provider.ts';
import { registrarOf } from '../../providers/registrars.ts';
import { fieldsFor } from '../../shared/accounts/kind.ts';
import { registrarKind } from '../../shared/accounts/registrars.ts';
import type { RegistrarRow } from '../../shared/accounts/tables.ts';
import { AppError } from '../../shared/errors.ts';
import { watching } from './refusals.ts';
import { lackOf } from './registrar-settings.ts';
import { readSecret } from './team.ts';

/**
 * Returns the login of a registrar's row with its settings, the secret in clear. Throws AppError `not_configured` where it can't be read,
 * or where a setting is empty that calls need.
 */
export function loginOf(row: RegistrarRow): Record<string, string> {
  const texts = fieldsFor(registrarKind, { ...row }).map(([field]): [string, string] => [
    field,
    String(row[field as keyof RegistrarRow] ?? ''),
  ]);
  const fields = Object.fromEntries(texts);
  const lack = lackOf(row.type, fields);
  if (lack) throw new AppError('not_configured', lack.key, lack.params);
  return { ...fields, password: readSecret('registrars', row.id, row.password) };
}

// Offers may be public.
const PROOFS = new Set(['testLogin', 'readBalance', 'listDomains', 'readDomain']);

/**
 * Returns the registrar of a row, for calls with the row's login alone: a refusal is kept in the row and told once. Undefined: there is
 * none of the type.
 */
export function registrarFor(row: RegistrarRow): Registrar | undefined {
  const registrar = registrarOf(row.type);
  return registrar && watching(registrar, registrarKind, { ...row }, (name) => PROOFS.has(name));
}
