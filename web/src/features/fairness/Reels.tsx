import { useLingui } from '@lingui/react/macro';
import { createContext, use, useState } from 'react';

import { artUrl } from '../../lib/art.ts';
import { cx } from '../../lib/cx.ts';
import type { Machine, Outcome, Spin, Step } from '../../lib/fairness-machine.ts';
import { atlasAddress, isSymbol, symbolCut } from '../../lib/slot-atlas.ts';
import { symbolName } from '../../lib/symbol-words.ts';
import { Picture } from '../../ui/Picture.tsx';

import styles from './Reels.module.css';

/** What the machine's symbols look like where no game is known that was played with it. */
const pictures: Readonly<Record<string, string>> = {
  wild: 'fire',
  scatter: 'coin',
  dragon: 'dragon',
  lotus: 'lotus',
  diamond: 'diamond',
  lantern: 'lantern',
  envelope: 'envelope',
};

/** As which game the symbols are drawn; empty where none is known, or its pictures cannot be had. */
const Theme = createContext('');

export type ReelsProps = {
  machine: Machine;
  outcome: Outcome;
  /** Of the game that was played; empty where that is not known. */
  theme: string;
};

/** What the numbers show: the paid spin, and behind a fold the free rounds that it brought. */
export function Reels({ machine, outcome, theme }: ReelsProps) {
  const { t } = useLingui();
  const [missing, setMissing] = useState(false);
  const stops = machine.strips[0]?.length ?? 0;
  const reels = machine.strips.length;
  const [paid, ...free] = outcome.spins;
  const many = free.length;
  return (
    <Theme value={missing ? '' : theme}>
      {theme && (
        <img
          src={atlasAddress(theme)}
          alt=""
          className={styles.probe}
          onError={() => setMissing(true)}
        />
      )}
      {paid && <SpinShown spin={paid} />}
      <p className={styles.legend}>
        <span>{t`Stop = 4 bytes mod ${stops}`}</span>
        <span>{t`${reels} reels × ${stops} stops`}</span>
      </p>
      {many > 0 && (
        <details className={styles.free}>
          <summary>{t`Free rounds: ${many}`}</summary>
          {free.map((spin, index) => {
            const number = index + 1;
            return (
              // oxlint-disable-next-line react/no-array-index-key -- a free round is its place
              <section key={index}>
                <h4>{t`Free round ${number} of ${many}`}</h4>
                <SpinShown spin={spin} />
              </section>
            );
          })}
        </details>
      )}
    </Theme>
  );
}

/** Reel by reel, with the stops that they come from; then what stood there after each fall. */
function SpinShown({ spin }: { spin: Spin }) {
  const { t } = useLingui();
  return spin.steps.map((step, falls) => (
    // oxlint-disable-next-line react/no-array-index-key -- a step is its place
    <div key={falls}>
      {falls > 0 && <h5 className={styles.fall}>{t`After fall ${falls}`}</h5>}
      <StepShown step={step} stops={falls === 0 ? spin.stops : null} />
    </div>
  ));
}

function StepShown({ step, stops }: { step: Step; stops: readonly number[] | null }) {
  // As it looks, so it is called.
  const theme = use(Theme);
  const lit = new Set(step.wins.flatMap(({ cells }) => cells.map((cell) => cell.join(':'))));
  return (
    <div className={styles.reels} dir="ltr">
      {step.grid.map((column, reel) => (
        // oxlint-disable-next-line react/no-array-index-key -- a reel is its place
        <div key={reel} className={styles.reel}>
          {column.map((symbol, row) => (
            <span
              // oxlint-disable-next-line react/no-array-index-key -- and a cell its row
              key={row}
              role="img"
              aria-label={symbolName(symbol, theme)}
              className={cx(styles.cell, lit.has(`${reel}:${row}`) && styles.lit)}
            >
              <Symbol name={symbol} />
            </span>
          ))}
          {stops && <b className={styles.stop}>{stops[reel]}</b>}
        </div>
      ))}
    </div>
  );
}

function Symbol({ name }: { name: string }) {
  const theme = use(Theme);
  if (theme && isSymbol(name))
    return <span data-pictures={theme} style={symbolCut(name, 30, theme)} />;
  const letter = <span className={styles.letter}>{name}</span>;
  const picture = Object.hasOwn(pictures, name) ? pictures[name] : undefined;
  return picture ? (
    <Picture src={artUrl(`icons/${picture}.webp`)} size={26} fallback={letter} />
  ) : (
    letter
  );
}
