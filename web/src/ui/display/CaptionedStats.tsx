import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react';
import { createContext, use, useId, useMemo, type ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';

import styles from './CaptionedStats.module.css';

/** What every made-up figure is called. */
const caption = msg({ id: 'demo_display', message: 'Illustration' });

type Standing = { simulated: boolean; captionId: string };

const FiguresContext = createContext<Standing | null>(null);

export type FiguresProps = {
  title: ReactNode;
  /** The figures are made up, for show: the caption says so beside the title. */
  simulated: boolean;
  /** More words under the title. */
  lead?: ReactNode;
  /** Stands at the end of the title's line. */
  end?: ReactNode;
  className?: string | undefined;
  headClass?: string | undefined;
  children: ReactNode;
};

/**
 * A block of figures under its title. It is the only place where a figure can stand, so that none that is made up
 * can be without the caption.
 */
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

/** How the figures of this block stand: each has to point to the caption where it is made up. */
function useStanding(): Standing {
  const standing = use(FiguresContext);
  if (!standing) throw new Error('a figure stands outside of its block');
  return standing;
}

/** The marks of one figure: what made-up ones are known by, and the caption that speaks for them. */
export function useFigureMarks(): { 'data-simulated'?: true; 'aria-describedby'?: string } {
  const { simulated, captionId } = useStanding();
  return simulated ? { 'data-simulated': true, 'aria-describedby': captionId } : {};
}

/** One figure, or one row of them. */
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
