import { Callout } from '../plain/Callout.tsx';
import { Message } from '../T.tsx';

/** The failure of a form, above its buttons: the first line says what failed, the rest is the server's reason. */
export function Failure({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  const [first = '', ...rest] = text.split('\n');
  return (
    <Callout intent="danger" role="alert" className="form-failure" compact>
      <div>
        <Message text={first} />
      </div>
      {rest
        .filter((reason) => reason !== first)
        .map((reason) => (
          <div key={reason} className="failure-reason">
            <Message text={reason} />
          </div>
        ))}
    </Callout>
  );
}
