import { useForm, useWatch } from 'react-hook-form';
import { hostOf, type ServerView } from '../../src/shared/accounts/servers.ts';
import { call, refresh, useCall } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { TextField, useSubmit } from '../kit/form/Form.tsx';
import { SecretField } from '../kit/form/SecretField.tsx';
import { TestServer } from './ServerState.tsx';
import { T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { useT } from '../kit/language.ts';

interface ServerProps {
  /** The server to edit; without one a new one is added. */
  server?: ServerView | undefined;
  onClose: () => void;
}

interface Values {
  name: string;
  ssh_host: string;
  ssh_user: string;
  ssh_password: string;
}

/** Leaves an empty password out of the body, so that the stored one stays. */
const withoutEmptyPassword = ({ ssh_password, ...rest }: Values): Partial<Values> =>
  ssh_password === '' ? rest : { ...rest, ssh_password };

/** Returns the names of the other servers with the same host, joined by commas: allowed, but shown as a hint. */
function useTwins(sshHost: string, id: number | undefined): string {
  const { data } = useCall('GET /api/servers');
  const host = hostOf(sshHost.trim().toLowerCase());
  const twins = (data?.data ?? []).filter((other) => host !== '' && other.id !== id && hostOf(other.ssh_host) === host);
  return twins.map(({ name }) => name).join(', ');
}

/**
 * The form of a server. The stored password is never filled in; an empty field keeps it, but a new host needs it again.
 */
export function Server({ server, onClose }: ServerProps) {
  const t = useT();
  const form = useForm<Values>({
    defaultValues: {
      name: server?.name ?? '',
      ssh_host: server?.ssh_host ?? '',
      ssh_user: server?.ssh_user ?? '',
      ssh_password: '',
    },
  });
  const twins = useTwins(useWatch({ control: form.control, name: 'ssh_host' }), server?.id);
  const submit = useSubmit(
    form,
    async (values) => {
      const { data } = server
        ? await call('PUT /api/servers/:id', { params: { id: server.id }, body: withoutEmptyPassword(values) })
        : await call('POST /api/servers', { body: values });
      await refresh('GET /api/servers', 'GET /api/domains');
      toast.success(t(server ? 'servers.saved' : 'servers.added', { name: data.name }));
      onClose();
    },
    t(server ? 'servers.edit_failed' : 'servers.add_failed'),
  );
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false };
  return (
    <FormDialog
      width={480}
      title={server ? <T k="servers.edit_title" name={server.name} /> : <T k="servers.add_title" />}
      action={<T k="team.save" />}
      note={server && !form.formState.isDirty && <TestServer server={server} />}
      submit={submit}
      dirty={form.formState.isDirty}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={<T k="team.name" />} autoComplete="off" />
      <TextField
        form={form}
        name="ssh_host"
        label={<T k="servers.ssh_host" />}
        help={twins === '' ? <T k="servers.host_help" /> : <T k="servers.twins" names={twins} />}
        {...plain}
      />
      <TextField form={form} name="ssh_user" label={<T k="servers.ssh_user" />} {...plain} />
      <SecretField
        form={form}
        name="ssh_password"
        label={<T k="servers.ssh_password" />}
        help={server && <T k="servers.password_kept" />}
      />
    </FormDialog>
  );
}
