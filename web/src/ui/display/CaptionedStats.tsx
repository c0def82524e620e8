import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react';
import { createContext, use, useId, useMemo, type ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';

import styles from './CaptionedStats.module.css';

/** The caption of simulated figures. */
const caption = msg({ id: 'demo_display', message: 'Illustration' });

type Standing = { simulated: boolean; captionId: string };

const FiguresContext = createContext<Standing | null>(null);

export type FiguresProps = {
  title: ReactNode;
  /** Shows the caption that the figures are simulated. */
  simulated: boolean;
  /** Text below the title. */
  lead?: ReactNode;
  /** Content at the end of the title line. */
  end?: ReactNode;
  className?: string | undefined;
  headClass?: string | undefined;
  children: ReactNode;
};

/** A block of figures. Figures render only inside it, so simulated ones always have the caption. */
export function CaptionedStats(props: FiguresProps) {
  const { title, simulated, lead, end, className, headClass, children } = props;
  const { i18n } = useLingui();
  const id = useId();
  const captionId = `${id}-caption`;
  const standing = useMemo(() => ({ simulated, captionId }), [simulated, captionId]);
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
      <FiguresContext value={standing}>{children}</FiguresContext>
    </section>
  );
}

function useStanding(): Standing {
  const standing = use(FiguresContext);
  if (!standing) throw new Error('a figure stands outside of its block');
  return standing;
}

/** Attributes that mark a simulated figure and link it to its caption. */
export function useFigureMarks(): { 'data-simulated'?: true; 'aria-describedby'?: string } {
  const { simulated, captionId } = useStanding();
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
    <span className={className} {...useFigureMarks()}>
      {children}
    </span>
  );
}
