import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { drawPath, drawQuery, type Draw } from '../../api/pool.ts';
import { cx } from '../../lib/cx.ts';
import { formatTime } from '../../lib/dates.ts';
import type { SeriesCheck } from '../../lib/fairness-chain.ts';
import { navigate } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { Hex } from '../../ui/display/Hex.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Field } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ChainSource } from './ChainSource.tsx';
import { ChainStep } from './ChainStep.tsx';
import { PendingSeries } from './Status.tsx';
import { Note, Step } from './Step.tsx';
import { verifyDraw } from './verify-draw.ts';

import styles from './FairnessScreen.module.css';
import statusStyles from './Status.module.css';

export type JackpotDrawProps = { currency: string; series: number; nonce: number };

/** Verifies a jackpot draw on the member's device. It is public because it names no member. */
export function JackpotDraw({ currency, series, nonce }: JackpotDrawProps) {
  const { t } = useLingui();
  const query = useQuery(drawQuery(currency, series, nonce));
  return (
    <>
      <QueryView
        query={query}
        className={styles.loaded}
        skeleton={
          <>
            <Skeleton shape="box" height={84} />
            <Skeleton shape="box" height={96} />
            <Skeleton shape="box" height={96} />
          </>
        }
      >
        {(draw) =>
          draw.seed === null ? (
            <>
              <Empty
                icon="clock"
                title={t`This series still runs`}
                text={t`Its seed is shown when the pool is won. Until then nobody may know it.`}
              />
              <Commitment draw={draw} />
            </>
          ) : (
            <Proof key={`draw ${draw.series} ${draw.nonce}`} draw={draw} seed={draw.seed} />
          )
        }
      </QueryView>
      <AnotherDraw key={`${series} ${nonce}`} currency={currency} series={series} nonce={nonce} />
    </>
  );
}

/** The commitment published before the draws of a running series. */
function Commitment({ draw }: { draw: Draw }) {
  const { commitment, publishedAt } = draw;
  const { t, i18n } = useLingui();
  const published = formatTime(publishedAt, i18n.locale);
  return (
    <ol className={styles.steps}>
      <Step
        number={1}
        title={t`Promised before the draws`}
        note={<Note icon="lock-key">{t`published ${published}`}</Note>}
      >
        <Hex value={commitment} label={t`Commitment`} />
        {draw.chain && <ChainSource series={draw.chain} link={draw.link} />}
      </Step>
    </ol>
  );
}

function Proof({ draw, seed }: { draw: Draw; seed: string }) {
  const { t, i18n } = useLingui();
  const { currency, decimals } = useCurrencyOf(draw.currency);
  const { data: result } = useQuery({
    queryKey: ['fairness', 'jackpot', draw],
    queryFn: () => verifyDraw(draw, seed, decimals),
    staleTime: Infinity,
    networkMode: 'always',
  });
  const published = formatTime(draw.publishedAt, i18n.locale);
  const [seriesCheck, setSeriesCheck] = useState<SeriesCheck | null>(null);
  const isOfSeries = seriesCheck === null || seriesCheck === 'good';
  const matches = result?.commitmentMatches && result.matchesReport && isOfSeries;
  return (
    <>
      <section
        role="status"
        data-verdict={result ? (matches ? 'match' : 'mismatch') : 'none'}
        className={cx(
          statusStyles.status,
          result && (matches ? statusStyles.good : statusStyles.bad),
        )}
      >
        <div>
          <p className={statusStyles.word}>
            {result ? (matches ? t`MATCH` : t`NO MATCH`) : t`Check a result`}
          </p>
          <p className={statusStyles.text}>
            {t`Series ${draw.series}`} · {t`Draw ${draw.nonce}`} · {t`Stake`}{' '}
            <Amount value={draw.stake} currency={currency} decimals="needed" />
            {draw.won !== null && (
              <>
                {' · '}
                {t`Paid`} <Amount value={draw.won} currency={currency} decimals="needed" />
              </>
            )}
          </p>
          {matches && draw.chain && seriesCheck === null && <PendingSeries />}
        </div>
      </section>
      <ol className={styles.steps}>
        <Step
          number={1}
          title={t`Promised before the draws`}
          note={<Note icon="lock-key">{t`published ${published}`}</Note>}
        >
          <Hex value={draw.commitment} label={t`Commitment`} />
          {draw.chain && <ChainSource series={draw.chain} link={draw.link} />}
        </Step>
        <Step
          number={2}
          title={t`The server’s seed, revealed`}
          note={
            result && (
              <Note
                icon={result.commitmentMatches ? 'check-circle-fill' : 'x-circle-fill'}
                bad={!result.commitmentMatches}
              >
                {result.commitmentMatches ? t`SHA-256 = promise` : t`SHA-256 differs`}
              </Note>
            )
          }
        >
          <Hex value={seed} label={t`Server seed`} />
        </Step>
        {result && (
          <Step
            number={3}
            title={t`Worked out again`}
            note={
              <Note
                icon={result.matchesReport ? 'check-circle-fill' : 'x-circle-fill'}
                bad={!result.matchesReport}
              >
                {result.matchesReport ? t`same as was told` : t`not what was told`}
              </Note>
            }
          >
            <Hex value={result.block} label={t`First block`} />
            <p className={styles.formula}>
              <bdi dir="ltr">
                HMAC-SHA256(seed, {draw.clientSeed}:{draw.nonce}:0)
              </bdi>
            </p>
            <p className={styles.formula}>
              {t`Drawn`} <bdi dir="ltr">{result.number}</bdi> · {t`Wins below`}{' '}
              <bdi dir="ltr">{result.below}</bdi> · {result.won ? t`won` : t`not won`}
            </p>
          </Step>
        )}
        {result && draw.chain && (
          <ChainStep
            number={4}
            series={draw.chain}
            seed={seed}
            link={draw.link}
            clientSeed={draw.clientSeed}
            name={`${draw.currency}-${draw.series}`}
            check={seriesCheck}
            onCheck={setSeriesCheck}
          />
        )}
      </ol>
      <p className={styles.note}>{t`All of this is worked out on your device. Nothing is sent.`}</p>
    </>
  );
}

function AnotherDraw({ currency, series, nonce }: JackpotDrawProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState({ series: String(series), nonce: String(nonce) });
  const [submitted, setSubmitted] = useState(false);
  const field = (name: 'series' | 'nonce', label: string) => ({
    name,
    label,
    value: typed[name],
    onChange: (event: { target: { value: string } }) =>
      setTyped({ ...typed, [name]: event.target.value }),
    errors: submitted && !isNumber(typed[name]) ? [t`A whole number from 1`] : [],
    dir: 'ltr' as const,
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    maxLength: 12,
    className: styles.field,
  });
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        if (!isNumber(typed.series) || !isNumber(typed.nonce)) return;
        const next = { currency, series: Number(typed.series), nonce: Number(typed.nonce) };
        navigate(drawPath(next), { replace: true });
      }}
    >
      <Field {...field('series', t`Series`)} />
      <Field {...field('nonce', t`Draw`)} />
      <Button type="submit" variant="secondary" icon="arrows-clockwise">
        {t`Check this draw`}
      </Button>
    </form>
  );
}

const isNumber = (text: string): boolean => /^[1-9]\d{0,11}$/.test(text.trim());
