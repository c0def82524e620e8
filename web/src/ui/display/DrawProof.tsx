import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

import { checkSeries, endOfChain, type SeriesCheck } from '../../lib/fairness-chain.ts';
import {
  drawnNumbers,
  isCommitted,
  type FastLottery,
  type LotteryProof,
  type SeriesSource,
} from '../../lib/fairness-lottery.ts';
import { useLoad } from '../../lib/useLoad.ts';
import { Button } from '../Button.tsx';
import { Icon } from '../Icon.tsx';
import { Spinner } from '../Spinner.tsx';
import { DrawResult } from './DrawResult.tsx';
import { Hex } from './Hex.tsx';

import styles from './DrawProof.module.css';

type Proof = LotteryProof & { series: string };

export type DrawProofProps = {
  type: FastLottery;
  gameCode: string;
  draw: { numero: string; winNo: string };
  proof: Proof;
  source: SeriesSource;
};

/** Computes a draw of a fast lottery again from its seed, on this device. */
export function DrawProof({ type, gameCode, draw, proof, source }: DrawProofProps) {
  const { t } = useLingui();
  const check = useLoad(draw.numero, async () => ({
    numbers: await drawnNumbers(type, gameCode, proof),
    committed: await isCommitted(proof),
  }));
  const { data } = check;
  return (
    <>
      <p className={styles.text}>
        {t`This device computes the numbers again from the seed that was fixed before the first draw.`}
      </p>
      <DrawResult type={type} winNo={draw.winNo} />
      {check.error && <p role="alert">{t`This browser cannot check the draw.`}</p>}
      {!data && !check.error && <Spinner size={24} />}
      {data && (
        <ul className={styles.checks} aria-live="polite">
          <Check ok={data.numbers === draw.winNo}>
            {data.numbers === draw.winNo
              ? t`The seed yields exactly these numbers.`
              : t`The seed yields other numbers: ${data.numbers ?? '–'}`}
          </Check>
          <Check ok={data.committed}>
            {data.committed
              ? t`The hash of the seed is the commitment, which is the seed of the draw before.`
              : t`The hash of the seed is not the commitment.`}
          </Check>
        </ul>
      )}
      <ChainCheck proof={proof} gameCode={gameCode} source={source} />
      <dl className={styles.values}>
        <dt>{t`Seed`}</dt>
        <dd>
          <Hex label={t`Seed`} value={proof.seed} />
        </dd>
        <dt>{t`Commitment`}</dt>
        <dd>
          <Hex label={t`Commitment`} value={proof.commitment} />
        </dd>
        <dt>{t`Client seed`}</dt>
        <dd>
          <Hex label={t`Client seed`} value={`${proof.salt}-${gameCode}`} plain />
        </dd>
        <dt>{t`Number in the series`}</dt>
        <dd>{proof.link}</dd>
      </dl>
      <SaltSource series={proof.series} source={source} />
    </>
  );
}

/** Says where the salt of the series comes from. */
function SaltSource({ series, source }: { series: string; source: SeriesSource }) {
  const { t } = useLingui();
  const { data } = useLoad(series, () => source.series(series));
  if (!data) return null;
  const texts = {
    operator: t`The operator chose the start of the series.`,
    beacon: t`The series starts with a public random value that was announced before.`,
    announced: t`The series starts with a public result that was announced before.`,
  };
  return <p className={styles.text}>{texts[data.saltSource]}</p>;
}

function Check({ ok, children }: { ok: boolean; children: string }) {
  return (
    <li className={styles.check} data-ok={ok}>
      <Icon name={ok ? 'check-circle-fill' : 'x-circle-fill'} size={20} />
      {children}
    </li>
  );
}

/** Checks a seed against its series. Series of older versions have salts that follow from nothing. */
async function checkProof(
  proof: Proof,
  gameCode: string,
  source: SeriesSource,
  onProgress: (done: number) => boolean,
): Promise<SeriesCheck | null> {
  const { seed, link, salt } = proof;
  const series = await source.publishedSeries(proof.series);
  if (series) {
    const clientSeed = `${salt}-${gameCode}`;
    return checkSeries(series, { seed, link, clientSeed, name: gameCode }, onProgress);
  }
  const older = await source.series(proof.series);
  if (older.salt !== salt) return 'wrongSalt';
  const end = await endOfChain(seed, link, onProgress);
  if (end === null) return null;
  return end === older.end ? 'good' : 'wrongEnd';
}

/** Computes the salt again, hashes the seed repeatedly, and compares the result with the end that was published before the first draw. */
function ChainCheck({
  proof,
  gameCode,
  source,
}: Pick<DrawProofProps, 'proof' | 'gameCode' | 'source'>) {
  const { t } = useLingui();
  const [state, setState] = useState<'idle' | 'running' | SeriesCheck | 'failed'>('idle');
  const [done, setDone] = useState(0);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  async function run(): Promise<void> {
    setState('running');
    try {
      const found = await checkProof(proof, gameCode, source, (count) => {
        if (mounted.current) setDone(count);
        return mounted.current;
      });
      if (mounted.current) setState(found ?? 'failed');
    } catch {
      if (mounted.current) setState('failed');
    }
  }

  const { link } = proof;
  const percent = Math.floor((100 * done) / link);
  if (state === 'good' || state === 'wrongEnd' || state === 'wrongSalt') {
    const texts = {
      good: t`${link} hashes lead to the published end, and the salt is that of the series.`,
      wrongEnd: t`The hashes do not lead to the published end.`,
      wrongSalt: t`The salt is not that of the series.`,
    };
    return (
      <ul className={styles.checks} aria-live="polite">
        <Check ok={state === 'good'}>{texts[state]}</Check>
      </ul>
    );
  }
  return (
    <>
      {state === 'failed' && <p role="alert">{t`The series could not be loaded.`}</p>}
      <Button
        variant="secondary"
        size="md"
        icon="shield-check"
        disabled={state === 'running'}
        onPress={() => void run()}
      >
        {state === 'running' ? t`Checking the series: ${percent}%` : t`Check the whole series`}
      </Button>
    </>
  );
}
