import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type ReactNode } from 'react';

import { checkSeries, type ChainLink, type SeriesCheck } from '../../lib/fairness-chain.ts';
import { Button } from '../../ui/Button.tsx';
import type { Series } from './series.ts';
import { Note, Step } from './Step.tsx';

import styles from './FairnessScreen.module.css';

export type ChainStepProps = ChainLink & {
  number: number;
  series: Series;
  check: SeriesCheck | null;
  onCheck: (check: SeriesCheck) => void;
  children?: ReactNode;
};

/** Hashes a seed down to the end of its series. It starts on demand, because a million hashes take seconds. */
export function ChainStep(props: ChainStepProps) {
  const { number, series, check, onCheck, children, ...chainLink } = props;
  const { link } = chainLink;
  const { t } = useLingui();
  const [state, setState] = useState<'idle' | 'running' | 'failed'>('idle');
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
      const found = await checkSeries(series, chainLink, (count) => {
        if (mounted.current) setDone(count);
        return mounted.current;
      });
      if (!mounted.current) return;
      setState(found ? 'idle' : 'failed');
      if (found) onCheck(found);
    } catch {
      if (mounted.current) setState('failed');
    }
  }

  const percent = Math.floor((100 * done) / link);
  const texts = {
    good: t`${link} hashes lead to the published end, and the salt is that of the series.`,
    wrongEnd: t`The hashes do not lead to the published end.`,
    wrongSalt: t`The salt is not that of the series.`,
  };
  return (
    <Step
      number={number}
      title={t`The whole series`}
      note={
        check && (
          <Note
            icon={check === 'good' ? 'check-circle-fill' : 'x-circle-fill'}
            bad={check !== 'good'}
          >
            {check === 'good' ? t`seed of the series` : t`not of the series`}
          </Note>
        )
      }
    >
      {children}
      {check ? (
        <p className={styles.note} role="status">
          {texts[check]}
        </p>
      ) : (
        <>
          <p className={styles.note}>
            {t`Your device can hash the seed down to the end of the chain, which was published before its first seed was used.`}
          </p>
          {state === 'failed' && <p role="alert">{t`This browser cannot check the series.`}</p>}
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
      )}
    </Step>
  );
}
