import { z } from 'zod';
import { message } from '../text.ts';

const HostKey = z
  .string()
  .trim()
  .regex(
    /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) SHA256:[A-Za-z0-9+/]{43}$/,
    message('server.key_form'),
  );

/**
 * An admin's decision on a changed host key: `accept` names the key, so that a third one shown meanwhile is not accepted
 * unseen.
 */
export const HostKeyDecision = z
  .object({ accept: HostKey.optional(), dismiss: z.literal(true).optional() })
  .refine(({ accept, dismiss }) => (accept === undefined) !== (dismiss === undefined), {
    path: ['accept'],
    message: message('server.decide_once'),
  });
export type HostKeyDecision = z.infer<typeof HostKeyDecision>;
