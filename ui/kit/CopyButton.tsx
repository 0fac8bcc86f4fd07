import { Button } from '@blueprintjs/core';
import { ClipboardIcon } from '@blueprintjs/icons';
import { useT } from './language.ts';
import { IconAction } from './IconAction.tsx';
import { T } from './T.tsx';
import { toast } from './toasts.tsx';

/** What puts a text on the clipboard, and says so; the message never repeats it. */
export function useCopy(text: string): () => Promise<void> {
  const t = useT();
  return async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast.success(t('ui.copied'));
    } catch {
      // A page that did not come over https, or from this machine, has no clipboard.
      toast.error(t('ui.copy_failed'));
    }
  };
}

/** Puts a text on the clipboard. The message never repeats it: it may be a secret. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const copy = useCopy(text);
  return <Button size="small" icon={<ClipboardIcon />} text={label ?? <T k="ui.copy" />} onClick={() => void copy()} />;
}

/** The same as an icon beside the text; `name` is what a screen reader calls it. */
export function CopyIcon({ text, name }: { text: string; name: string }) {
  const t = useT();
  const copy = useCopy(text);
  return <IconAction icon={<ClipboardIcon />} action={t('ui.copy')} name={name} onClick={() => void copy()} />;
}
