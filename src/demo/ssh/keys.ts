import ssh2 from 'ssh2';

/** How a private key is locked. */
interface Lock {
  passphrase: string;
  cipher: string;
  rounds: number;
}

/** Makes an Ed25519 pair in OpenSSH's format. Repeats until the key can be read: ssh2 drops a leading zero byte, which one key of 256 has. */
export function newPair(lock?: Lock): { private: string; public: string } {
  for (;;) {
    const pair = lock ? ssh2.utils.generateKeyPairSync('ed25519', lock) : ssh2.utils.generateKeyPairSync('ed25519');
    if (!(ssh2.utils.parseKey(pair.private, lock?.passphrase) instanceof Error)) return pair;
  }
}
