/** The relevant part of an answer's head; `location` as the server wrote it, in latin1. */
export interface Head {
  status: number;
  location: string | undefined;
}

/** The head; `more`: it is not complete; `bad`: it is none; `upgrade`: the server switches to another protocol. */
export type HeadRead = Head | 'more' | 'bad' | 'upgrade';

const MAX_HEAD = 65_536;
const START = 'HTTP/';
const STATUS = /^HTTP\/(?:0\.9|1\.[01]|2\.0) (\d{3})\b/;
const LOCATION = /^location[ \t]*:[ \t]*(.*?)[ \t]*$/im;
const END = /\r?\n\r?\n/g;
const LONGEST_END = 4;
// Bytes decoded at a time. Most heads are shorter: the body behind them is then not decoded.
const PIECE = 512;

/**
 * Makes a parser of an answer's head, called with its bytes as they come, which are not kept. Not Node's parser: only the
 * status line and one header count, and browsers show sites whose other headers break the grammar (two lengths, a blank in a
 * name).
 */
export function headReader(): (bytes: Uint8Array, length: number) => HeadRead {
  let text = '';
  // Offset at which the end of the head may begin, so that a slow server's bytes are not searched again and again.
  let from = 0;
  const readPiece = (piece: Buffer): HeadRead => {
    text += piece.toString('latin1');
    for (;;) {
      if (from === 0) text = text.replace(/^[\r\n]+/, '');
      if (!text.startsWith(START.slice(0, text.length))) return 'bad';
      END.lastIndex = from;
      const end = END.exec(text);
      if (end === null) {
        from = Math.max(0, text.length - LONGEST_END);
        return text.length > MAX_HEAD ? 'bad' : 'more';
      }
      const head = text.slice(0, end.index);
      const status = Number(STATUS.exec(head)?.[1] ?? 0);
      if (status === 0) return 'bad';
      if (status === 101) return 'upgrade';
      if (status < 100 || status > 199) return { status, location: LOCATION.exec(head)?.[1] };
      // An informational answer (1xx): the final one is still to come.
      text = text.slice(end.index + end[0].length);
      from = 0;
    }
  };
  return (bytes, length) => {
    const received = Buffer.from(bytes.buffer, bytes.byteOffset, length);
    for (let start = 0; start < length; start += PIECE) {
      const read = readPiece(received.subarray(start, start + PIECE));
      if (read !== 'more') return read;
    }
    return 'more';
  };
}
