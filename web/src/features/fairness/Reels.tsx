import { useLingui } from '@lingui/react/macro';
import { createContext, use, useState } from 'react';

import { artUrl } from '../../lib/art.ts';
import { cx } from '../../lib/cx.ts';
import type { Machine, Outcome, Spin, Step } from '../../lib/fairness-machine.ts';
import { atlasAddress, isSymbol, symbolCut } from '../../lib/slot-atlas.ts';
import { symbolName } from '../../lib/symbol-words.ts';
import { Picture } from '../../ui/Picture.tsx';

import styles from './Reels.module.css';

const pictures: Readonly<Record<string, string>> = {
  wild: 'fire',
  scatter: 'coin',
  dragon: 'dragon',
  lotus: 'lotus',
  diamond: 'diamond',
  lantern: 'lantern',
  envelope: 'envelope',
};

/** The theme of the symbols; empty if it is unknown or its pictures failed to load. */
const Theme = createContext('');

export type ReelsProps = {
  machine: Machine;
  outcome: Outcome;
  /** The theme of the played game; empty if unknown. */
  theme: string;
};

/** Shows the symbols of the paid spin, and the free rounds in a collapsed section. */
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
      {paid && <SpinView spin={paid} />}
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
              // oxlint-disable-next-line react/no-array-index-key -- free rounds never move
              <section key={index}>
                <h4>{t`Free round ${number} of ${many}`}</h4>
                <SpinView spin={spin} />
              </section>
            );
          })}
        </details>
      )}
    </Theme>
  );
}

/** Shows a spin with its stops, then the grid after each fall. */
function SpinView({ spin }: { spin: Spin }) {
  const { t } = useLingui();
  return spin.steps.map((step, falls) => (
    // oxlint-disable-next-line react/no-array-index-key -- steps never move
    <div key={falls}>
      {falls > 0 && <h5 className={styles.fall}>{t`After fall ${falls}`}</h5>}
      <StepView step={step} stops={falls === 0 ? spin.stops : null} />
    </div>
  ));
}

function StepView({ step, stops }: { step: Step; stops: readonly number[] | null }) {
  const theme = use(Theme);
  const winning = new Set(step.wins.flatMap(({ cells }) => cells.map((cell) => cell.join(':'))));
  return (
    <div className={styles.reels} dir="ltr">
      {step.grid.map((column, reel) => (
        // oxlint-disable-next-line react/no-array-index-key -- reels never move
        <div key={reel} className={styles.reel}>
          {column.map((symbol, row) => (
            <span
              // oxlint-disable-next-line react/no-array-index-key -- cells never move
              key={row}
              role="img"
              aria-label={symbolName(symbol, theme)}
              className={cx(styles.cell, winning.has(`${reel}:${row}`) && styles.winning)}
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
