import { Button } from '@blueprintjs/core';
import { ClipboardIcon } from '@blueprintjs/icons';
import { useT } from '../language.ts';
import { T } from './T.tsx';
import { toast } from './toasts.tsx';

/** Puts a text on the clipboard. The message never repeats it: it may be a secret. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useT();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast.success(t('ui.copied'));
    } catch {
      // A page that did not come over https, or from this machine, has no clipboard.
      toast.error(t('ui.copy_failed'));
    }
  };
  return <Button size="small" icon={<ClipboardIcon />} text={label ?? <T k="ui.copy" />} onClick={() => void copy()} />;
}
