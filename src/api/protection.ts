import { domainsForUnderAttack, startSwitch, type Switch } from '../services/dns/protection.ts';
import type { Actor } from '../services/access/scope.ts';
import { translate, type Language } from '../shared/i18n/index.ts';
import type { Started } from '../shared/operations.ts';
import { TlsInput, UnderAttackInput } from '../shared/dns/protection.ts';
import { route } from './http/route.ts';

interface Caller {
  actor: Actor;
  language: Language;
  idempotencyKey: string | undefined;
}

async function start({ actor, language, idempotencyKey }: Caller, wanted: Switch): Promise<Started> {
  const { id, message } = await startSwitch(actor, wanted, { idem_key: idempotencyKey });
  return { message: translate(language, message.key, message.params), operation: { id } };
}

export const protection = {
  'GET /api/domains-for-under-attack': route({
    summary: "The caller's domains that a protection switch reaches",
    run: ({ actor }) => domainsForUnderAttack(actor),
  }),
  'POST /api/manage-under-attack-mode-all': route({
    summary: "Under Attack mode for all of the caller's domains; off gives each zone the level it had",
    body: UnderAttackInput,
    run: (call) => start(call, { kind: 'under_attack', action: call.body.action }),
  }),
  'POST /api/update-all-domains-tls': route({
    summary: "TLS 1.3 for all of the caller's domains",
    body: TlsInput,
    run: (call) => start(call, { kind: 'tls', state: call.body.state }),
  }),
};
