import { useLingui } from '@lingui/react/macro';

import { countdownText, phaseOf, useServerNow } from './clock.ts';
import type { Numero } from './wire.ts';

import styles from './Countdown.module.css';

/** Shows the time until a numero closes, then the time until its draw. */
export function Countdown({ numero }: { numero: Numero }) {
  const { t } = useLingui();
  const now = useServerNow();
  const phase = phaseOf(numero, now);
  const isOpen = phase === 'open' && numero.status === 'open';
  const target = isOpen ? numero.closeTime : phase === 'early' ? numero.openTime : numero.drawTime;
  const openMs = numero.closeTime - numero.openTime;
  const remaining = Math.max(0, Math.min(1, (target - now) / openMs));
  return (
    <div className={styles.countdown} data-soon={(isOpen && target - now <= 10_000) || undefined}>
      <span className={styles.label}>
        {phase === 'early'
          ? t`Opens in`
          : isOpen
            ? t`Bets close in`
            : phase === 'drawing'
              ? t`Drawing…`
              : t`Closed, draw in`}
      </span>
      <span className={styles.clock} role="timer" dir="ltr">
        {countdownText(target - now)
          .split('')
          .map((digit, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a digit has no other identity than its place
            <span key={index} className={digit === ':' ? styles.colon : styles.digit}>
              {digit}
            </span>
          ))}
      </span>
      {isOpen && (
        <span className={styles.bar} aria-hidden="true">
          <span className={styles.left} style={{ scale: `${remaining} 1` }} />
        </span>
      )}
    </div>
  );
}
