import { useFormats } from '../language.ts';
import { NoData } from '../Status.tsx';

/** A cell with a time of the server in the reader's zone and language. */
export function DateTime({ iso }: { iso: string | null }) {
  const formats = useFormats();
  return iso === null ? <NoData /> : <time dateTime={iso}>{formats.dateTime(iso)}</time>;
}
