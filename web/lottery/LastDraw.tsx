import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { shortNumero } from '../src/lib/numero.ts';
import { useLoad } from '../src/lib/useLoad.ts';
import { PrizeTable, DrawResult, DrawTotal } from '../src/ui/display/DrawResult.tsx';
import { Icon } from '../src/ui/Icon.tsx';
import { Skeleton } from '../src/ui/Skeleton.tsx';
import { Spinner } from '../src/ui/Spinner.tsx';
import { lottery } from './api.ts';
import { useGameContext } from './context.ts';
import { Countdown } from './Countdown.tsx';
import type { Results } from './useNumero.ts';
import type { Draw, Numero } from './wire.ts';

import styles from './LastDraw.module.css';

export type LastDrawProps = {
  numero: Numero;
  results: Results;
  onProof: (draw: Draw) => void;
};

/** Shows the last result and the time until the next draw. */
export function LastDraw({ numero, results, onProof }: LastDrawProps) {
  const { t } = useLingui();
  const { game } = useGameContext();
  const last = results.draws?.[0];
  // Only results that arrive while the page is open are revealed. The results are loaded after this component appears.
  const [initial, setInitial] = useState<string>();
  if (initial === undefined && results.draws) setInitial(last?.numero ?? '');
  const name = last && shortNumero(last.numero);
  const next = shortNumero(numero.numero);
  return (
    <section className={styles.card} aria-label={t`Last draw`}>
      <div className={styles.result}>
        {results.isDrawing ? (
          <p className={styles.drawing} role="status">
            <Spinner size={28} />
            {t`Drawing…`}
          </p>
        ) : !results.draws ? (
          <Skeleton shape="box" height={64} />
        ) : last ? (
          <>
            <p className={styles.label}>{t`Draw ${name}`}</p>
            <div className={styles.numbers} aria-live="polite">
              <DrawResult
                type={game.type}
                winNo={last.winNo}
                revealed={initial !== undefined && last.numero !== initial}
              />
              <DrawTotal type={game.type} winNo={last.winNo} />
            </div>
            {last.proof && (
              <button type="button" className={styles.proof} onClick={() => onProof(last)}>
                <Icon name="shield-check-fill" size={16} />
                {t`Check the draw`}
              </button>
            )}
          </>
        ) : (
          <p className={styles.label}>{t`No draw yet`}</p>
        )}
      </div>
      <div className={styles.next}>
        <p className={styles.label}>{t`Draw ${next}`}</p>
        <Countdown numero={numero} />
      </div>
      {(last?.simulated || game.simulated) && (
        <p className={styles.simulated}>
          {t`This demo draws this game itself. The results are not those of the real draw.`}
        </p>
      )}
    </section>
  );
}

/** Shows the prizes of the last regional draw. */
export function LastPrizes({ draw }: { draw: Draw }) {
  const { t } = useLingui();
  const { game } = useGameContext();
  const { data } = useLoad(`${game.gameId} ${draw.numero}`, () =>
    lottery.prizes(game.gameId, draw.numero),
  );
  if (!data) return null;
  return (
    <details className={styles.board} open>
      <summary className={styles.summary}>
        {t`Result ${shortNumero(draw.numero)}`}
        <Icon name="caret-down" size={16} />
      </summary>
      <PrizeTable prizes={data.prizes} />
    </details>
  );
}
