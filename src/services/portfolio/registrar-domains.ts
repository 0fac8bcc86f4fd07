import { isRegistrarType } from '../../shared/accounts/registrar-types.ts';
import type { RegistrarRow } from '../../shared/accounts/tables.ts';
import { AppError } from '../../shared/errors.ts';
import type { AtRegistrar, RegistrarDomains } from '../../shared/portfolio/registrar-domains.ts';
import type { Actor } from '../access/scope.ts';
import { loginOf, registrarFor } from '../accounts/registrar-login.ts';
import { callOf, registrarFailure } from '../accounts/registrar-test.ts';
import { canEdit, findTeamRow } from '../accounts/team.ts';
import { listHostsNamed, listHostsOfRegistrar } from './registrar-rows.ts';

const PATIENCE_MS = 60_000;

/**
 * Asks a registrar for its domains, now, and compares them with the portfolio. An actor who may not edit the registrar gets
 * those of his own portfolio alone. Throws AppError `not_found`, `refused` where the service has no list, and its failures.
 */
export async function listRegistrarDomains(actor: Actor, id: number): Promise<RegistrarDomains> {
  const row = await findTeamRow<RegistrarRow>('registrars', id);
  const { type, name } = row;
  const registrar = registrarFor(row);
  if (!registrar?.listDomains || !isRegistrarType(type)) throw new AppError('refused', 'registrars.no_list', { type });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const found = await registrar.listDomains(loginOf(row), callOf(type, signal)).catch(registrarFailure(type, signal));
  const names = found.map(({ domain_name }) => domain_name);
  const rows = await listHostsNamed(actor, names);
  const here = new Map(rows.map(({ domain_name, suspect_date }) => [domain_name, suspect_date]));
  const known = await listHostsOfRegistrar(actor, id);
  const domains: AtRegistrar[] = found
    .filter(({ domain_name }) => canEdit(actor, row) || here.has(domain_name))
    .map(({ domain_name, expires_at }) => ({
      domain: domain_name,
      expiredAt: expires_at,
      here: here.has(domain_name),
      suspect_date: here.get(domain_name) ?? null,
    }));
  const there = new Set(names);
  return { id, type, name, domains, gone: known.filter((host) => !there.has(host)) };
}
