import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useState } from 'react';

import { cx } from '../../lib/cx.ts';
import { Field, type FieldProps } from '../Field.tsx';
import { Icon } from '../Icon.tsx';
import { Spinner } from '../Spinner.tsx';

import styles from './CaptchaField.module.css';

export type CaptchaFieldProps = Omit<FieldProps, 'label' | 'icon' | 'type'> & {
  load: () => Promise<string>;
  /** A new number loads a new picture. Each picture accepts one answer. */
  round?: number | undefined;
  /** Called when a new picture makes the typed answer useless. */
  onRenew?: (() => void) | undefined;
};

type Shown = { round: string; src: string | null };

/** A captcha. Pressing the picture loads another one. */
export function CaptchaField({ load, round = 0, onRenew, hint, ...field }: CaptchaFieldProps) {
  const { t } = useLingui();
  const [reloads, setReloads] = useState(0);
  const [shown, setShown] = useState<Shown | null>(null);
  const requested = `${round}/${reloads}`;
  const fetchPicture = useEffectEvent(load);

  useEffect(() => {
    let current = true;
    const show = (src: string | null) => {
      if (current) setShown({ round: requested, src });
    };
    fetchPicture().then(show, () => show(null));
    return () => {
      current = false;
    };
  }, [requested]);

  const ready = shown?.round === requested;
  const src = ready ? shown.src : null;

  function renew(): void {
    setReloads(reloads + 1);
    onRenew?.();
  }

  return (
    <div className={styles.row}>
      <Field
        placeholder={t`From the picture`}
        inputMode="numeric"
        autoComplete="off"
        {...field}
        hint={hint ?? t`1–16 digits or letters, or an equation result`}
        label={field.required ? `${t`Captcha`} *` : t`Captcha`}
        icon="shield-check"
      />
      <button
        type="button"
        className={cx(styles.picture, src === null && styles.blank)}
        aria-label={ready && !src ? t`Load the picture again` : t`Another picture`}
        aria-busy={!ready || undefined}
        onClick={renew}
      >
        {src && <img src={src} alt="" className={styles.image} draggable={false} />}
        <span className={styles.again}>
          {ready ? <Icon name="arrow-clockwise" size={16} /> : <Spinner size={16} />}
        </span>
      </button>
    </div>
  );
}
