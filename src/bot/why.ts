import type { Actor } from '../services/access/scope.ts';
import { findDomain } from '../services/portfolio/domain-lists.ts';
import { diagnose, findDiagnosis } from '../services/why/why.ts';
import type { Message } from '../shared/i18n/index.ts';
import type { TelegramReply } from '../shared/notices/telegram.ts';
import type { DomainDetail } from '../shared/portfolio/domains.ts';
import type { Diagnosis } from '../shared/why/diagnosis.ts';
import { moveButtons, openButton } from './domain-buttons.ts';

const minuteOf = (time: string): string => time.slice(0, 16).replace('T', ' ');

function replyOf(domain: DomainDetail, found: Diagnosis<Message> | null): TelegramReply {
  const { id, unicode_name } = domain;
  return {
    lines: [
      { text: unicode_name, style: 'bold' },
      ...(found
        ? [
            ...(found.broken === null ? [] : [{ key: `why.layer_${found.broken}`, style: 'code' } as const]),
            found.message,
            { key: 'telegram.why_asked', params: { time: minuteOf(found.asked_at) } } as const,
          ]
        : [{ key: 'why.never' } as const]),
    ],
    buttons: [
      { label: { key: found ? 'why.again' : 'why.ask' }, data: `why:${id}` },
      ...moveButtons(domain),
      openButton(domain),
    ],
  };
}

/** Shows why a domain of the actor's is red, as it was found last. */
export const showWhy = async (actor: Actor, domain: DomainDetail): Promise<TelegramReply> =>
  replyOf(domain, await findDiagnosis(actor, domain.id));

/** Asks why a domain of the actor's is red, for 28 s at most, and shows the answer. */
export async function askWhy(actor: Actor, id: number): Promise<TelegramReply> {
  const found = await diagnose(actor, id);
  return replyOf(await findDomain(actor, id), found);
}
