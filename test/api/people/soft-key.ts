import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** Contents of an assertion; each may be wrong. */
export interface Said {
  challenge: string;
  origin: string;
  rpId: string;
  counter?: number;
  isVerified?: boolean;
  userHandle?: string;
}

/** An authenticator in software, with one passkey (ECDSA with P-256). `public_key` is its COSE form, in base64url. */
export function softKey(user_id: number) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  const credential_id = base64url(randomBytes(16));
  const assert = ({ challenge, origin, rpId, counter = 0, isVerified = true, userHandle }: Said) => {
    const client = JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false });
    const data = Buffer.alloc(37);
    sha256(rpId).copy(data);
    data[32] = isVerified ? 0b101 : 0b1;
    data.writeUInt32BE(counter, 33);
    return {
      id: credential_id,
      rawId: credential_id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        userHandle: userHandle ?? base64url(`user ${user_id}`),
      },
      clientExtensionResults: {},
    };
  };
  return { credential_id, public_key: base64url(cose), assert };
}
