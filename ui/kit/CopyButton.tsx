import { Button } from '@blueprintjs/core';
import { ClipboardIcon } from './icons.tsx';
import { useT } from './language.ts';
import { IconAction } from './IconAction.tsx';
import { T } from './T.tsx';
import { toast } from './toasts.tsx';

/** Returns a function that copies a text and says so in a toast, which never repeats the text. */
export function useCopy(text: string): () => Promise<void> {
  const t = useT();
  return async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast.success(t('ui.copied'));
    } catch {
      // The clipboard exists only on https pages and on localhost.
      toast.error(t('ui.copy_failed'));
    }
  };
}

/** Copies a text. The toast never repeats it: it may be a secret. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const copy = useCopy(text);
  return <Button size="small" icon={<ClipboardIcon />} text={label ?? <T k="ui.copy" />} onClick={() => void copy()} />;
}

/** The same as an icon beside the text; `name` is for a screen reader. */
export function CopyIcon({ text, name }: { text: string; name: string }) {
  const t = useT();
  const copy = useCopy(text);
  return <IconAction icon={<ClipboardIcon />} action={t('ui.copy')} name={name} onClick={() => void copy()} />;
}
