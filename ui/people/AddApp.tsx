import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { encode } from 'uqr';
import { call } from '../kit/api.ts';
import { CopyIcon } from '../kit/CopyButton.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';

/** A text as a QR code. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data } = encode(text, { border: 2 });
    const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: data.length, path: cells.join('') };
  }, [text]);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded from a file
    <svg className="people-qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} fill="#000" />
    </svg>
  );
}

interface AddAppProps {
  secret: string;
  uri: string;
  onDone: (codes: string[] | null) => void;
  onClose: () => void;
}

/** Shows the secret for an authenticator app and takes it into use by a code of the app. */
export function AddApp({ secret, uri, onDone, onClose }: AddAppProps) {
  const t = useT();
  const form = useForm({ defaultValues: { code: '' } });
  const submit = useSubmit(form, async (body) => {
    onDone((await call('POST /api/second_factor/totp/confirm', { body })).recovery_codes);
  });
  return (
    <FormDialog title={<T k="factor.add_app" />} action={<T k="factor.confirm" />} submit={submit} onClose={onClose}>
      <p>
        <T k="factor.scan" />
      </p>
      <QrCode text={uri} label={t('factor.qr')} />
      <p>
        <T k="factor.or_type" />
        <code className="people-secret">
          {secret} <CopyIcon text={secret} name={t('factor.secret')} />
        </code>
      </p>
      <TextField
        form={form}
        name="code"
        label={<T k="login.code" />}
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
      />
    </FormDialog>
  );
}
