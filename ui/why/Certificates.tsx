import type { CertificateView } from '../../src/shared/why/certificates.ts';
import { useCall } from '../kit/api.ts';
import { useFormats } from '../kit/language.ts';
import { NoData, Status, type State } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';

const SOON_DAYS = 14;

function stateOf({ fault, days }: CertificateView): State {
  if (days !== null && days < 0) return 'expired';
  if (fault !== null) return 'broken';
  return days !== null && days <= SOON_DAYS ? 'expiring' : 'healthy';
}

/** The days that a certificate has left, what is wrong with it, and when it was seen. */
function Certificate({ certificate }: { certificate: CertificateView }) {
  const formats = useFormats();
  const { side, issuer, days, fault, looked_at, error } = certificate;
  return (
    <div>
      <dt>
        <T k={`why.side_${side}`} />
      </dt>
      <dd>
        {days === null ? (
          <NoData />
        ) : (
          <Status state={stateOf(certificate)}>{days < 0 ? <T k="why.over" /> : <T k="why.days" n={days} />}</Status>
        )}
        <span className="check-looks">
          {fault !== null && (
            <>
              <T k={`health.certificate_${fault}`} />
              {'; '}
            </>
          )}
          {issuer !== null && <span translate="no">{issuer}, </span>}
          <T k="why.seen" when={formats.ago(looked_at)} />
          {error !== null && (
            <>
              {'. '}
              <T k="why.unseen" />: <T k={`health.${error}`} />
            </>
          )}
        </span>
      </dd>
    </div>
  );
}

/** The certificates of a domain at both sides, as the daily look has seen them. */
export function Certificates({ id }: { id: number }) {
  const { data } = useCall('GET /api/domains/:id/certificates', { params: { id } });
  if (!data) return null;
  return (
    <section className="why-certificates">
      <h3 className="bp6-heading">
        <T k="why.certificates" />
      </h3>
      {data.data.length === 0 ? (
        <p className="muted">
          <T k="why.no_certificates" />
        </p>
      ) : (
        <dl className="registration">
          {data.data.map((certificate) => (
            <Certificate key={certificate.side} certificate={certificate} />
          ))}
        </dl>
      )}
    </section>
  );
}
