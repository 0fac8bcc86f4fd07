import { Radio, RadioGroup } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import type { PurchaseView } from '../../src/shared/purchases/purchases.ts';
import { call, messageOf, refresh } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Message, T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';

/** The decisions of an admin: the first two about a purchase that awaits approval, the last two about one with an unknown end, the last about a paid one. */
type Word = 'approve' | 'not_bought' | 'bought';

function Evidence({ evidence }: Pick<PurchaseView<string>, 'evidence'>) {
  const formats = useFormats();
  return (
    <section className="evidence">
      <h3>
        <T k="purchases.evidence" />
      </h3>
      {evidence.length === 0 && (
        <p className="muted">
          <T k="purchases.no_evidence" />
        </p>
      )}
      <ul>
        {evidence.map(({ at, said }) => (
          <li key={`${at} ${said}`}>
            <time dateTime={at}>{formats.dateTime(at)}</time> <Message text={said} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DecideProps {
  purchase: PurchaseView<string>;
  onClose: () => void;
}

/** Sends an admin's word on a purchase. */
function useDecision({ purchase: { id, state }, onClose }: DecideProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const decide = async (word: Word): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      if (word === 'approve') await call('POST /api/purchases/:id/approve', { params: { id } });
      else await call('POST /api/purchases/:id/resolve', { params: { id }, body: { outcome: word, state } });
      toast.success(t(word === 'approve' ? 'purchases.approved' : 'purchases.resolved'));
      await refresh('GET /api/purchases', 'GET /api/budget');
      onClose();
    } catch (thrown) {
      setFailure(`${t('purchases.decide_failed')}\n${messageOf(thrown)}`);
      setBusy(false);
    }
  };
  return { decide, busy, failure };
}

interface WordsProps {
  state: PurchaseView['state'];
  word: Word | '';
  onChoose: (word: Word) => void;
}

function Words({ state, word, onChoose }: WordsProps) {
  const isAwaited = state === 'awaiting_approval';
  const isPaid = state === 'committed';
  const help = isAwaited ? 'purchases.approve_help' : isPaid ? 'purchases.charge_help' : 'purchases.resolve_help';
  return (
    <RadioGroup
      label={<T k={help} />}
      selectedValue={word}
      onChange={(event) => onChoose(event.currentTarget.value as Word)}
    >
      {isAwaited ? (
        <Radio value="approve" labelElement={<T k="purchases.approve" />} />
      ) : (
        <Radio value="bought" labelElement={<T k={isPaid ? 'purchases.charge_seen' : 'purchases.bought'} />} />
      )}
      {!isPaid && (
        <Radio value="not_bought" labelElement={<T k={isAwaited ? 'purchases.decline' : 'purchases.not_bought'} />} />
      )}
    </RadioGroup>
  );
}

/** Asks an admin to approve a purchase or to decline it, to say how one has ended, or that its charge was seen; shows what was seen of it. */
export function Decide({ purchase, onClose }: DecideProps) {
  const { state, domain_name: name, price, currency, error, evidence } = purchase;
  const formats = useFormats();
  const isAwaited = state === 'awaiting_approval';
  const [word, setWord] = useState<Word | ''>('');
  const { decide, busy, failure } = useDecision({ purchase, onClose });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy && word !== '') void decide(word);
  };
  return (
    <FormDialog
      title={
        <T
          k={isAwaited ? 'purchases.approve_title' : 'purchases.resolve_title'}
          name={name}
          price={formats.money(price, currency)}
        />
      }
      action={<T k="purchases.decide" />}
      disabled={word === ''}
      note={word === '' && <T k="purchases.choose" />}
      submit={{ onSubmit, busy, failure }}
      onClose={onClose}
    >
      {error !== null && (
        <p>
          <Message text={error} />
        </p>
      )}
      {!isAwaited && <Evidence evidence={evidence} />}
      <Words state={state} word={word} onChoose={setWord} />
    </FormDialog>
  );
}
