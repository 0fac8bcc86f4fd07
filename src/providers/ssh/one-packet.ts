import type { SFTPWrapper } from 'ssh2';

/** The part of ssh2 that sends the requests of a session, each as a packet of SSH. */
interface Sender {
  channelData: (channel: number, data: Buffer) => void;
}

/**
 * Runs work whose requests go out in one packet of SSH. The server reads none of it before all has arrived, over however many packets of
 * the network: neither a delay, nor a lost line, nor a crash of ours comes between the requests.
 */
export function inOnePacket<T>(sftp: SFTPWrapper, work: () => T): T {
  const { _protocol: sender } = sftp as unknown as { _protocol?: Partial<Sender> };
  // A version of ssh2 that sends in another way sends each by itself.
  if (!sender?.channelData) return work();
  const requests: Buffer[] = [];
  let to = 0;
  const send = sender.channelData;
  sender.channelData = (channel, data) => {
    to = channel;
    requests.push(data);
  };
  try {
    return work();
  } finally {
    // The one of its class is there again.
    Reflect.deleteProperty(sender, 'channelData');
    if (requests.length > 0) send.call(sender, to, Buffer.concat(requests));
  }
}
