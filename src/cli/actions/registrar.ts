import { teamRowNamed } from '../../services/accounts/team.ts';
import { listRegistrarDomains } from '../../services/portfolio/registrar-domains.ts';
import type { Context } from '../context.ts';
import { dayIn } from './expiry-day.ts';
import { columnsOf, type Result } from '../output.ts';

const COLUMNS = columnsOf({
  domain: true,
  expiredAt: { title: 'expires', show: dayIn('domain') },
  here: true,
  suspect_date: { title: 'suspect', show: dayIn('domain') },
});

/** `registrar domains`: asks the registrar now; warns of domains that the portfolio has there and the registrar has not. */
export async function domains(context: Context, _flags: object, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await teamRowNamed('registrars', which);
  const { domains: items, gone } = await listRegistrarDomains(actor, id);
  if (gone.length > 0)
    context.warn(context.say('registrars.gone', { n: gone.length, names: gone.slice(0, 5).join(', ') }));
  return { items, columns: COLUMNS, summary: { total: items.length, gone: gone.length } };
}
