import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { roundProofQuery } from '../../api/fairness.ts';
import { loginPath } from '../../api/require-login.ts';
import { useLoggedIn } from '../../api/session.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { Link, useAddressQuery } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { JackpotDraw, type JackpotDrawProps } from './JackpotDraw.tsx';
import { JackpotSeries } from './JackpotSeries.tsx';
import { LotterySeries } from './LotterySeries.tsx';
import { NextSeed } from './NextSeed.tsx';
import { TableSeries } from './TableSeries.tsx';
import { readEngine, readPosition, readValues, valuesOf } from './values.ts';
import { Verifier } from './Verifier.tsx';

import styles from './FairnessScreen.module.css';

/** Verifies a round or a jackpot draw from its published values, on the member's device. */
export default function FairnessScreen() {
  const query = useAddressQuery().toString();
  const address = useMemo(() => {
    const parts = new URLSearchParams(query);
    return {
      vendor: parts.get('vendor') ?? '',
      roundId: parts.get('roundId') ?? '',
      draw: readDraw(parts),
      values: readValues(parts),
      engine: readEngine(parts),
      position: readPosition(parts),
    };
  }, [query]);
  const loggedIn = useLoggedIn();
  return (
    <div className={styles.screen}>
      {address.draw ? (
        <JackpotDraw {...address.draw} />
      ) : address.roundId ? (
        loggedIn ? (
          <OwnRound key={query} vendor={address.vendor} roundId={address.roundId} />
        ) : (
          <LoginRequired />
        )
      ) : (
        <>
          <Verifier
            key={query}
            values={address.values}
            engine={address.engine}
            position={address.position}
          />
          {loggedIn && <NextSeed />}
          <TableSeries />
          <LotterySeries />
          <JackpotSeries />
        </>
      )}
    </div>
  );
}

function readDraw(parts: URLSearchParams): JackpotDrawProps | null {
  const [series, nonce] = ['series', 'draw'].map((name) => Number(parts.get(name)));
  if (!series || !nonce || !Number.isSafeInteger(series) || !Number.isSafeInteger(nonce))
    return null;
  return { currency: (parts.get('currency') ?? '').slice(0, 8), series, nonce };
}

function OwnRound({ vendor, roundId }: { vendor: string; roundId: string }) {
  const { t } = useLingui();
  const query = useQuery(roundProofQuery(useLanguage(), vendor, roundId));
  return (
    <QueryView
      query={query}
      className={styles.loaded}
      skeleton={
        <>
          <Skeleton shape="box" height={84} />
          <Skeleton shape="box" height={58} />
          {[0, 1, 2].map((each) => (
            <Skeleton key={each} shape="box" height={96} />
          ))}
        </>
      }
    >
      {(round) =>
        round.seed === null ? (
          <Empty
            icon="clock"
            title={t`This round still runs`}
            text={t`Its seed is shown when it has ended. Until then nobody may know it.`}
            actions={
              <button
                type="button"
                className={buttonClass({ size: 'md' })}
                onClick={() => void query.refetch()}
              >
                {t`Look again`}
              </button>
            }
          />
        ) : (
          <Verifier
            key={round.roundId}
            values={valuesOf(round)}
            engine={{ name: round.engine, version: round.version }}
            round={round}
          />
        )
      }
    </QueryView>
  );
}

function LoginRequired() {
  const { t } = useLingui();
  return (
    <Empty
      art={artUrl('spots/lock.webp')}
      icon="lock-key"
      title={t`Log in to open your round`}
      text={t`Without a login you can still check any round by typing its values.`}
      actions={
        <>
          <Link
            to={loginPath(location.pathname + location.search)}
            className={buttonClass({ size: 'md' })}
          >
            {t`Log in`}
          </Link>
          <Link to="/m/fairness" className={buttonClass({ size: 'md', variant: 'secondary' })}>
            {t`Type the values`}
          </Link>
        </>
      }
    />
  );
}
