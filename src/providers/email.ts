import type { Transporter } from 'nodemailer';
import type { NoticeChannel, NoticeContent, Sent } from './provider.ts';

const TIMEOUT_MS = 15_000;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

// A header ends at the end of its line: what follows would be a header of its own.
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

const textOf = ({ title, lines, link, buttons }: NoticeContent): string =>
  [
    title,
    ...lines,
    link ?? '',
    ...buttons.flatMap(({ label, url }) => (url && url !== link ? [`${label}: ${url}`] : [])),
  ]
    .filter((line) => line !== '')
    .join('\n');

const htmlOf = ({ title, lines, link }: NoticeContent): string =>
  [
    `<p><strong>${escaped(title)}</strong></p>`,
    lines.length === 0 ? '' : `<p>${lines.map(escaped).join('<br>')}</p>`,
    link === null ? '' : `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`,
  ].join('');

/** Returns what a failure of SMTP means. 5xx of the recipient ends the delivery; a refused login is ours, and may be mended. */
function meaningOf(error: unknown): Sent {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500)
    return { outcome: 'gone', reason: `smtp_${responseCode}` };
  if (code === 'EMESSAGE' && responseCode !== undefined && responseCode >= 500)
    return { outcome: 'failed', reason: `smtp_${responseCode}` };
  const reason = responseCode === undefined ? (code ?? 'smtp').toLowerCase() : `smtp_${responseCode}`;
  return { outcome: 'later', seconds: 0, reason };
}

// Only what does not leave the machine may go without TLS.
const isLoopback = (url: string): boolean => /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(url).hostname);

const transports = new Map<string, Promise<Transporter>>();

/** Loads nodemailer at the first mail. Its certificate is verified; `ca` is trusted instead of the usual ones. */
function transportOf(url: string, ca: string | undefined): Promise<Transporter> {
  const made =
    transports.get(url) ??
    import('nodemailer').then(({ createTransport }) =>
      createTransport({
        url,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        requireTLS: !isLoopback(url),
        disableFileAccess: true,
        disableUrlAccess: true,
        tls: { rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
      }),
    );
  transports.set(url, made);
  return made;
}

/** E-mail by an SMTP server (`smtps://user:password@host:465`, or `smtp://` with STARTTLS, which is required). */
export const emailChannel = (url: string, from: string, ca?: string): NoticeChannel => ({
  send: async (address, content, signal, key = '') => {
    try {
      signal.throwIfAborted();
      const transport = await transportOf(url, ca);
      const host = from.split('@')[1]?.replace(/[^\w.-]/g, '') || 'localhost';
      const sent = (await transport.sendMail({
        from,
        to: { name: '', address },
        subject: oneLine(content.title),
        text: textOf(content),
        html: htmlOf(content),
        ...(key !== '' && { messageId: `<${key}.${Date.now().toString(36)}@${host}>` }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      })) as { messageId: string };
      return { outcome: 'sent', ref: sent.messageId };
    } catch (error) {
      return meaningOf(error);
    }
  },
});
