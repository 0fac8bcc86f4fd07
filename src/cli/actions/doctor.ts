import { examine } from '../../services/system/doctor.ts';
import { requireHostFirst, type Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';

const COLUMNS = columnsOf<{ check: string; status: string; message: string }>({
  check: true,
  status: true,
  message: true,
});

/** `doctor`: exit 1 if something does not work. */
export async function examineAll(context: Context): Promise<Result> {
  await requireHostFirst(context);
  const findings = await examine();
  const items = findings.map(({ check, status, said }) => ({
    check,
    status,
    message: context.say(said.key, said.params),
  }));
  const bytes = findings.find(({ bytes }) => bytes)?.bytes;
  const count = (wanted: string): number => items.filter(({ status }) => status === wanted).length;
  const summary = { ok: count('ok'), warn: count('warn'), fail: count('fail') };
  const result: Result = { items, columns: COLUMNS, summary, ...(bytes && { data: { bytes } }) };
  if (summary.fail === 0) return result;
  const message = context.say('doctor.found', { count: summary.fail });
  return { ...result, exit: 1, failure: { exit: 1, code: 'unhealthy', message } };
}
