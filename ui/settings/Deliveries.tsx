import { HTMLTable } from '@blueprintjs/core';
import { useCall } from '../kit/api.ts';
import { useFormats } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';

const SHOWN = 50;

/** The last 50 deliveries of notices, newest first. */
export function Deliveries() {
  const formats = useFormats();
  const { data: answer } = useCall('GET /api/deliveries', { query: { limit: SHOWN } });
  const rows = answer?.data ?? [];
  if (rows.length === 0) {
    return (
      <Panel title={<T k="notices.deliveries" />}>
        <p className="muted">
          <T k="notices.no_deliveries" />
        </p>
      </Panel>
    );
  }
  return (
    <Panel title={<T k="notices.deliveries" />} flush>
      <div className="deliveries">
        <HTMLTable compact>
          <thead>
            <tr>
              {(['at', 'to', 'by', 'state'] as const).map((name) => (
                <th key={name} scope="col">
                  <T k={`notices.delivery_${name}`} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td>{formats.ago(row.changed_at)}</td>
                <td>{row.login ?? row.webhook}</td>
                <td>
                  <T k={`notices.channel_${row.channel}`} />
                </td>
                <td>
                  <T k={`notices.state_${row.state}`} />
                  {row.error !== null && (
                    <span className="muted" lang="en">
                      {` ${row.error}`}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </div>
    </Panel>
  );
}
