import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react';
import { createContext, use, useId, useMemo, type ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';

import styles from './CaptionedStats.module.css';

/** The caption of simulated figures. */
const caption = msg({ id: 'demo_display', message: 'Illustration' });

type StatsState = { simulated: boolean; captionId: string };

const StatsContext = createContext<StatsState | null>(null);

export type CaptionedStatsProps = {
  title: ReactNode;
  /** Shows the caption that the figures are simulated. */
  simulated: boolean;
  lead?: ReactNode;
  end?: ReactNode;
  className?: string | undefined;
  headClass?: string | undefined;
  children: ReactNode;
};

/** A block of figures. Figures render only inside it, so simulated ones always have the caption. */
export function CaptionedStats(props: CaptionedStatsProps) {
  const { title, simulated, lead, end, className, headClass, children } = props;
  const { i18n } = useLingui();
  const id = useId();
  const captionId = `${id}-caption`;
  const state = useMemo(() => ({ simulated, captionId }), [simulated, captionId]);
  return (
    <section aria-labelledby={`${id}-title`} className={className}>
      <div className={cx(styles.head, headClass)}>
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
        </h2>
        {simulated && (
          <span id={captionId} data-caption className={styles.caption}>
            {i18n._(caption)}
          </span>
        )}
        {end && <span className={styles.end}>{end}</span>}
      </div>
      {lead && <p className={styles.lead}>{lead}</p>}
      <StatsContext value={state}>{children}</StatsContext>
    </section>
  );
}

function useStatsState(): StatsState {
  const state = use(StatsContext);
  if (!state) throw new Error('Figure and Counter must be inside CaptionedStats');
  return state;
}

/** Attributes that mark a simulated figure and link it to its caption. */
export function useFigureAttributes(): { 'data-simulated'?: true; 'aria-describedby'?: string } {
  const { simulated, captionId } = useStatsState();
  return simulated ? { 'data-simulated': true, 'aria-describedby': captionId } : {};
}

export function Figure({
  className,
  children,
}: {
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span className={className} {...useFigureAttributes()}>
      {children}
    </span>
  );
}
