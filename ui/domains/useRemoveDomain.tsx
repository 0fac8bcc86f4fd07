import { useState, type ReactNode } from 'react';
import { DELETED_KEPT_DAYS, type DomainDetail } from '../../src/shared/portfolio/domains.ts';
import { call } from '../kit/api.ts';
import { Confirm } from '../kit/dialog/Confirm.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { refreshDomains } from '../operations/operations.ts';
import { removeWithUndo } from '../kit/dialog/removal.ts';
import { toastFailure, type ToastPlace } from '../kit/toasts.tsx';

interface Named {
  id: number;
  unicode_name: string;
}

/** Whether a domain is deleted only after a question: it is a main one, or its site is deployed on a server. */
const needsQuestion = ({ type, server_id, deployed_at }: DomainDetail): boolean =>
  type === 'main' || (server_id !== null && deployed_at !== null);

/** What a domain is and has, in lines. */
export function WhatItHas({ type, project_name, server_name, deployed_at }: HavingDomain) {
  const formats = useFormats();
  const what = type === 'main' ? 'main' : 'reserve';
  return (
    <ul>
      <li>
        {project_name === null ? (
          <T k={`domain_remove.${what}`} />
        ) : (
          <T k={`domain_remove.${what}_of`} project={project_name} />
        )}
      </li>
      {server_name !== null && (
        <li>
          {deployed_at === null ? (
            <T k="domain_remove.server" server={server_name} />
          ) : (
            <T k="domain_remove.site" server={server_name} time={formats.dateTime(deployed_at)} />
          )}
        </li>
      )}
    </ul>
  );
}

type HavingDomain = Pick<DomainDetail, 'type' | 'project_name' | 'server_name' | 'deployed_at'>;

/** Deletes a domain and offers an undo; `onGone` is called once it is deleted, before the lists are read anew. */
function useDeletion(place: ToastPlace): (domain: Named, onGone: () => void) => Promise<void> {
  const t = useT();
  return ({ id, unicode_name: name }, onGone) => {
    const params = { id };
    return removeWithUndo({
      remove: async () => {
        await call('DELETE /api/domains/:id', { params });
        onGone();
        return { message: t('domain.deleted', { name }) };
      },
      restore: () => call('POST /api/domains/:id/restore', { params, body: {} }),
      refresh: refreshDomains,
      words: {
        failed: t('projects.domain_delete_failed'),
        undo: t('projects.undo'),
        undoFailed: t('projects.undo_failed'),
      },
      place,
    });
  };
}

interface RemoveDomain {
  /** Deletes a domain, or asks first. */
  remove: (domain: Named) => Promise<void>;
  /** The question, while it is asked. */
  question: ReactNode;
}

/** Returns what deletes a domain, with an undo: at once, or after a question where it is a main one or has hosting. */
export function useRemoveDomain(place: ToastPlace, onGone: () => void): RemoveDomain {
  const t = useT();
  const [asked, setAsked] = useState<DomainDetail>();
  const run = useDeletion(place);
  const remove = async (domain: Named): Promise<void> => {
    try {
      const { data } = await call('GET /api/domains/:id', { params: { id: domain.id } });
      if (needsQuestion(data)) setAsked(data);
      else await run(domain, onGone);
    } catch (error) {
      toastFailure(t('projects.domain_delete_failed'), error, { place });
    }
  };
  const question = asked && (
    <Confirm
      title={<T k="domain_remove.title" name={asked.unicode_name} />}
      confirm={<T k="sites.delete" />}
      onCancel={() => setAsked(undefined)}
      onConfirm={() => {
        setAsked(undefined);
        void run(asked, onGone);
      }}
    >
      <WhatItHas {...asked} />
      <p>
        <T k="domain_remove.stays" n={DELETED_KEPT_DAYS} />
      </p>
    </Confirm>
  );
  return { remove, question };
}
