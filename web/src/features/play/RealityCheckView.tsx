import { Dialog as Base } from '@base-ui/react/dialog';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import { limitsQuery } from '../../api/limits.ts';
import { describeError } from '../../i18n/api-error.ts';
import { artUrl } from '../../lib/art.ts';
import { onStepBack, onLayer } from '../../lib/layers.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { toast } from '../../ui/toastStore.ts';
import type { RealityCheckProps } from './RealityCheck.tsx';
import { formatElapsed, serverNow } from './SessionStats.tsx';

import styles from './RealityCheckView.module.css';

/** The back button does not close the check. The member must choose to continue or to stop. */
function useBlockedBack(open: boolean): void {
  useEffect(() => {
    if (!open) return;
    let release = () => {};
    let blocked = true;
    const block = () => {
      release = onStepBack(() => {
        if (blocked && !onLayer()) block();
      });
    };
    block();
    return () => {
      blocked = false;
      release();
    };
  }, [open]);
}

function durationInWords(ms: number, language: string): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  const format = (amount: number, unit: 'hour' | 'minute') =>
    new Intl.NumberFormat(`${language}-u-nu-latn`, {
      style: 'unit',
      unit,
      unitDisplay: 'long',
    }).format(amount);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 && format(hours, 'hour'), rest > 0 && format(rest, 'minute')]
    .filter(Boolean)
    .join(' ');
}

export default function RealityCheckView({
  open,
  play,
  onContinue,
  onLeave,
}: RealityCheckProps & { onClose: () => void }) {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(play?.currency);
  const { data: limits } = useQuery({ ...limitsQuery, enabled: open, staleTime: 0 });
  const rounds = play?.rounds ?? 0;
  const allPlay = limits?.realityCheck.played ?? null;
  const currentMinutes = play?.realityCheck.minutes ?? null;
  const stop = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  useBlockedBack(open);
  // These values are fixed when the check opens, so the clock does not run while the member reads.
  const [elapsed, setElapsed] = useState(0);
  const [wasOpen, setWasOpen] = useState(false);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open && play) setElapsed(serverNow(play) - play.startedAt);
  }
  const minutesIn = (minutes: number) => t`${minutes} min`;
  const chosenMinutes = chosen ?? currentMinutes;
  // The check covers all play without a break, in other games too, when that is longer than this session.
  const longer = allPlay && allPlay.for > elapsed ? allPlay : null;
  const totals = longer ?? play;
  const length = longer?.for ?? elapsed;
  const played = durationInWords(length, i18n.locale);
  const shownLimit =
    limits?.limits.find(
      ({ kind, period, amount }) => kind === 'loss' && period === 'day' && amount,
    ) ??
    limits?.limits.find(
      ({ kind, period, amount }) => kind === 'deposit' && period === 'day' && amount,
    );

  async function continuePlay(): Promise<void> {
    setBusy(true);
    try {
      await onContinue(chosenMinutes);
    } catch (thrown) {
      toast.error(describeError(thrown));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Base.Root open={open} onOpenChange={() => {}} disablePointerDismissal>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Viewport className={styles.viewport}>
          <p className={styles.paused}>
            <Icon name="pause-fill" size={14} />
            {t`The game is paused`}
          </p>
          <Base.Popup role="alertdialog" initialFocus={stop} className={styles.dialog}>
            <div className={styles.head}>
              <span className={styles.art}>
                <Picture src={artUrl('icons/hourglass.webp')} size={44} />
              </span>
              <div>
                <Base.Title
                  className={styles.title}
                >{t`You began to play ${played} ago`}</Base.Title>
                <Base.Description className={styles.text}>
                  {t`This is what the session has come to.`}
                </Base.Description>
              </div>
            </div>
            <dl className={styles.main}>
              <div>
                <dt>{t`Time`}</dt>
                <dd>
                  <bdi dir="ltr">{formatElapsed(length)}</bdi>
                </dd>
              </div>
              <div>
                <dt>{t`Net result`}</dt>
                <dd>
                  <Amount value={totals?.net} currency={currency} signed />
                </dd>
              </div>
            </dl>
            <dl className={styles.rows}>
              <div>
                <dt>
                  {t`Staked`}
                  {!longer && <> · {t`${plural(rounds, { one: '# round', other: '# rounds' })}`}</>}
                </dt>
                <dd>
                  <Amount value={totals?.staked} currency={currency} />
                </dd>
              </div>
              <div>
                <dt>{t`Paid back`}</dt>
                <dd>
                  <Amount value={totals?.returned} currency={currency} />
                </dd>
              </div>
              {shownLimit?.amount != null && (
                <div>
                  <dt>
                    {shownLimit.kind === 'loss' ? t`Loss limit, 24 hours` : t`Deposits, 24 hours`}
                  </dt>
                  <dd>
                    <Amount value={Math.max(0, shownLimit.used)} currency={currency} /> /{' '}
                    <Amount value={shownLimit.amount} currency={currency} />
                  </dd>
                  <div
                    aria-hidden="true"
                    className={styles.bar}
                    style={{
                      '--part': Math.min(1, Math.max(0, shownLimit.used) / shownLimit.amount),
                    }}
                  />
                </div>
              )}
            </dl>
            <div className={styles.remind}>
              <p className={styles.again}>{t`Remind me again after`}</p>
              <Segmented
                label={t`Remind me again after`}
                size="sm"
                value={String(chosenMinutes ?? 0)}
                onChange={(value) => setChosen(Number(value))}
                options={(limits?.realityCheck.choices ?? [15, 30, 60]).map((each) => ({
                  value: String(each),
                  label: minutesIn(each),
                }))}
              />
            </div>
            <div className={styles.actions}>
              <Button
                ref={stop}
                variant="secondary"
                className={styles.stop}
                onPress={() => onLeave()}
              >
                {t`Stop playing`}
              </Button>
              <Button
                variant="secondary"
                className={styles.continue}
                busy={busy}
                onPress={() => void continuePlay()}
              >
                {t`Play on`}
              </Button>
            </div>
            <div className={styles.ways}>
              <button type="button" onClick={() => onLeave('/m/member/limits')}>
                <Icon name="sliders-horizontal" size={18} />
                {t`Set limits`}
              </button>
              <button type="button" onClick={() => onLeave('/m/member/limits?break=24h')}>
                <Icon name="moon" size={18} />
                {t`Rest 24 hours`}
              </button>
              <button type="button" onClick={() => onLeave('/m/service')}>
                <Icon name="headset" size={18} />
                {t`Help`}
              </button>
            </div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
