import type { ReactNode } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import type { MoveSide, MoveView } from '../../src/shared/transfers/transfer-page.ts';
import { DomainLink } from '../domains/DomainLink.tsx';
import { ExpiryDate, HealthTag, RknTag } from '../domains/DomainState.tsx';
import { Fact } from '../kit/Fact.tsx';
import { ArrowRightIcon } from '../kit/icons.tsx';
import { NoData } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';

interface SideProps {
  side: MoveSide;
  /** The text of its role in this move. */
  role: Key;
  isMain: boolean;
  /** The one that visitors get in the end. */
  isGoal?: boolean;
  after: ReactNode;
}

/** One of the two names as the lists have it. */
function Side({ side, role, isMain, isGoal = false, after }: SideProps) {
  const { domain, domain_name, unicode_name } = side;
  return (
    <section className={`panel move-side${isGoal ? ' move-goal' : ''}`}>
      <div className="move-role">
        <span className={isMain ? 'role role-main' : 'role'}>
          <T k={role} />
        </span>
        <span className="muted">{domain?.project_name}</span>
      </div>
      <h2 className="bp6-heading move-name">
        {domain === null ? (
          <span translate="no">{unicode_name}</span>
        ) : (
          <DomainLink {...{ domain_name, unicode_name }} />
        )}
      </h2>
      {domain === null ? (
        <p className="muted">
          <T k="transfer_page.gone" />
        </p>
      ) : (
        <dl className="domain-setup">
          <Fact title="list.rkn">
            <RknTag status={domain.status} checked={domain.last_block_check_at !== null} />
          </Fact>
          <Fact title="list.status">
            <HealthTag domain={domain} />
          </Fact>
          <Fact title="transfer_page.address">
            {domain.server_name === null ? (
              <NoData />
            ) : (
              <span translate="no">
                {domain.server_name} <span className="muted">{domain.server_ip}</span>
              </span>
            )}
          </Fact>
          <Fact title="list.expiry">
            <ExpiryDate {...domain} />
          </Fact>
          <Fact title="transfer_page.after">{after}</Fact>
        </dl>
      )}
    </section>
  );
}

const IS_NOW = { main: 'transfer_page.now_main', transfer: 'transfer_page.now_reserve' } as const;

/** Returns what the two names are in a move: before, or after it. Where they have changed again since, what they are now. */
function rolesOf({ has_moved, state, source, target }: MoveView): [source: Key, target: Key] {
  const wanted = has_moved ? (['transfer', 'main'] as const) : (['main', 'transfer'] as const);
  const told: [Key, Key] = has_moved
    ? ['transfer_page.was_main', 'transfer_page.became_main']
    : state === 'failed' || state === 'cancelled'
      ? ['transfer_page.stays_main', 'transfer_page.stays_reserve']
      : ['transfer_page.is_main', 'transfer_page.is_reserve'];
  const [first, second] = [source.domain?.type, target?.domain?.type];
  return [
    first === undefined || first === wanted[0] ? told[0] : IS_NOW[first],
    second === undefined || second === wanted[1] ? told[1] : IS_NOW[second],
  ];
}

/** The two names of a move side by side, below one another where there is no room. */
export function MoveSides({ move }: { move: MoveView }) {
  const { source, target, has_moved } = move;
  const [ofSource, ofTarget] = rolesOf(move);
  return (
    <div className="move-sides">
      <Side
        side={source}
        role={ofSource}
        isMain={!has_moved}
        after={target ? <T k="transfer_page.after_source" name={target.unicode_name} /> : <NoData />}
      />
      <span className="move-arrow">
        <ArrowRightIcon size={20} />
        <span className="visually-hidden">
          <T k="transfer_page.to" />
        </span>
      </span>
      {target ? (
        <Side isGoal side={target} role={ofTarget} isMain={has_moved} after={<T k="transfer_page.after_target" />} />
      ) : (
        <section className="panel move-side move-nobody">
          <p className="muted">
            <T k="transfer_page.no_target" />
          </p>
        </section>
      )}
    </div>
  );
}
