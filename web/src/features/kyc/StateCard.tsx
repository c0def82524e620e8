import { cx } from '../../lib/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';

import styles from './KycScreen.module.css';

const looks = {
  ask: { icon: 'identification-card', className: styles.ask },
  wait: { icon: 'clock-countdown-fill', className: styles.wait },
  good: { icon: 'shield-check-fill', className: styles.good },
  bad: { icon: 'shield-warning-fill', className: styles.bad },
} satisfies Record<string, { icon: IconName; className: string | undefined }>;

type StateCardProps = {
  tone: keyof typeof looks;
  title: string;
  text: string;
  note?: string | undefined;
};

export function StateCard({ tone, title, text, note }: StateCardProps) {
  const { icon, className } = looks[tone];
  return (
    <section role="status" className={cx(styles.card, className)}>
      <span className={styles.mark}>
        <Icon name={icon} size={24} />
      </span>
      <div className={styles.words}>
        <h2 className={styles.title}>{title}</h2>
        <p dir="auto" className={styles.text}>
          {text}
        </p>
        {note && <p className={styles.note}>{note}</p>}
      </div>
    </section>
  );
}
