import { Button, Classes } from '@blueprintjs/core';
import { CrossIcon, ErrorIcon, InfoSignIcon, TickIcon } from './icons.tsx';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { messageOf } from './api.ts';
import { useT } from './language.ts';
import { Message } from './T.tsx';

/** `top`: results of actions, at most 3 at once; `project`: at the bottom left for the project area, at most 5. */
export type ToastPlace = 'top' | 'project';
const MOST: Record<ToastPlace, number> = { top: 3, project: 5 };

interface Toast {
  id: number;
  place: ToastPlace;
  intent: 'success' | 'danger' | 'primary';
  text: string;
  action: { text: string; run: () => void } | undefined;
  timeout: number;
}

export interface ToastOptions {
  place?: ToastPlace;
  /** Milliseconds; 5000 by default. */
  timeout?: number;
  action?: { text: string; run: () => void };
}

const watchers = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const watcher of watchers) watcher();
}

const dismiss = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

function show(intent: Toast['intent'], text: string, options: ToastOptions = {}): void {
  const { place = 'top', timeout = 5000, action } = options;
  lastId += 1;
  const others = toasts.filter((toast) => toast.place !== place);
  const kept = toasts.filter((toast) => toast.place === place && toast.text !== text).slice(1 - MOST[place]);
  set([...others, ...kept, { id: lastId, place, intent, text, action, timeout }]);
}

/** Shows short messages about actions just done. A repeated message is shown once. */
export const toast = {
  success: (text: string, options?: ToastOptions): void => show('success', text, options),
  info: (text: string, options?: ToastOptions): void => show('primary', text, options),
  error: (text: string, options?: ToastOptions): void => show('danger', text, options),
};

/** An error toast: the screen's own sentence, then the server's reason where it says more. */
export function toastFailure(sentence: string, error: unknown, options?: ToastOptions): void {
  const reason = messageOf(error);
  // Some sentences of the specification end with a full stop.
  const joint = sentence.endsWith('.') ? ' ' : ': ';
  toast.error(reason === sentence ? sentence : sentence + joint + reason, options);
}

const ICONS = { success: <TickIcon />, danger: <ErrorIcon />, primary: <InfoSignIcon /> };

function ToastView({ toast }: { toast: Toast }) {
  const t = useT();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { id, timeout } = toast;
  const start = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => dismiss(id), timeout);
  };
  const pause = (): void => clearTimeout(timer.current);
  useEffect(() => {
    timer.current = setTimeout(() => dismiss(id), timeout);
    return () => clearTimeout(timer.current);
  }, [id, timeout]);
  return (
    <div
      className={`${Classes.TOAST} toast toast-${toast.intent}`}
      onMouseEnter={pause}
      onMouseLeave={start}
      onFocus={pause}
      onBlur={start}
    >
      <span className="bp6-icon">{ICONS[toast.intent]}</span>
      <span className={Classes.TOAST_MESSAGE}>
        <Message text={toast.text} />
      </span>
      {toast.action && (
        <Button
          variant="minimal"
          text={toast.action.text}
          onClick={() => {
            toast.action?.run();
            dismiss(id);
          }}
        />
      )}
      <Button variant="minimal" icon={<CrossIcon />} aria-label={t('ui.close')} onClick={() => dismiss(id)} />
    </div>
  );
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function Stack({ place, all }: { place: ToastPlace; all: readonly Toast[] }) {
  const here = all.filter((toast) => toast.place === place);
  const view = (toast: Toast) => <ToastView key={toast.id} toast={toast} />;
  return (
    <div className={`toasts toasts-${place}`}>
      <div role="alert">{here.filter(({ intent }) => intent === 'danger').map(view)}</div>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output holds phrases, toasts are blocks */}
      <div role="status">{here.filter(({ intent }) => intent !== 'danger').map(view)}</div>
    </div>
  );
}

/**
 * Renders the toasts; mounted once. Blueprint's own toaster makes every message an alert and labels its close button
 * "Close", so only its styles are used, without the colours of intents: here successes are polite.
 */
export function Toasts() {
  const all = useSyncExternalStore(watch, () => toasts);
  return (
    <>
      <Stack place="top" all={all} />
      <Stack place="project" all={all} />
    </>
  );
}
