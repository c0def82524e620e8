import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

import { checkSeries, endOfChain, type SeriesCheck } from '../src/lib/fairness-chain.ts';
import { drawnNumbers, isCommitted, type FastLottery } from '../src/lib/fairness-lottery.ts';
import { shortNumero } from '../src/lib/numero.ts';
import { Button } from '../src/ui/Button.tsx';
import { DrawResult } from '../src/ui/display/DrawResult.tsx';
import { Hex } from '../src/ui/display/Hex.tsx';
import { Icon } from '../src/ui/Icon.tsx';
import { Spinner } from '../src/ui/Spinner.tsx';
import { lottery } from './api.ts';
import { useGameContext } from './context.ts';
import { Panel } from './Panel.tsx';
import { useLoad } from './useLoad.ts';
import type { Draw, Proof } from './wire.ts';

import styles from './ProofPanel.module.css';

/** Computes a draw again from its seed, on this device. */
export function ProofPanel({ draw, onClose }: { draw: Draw | null; onClose: () => void }) {
  const { t } = useLingui();
  const name = draw ? shortNumero(draw.numero) : '';
  return (
    <Panel open={draw?.proof !== undefined} onClose={onClose} title={t`Check of draw ${name}`}>
      {draw?.proof && <ProofDetails key={draw.numero} draw={draw} proof={draw.proof} />}
    </Panel>
  );
}

function ProofDetails({ draw, proof }: { draw: Draw; proof: Proof }) {
  const { t } = useLingui();
  const { game } = useGameContext();
  const form = game.type as FastLottery;
  const check = useLoad(draw.numero, async () => ({
    numbers: await drawnNumbers(form, game.gameCode, proof),
    committed: await isCommitted(proof),
  }));
  const { data } = check;
  return (
    <>
      <p className={styles.text}>
        {t`This device computes the numbers again from the seed that was fixed before the first draw.`}
      </p>
      <DrawResult type={game.type} winNo={draw.winNo} />
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
      <ChainCheck proof={proof} />
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
          <Hex label={t`Client seed`} value={`${proof.salt}-${game.gameCode}`} plain />
        </dd>
        <dt>{t`Number in the series`}</dt>
        <dd>{proof.link}</dd>
      </dl>
      <SaltSource series={proof.series} />
    </>
  );
}

/** Says where the salt of the series comes from. */
function SaltSource({ series }: { series: string }) {
  const { t } = useLingui();
  const { data } = useLoad(series, () => lottery.series(series));
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
  onProgress: (done: number) => boolean,
): Promise<SeriesCheck | null> {
  const { seed, link, salt } = proof;
  const series = await lottery.publishedSeries(proof.series);
  if (series) {
    const clientSeed = `${salt}-${gameCode}`;
    return checkSeries(series, { seed, link, clientSeed, name: gameCode }, onProgress);
  }
  const older = await lottery.series(proof.series);
  if (older.salt !== salt) return 'wrongSalt';
  const end = await endOfChain(seed, link, onProgress);
  if (end === null) return null;
  return end === older.end ? 'good' : 'wrongEnd';
}

/** Computes the salt again, hashes the seed repeatedly, and compares the result with the end that was published before the first draw. */
function ChainCheck({ proof }: { proof: Proof }) {
  const { t } = useLingui();
  const { game } = useGameContext();
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
      const found = await checkProof(proof, game.gameCode, (count) => {
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
