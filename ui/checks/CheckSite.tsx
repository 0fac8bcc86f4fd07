import { TextArea } from '@blueprintjs/core';
import { useDeferredValue, useMemo, useRef, useState, type FormEvent, type RefObject } from 'react';
import { parseHostnames, type ParsedHostnames } from '../../src/shared/hostname.ts';
import { ApiError, call, useCall } from '../kit/api.ts';
import { BlocklistLine } from './BlocklistLine.tsx';
import { BlockedNow } from './BlockedNow.tsx';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CheckResults, type CheckResult } from './CheckResults.tsx';
import { Failure, Field, submitOnKeys } from '../kit/form/Form.tsx';
import { useKeptText } from '../kit/form/useDraft.ts';
import { RecentChecks, recentChecks, rememberChecks } from './RecentChecks.tsx';
import { HostCount } from '../accounts/HostCount.tsx';
import { Screen } from '../kit/Screen.tsx';
import { useSession } from '../kit/session.ts';
import { UNSEEN, useAwaited } from '../kit/Loading.tsx';
import { T } from '../kit/T.tsx';
import { useT } from '../kit/language.ts';
import './CheckSite.css';

// Keeps each request short and lets the progress be shown.
const CHUNK = 500;

/** Checks names in chunks; `onResults` gets all results so far after each. */
async function checkAll(hosts: readonly string[], onResults: (results: CheckResult[]) => void): Promise<void> {
  const results: CheckResult[] = [];
  for (let start = 0; start < hosts.length; start += CHUNK) {
    const domains = hosts.slice(start, start + CHUNK).map((domain) => ({ domain }));
    const answer = await call('POST /api/check_domains', { body: { domains } });
    const found: CheckResult[] | undefined = answer.foundDomains?.allDomains;
    if (!found) throw new ApiError(200, 'no_answer', '');
    results.push(...found);
    onResults([...results]);
  }
}

interface Check {
  /** Identifies the check. */
  run: number;
  total: number;
  results: CheckResult[];
  state: 'running' | 'done' | 'failed';
  failure?: string;
}

/** Runs a check and keeps the results so far, also after a failure; `onEnd` gets those that have come. */
function useCheck(
  onEnd: (results: readonly CheckResult[]) => void,
): [Check | undefined, (hosts: readonly string[]) => Promise<void>] {
  const t = useT();
  const [check, setCheck] = useState<Check>();
  const start = async (hosts: readonly string[]): Promise<void> => {
    const run = Date.now();
    const now: Check = { run, total: hosts.length, results: [], state: 'running' };
    setCheck(now);
    try {
      await checkAll(hosts, (results) => {
        now.results = results;
        setCheck({ ...now });
      });
      setCheck({ ...now, state: 'done' });
    } catch (error) {
      const isEmpty = error instanceof ApiError && error.code === 'no_answer';
      const sentence = t(isEmpty ? 'check_site.no_answer' : 'check_site.failed');
      const reason = error instanceof ApiError ? error.message : '';
      setCheck({ ...now, state: 'failed', failure: `${sentence}\n${reason}` });
    }
    onEnd(now.results);
  };
  return [check, start];
}

/** The user's recent checks in this browser, and a function that adds to them. */
function useRecent() {
  const user = useSession().user?.id ?? 0;
  const [recent, setRecent] = useState(() => recentChecks(user));
  const remember = (results: readonly CheckResult[]): void => {
    rememberChecks(user, results);
    setRecent(recentChecks(user));
  };
  return { recent, remember };
}

function Summary({ check }: { check: Check }) {
  const { state, total, results } = check;
  const count = (status: CheckResult['status']): number => results.filter((result) => result.status === status).length;
  if (state === 'running') return <T k="check_site.progress" done={results.length} total={total} />;
  if (state === 'failed' && results.length === 0) return null;
  const unknown = count('unknown');
  return (
    <>
      {state === 'done' && (
        <>
          <T k="check_site.done" />.{' '}
        </>
      )}
      <T k="check_site.summary" blocked={count('blocked')} total={results.length} />
      {unknown > 0 && (
        <>
          . <T k="check_site.summary_unknown" n={unknown} />
        </>
      )}
    </>
  );
}

interface NamesFieldProps {
  text: string;
  onText: (text: string) => void;
  /** The names parsed from `text`; they lag behind while it is typed. */
  parsed: ParsedHostnames;
  isAsked: boolean;
  inputRef: RefObject<HTMLTextAreaElement | null>;
}

/** The field of the pasted domains; once a check was asked for, it is an error that there are none. */
function NamesField({ text, onText, parsed, isAsked, inputRef }: NamesFieldProps) {
  const isEmpty = isAsked && parsed.hosts.length === 0 && parsed.invalid.length === 0;
  return (
    <Field
      label={<T k="check_site.label" />}
      error={isEmpty ? 'check_site.help' : undefined}
      help={text.trim() === '' ? <T k="check_site.help" /> : <HostCount parsed={parsed} />}
    >
      {(control) => (
        <TextArea
          fill
          rows={4}
          spellCheck={false}
          autoCapitalize="none"
          {...control}
          inputRef={inputRef}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Checks whether pasted domains are blocked. The text stays after a failure, too. */
export function CheckSite() {
  const [text, setText] = useKeptText('check-site', 'page');
  const [isAsked, setAsked] = useState(false);
  const { recent, remember } = useRecent();
  const [check, start] = useCheck(remember);
  const field = useRef<HTMLTextAreaElement>(null);
  const take = (name: string): void => {
    setText(name);
    field.current?.focus();
  };
  // Parsing thousands of lines must not delay typing.
  const read = useDeferredValue(text);
  const parsed = useMemo(() => parseHostnames(read), [read]);
  const busy = check?.state === 'running';
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setAsked(true);
    const { hosts } = parseHostnames(text);
    if (hosts.length === 0) field.current?.focus();
    else if (!busy) void start(hosts);
  };
  const isAwaited = useAwaited(useCall('GET /api/blocklist').isPending);
  return (
    <Screen title="nav.check_site">
      <BlocklistLine />
      <div className={`beside beside-wide ${isAwaited ? UNSEEN : ''}`}>
        {/* Key presses bubble up from the field inside. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above */}
        <form className="check-form" onSubmit={onSubmit} onKeyDown={submitOnKeys} noValidate>
          <NamesField text={text} onText={setText} parsed={parsed} isAsked={isAsked} inputRef={field} />
          <BusyButton
            type="submit"
            intent="primary"
            busy={busy}
            text={<T k={busy ? 'check_site.checking' : 'check_site.submit'} />}
          />
          <Failure text={check?.failure} />
        </form>
        <div className="check-beside">
          <RecentChecks checks={recent} onTake={take} />
          <BlockedNow />
        </div>
      </div>
      <output className="found">{check && <Summary check={check} />}</output>
      {check && check.results.length > 0 && <CheckResults key={check.run} results={check.results} run={check.run} />}
    </Screen>
  );
}
