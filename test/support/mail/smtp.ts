// A mail server on this machine that keeps what it is sent.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  url: string;
  mails: { to: string[]; text: string }[];
  /** The code by which the next addresses are refused; null: they are taken. */
  refuse: number | null;
  close: () => Promise<void>;
}

/** Starts a mail server without TLS, to which anybody may send, and the password `right` signs in. */
export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, callback) =>
      password === 'right' ? callback(null, { user: username ?? '' }) : callback(new Error('no')),
    onRcptTo: (_address, _session, callback) =>
      callback(smtp.refuse === null ? null : Object.assign(new Error('refused'), { responseCode: smtp.refuse })),
    onData: (stream, session, callback) => {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (part: string) => (text += part));
      stream.on('end', () => {
        smtp.mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const smtp: MailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails: [],
    refuse: null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return smtp;
}
