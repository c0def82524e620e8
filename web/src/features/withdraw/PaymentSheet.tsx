import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Empty } from '../../ui/Empty.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { paymentPasswordPath } from './paths.ts';

import styles from './PaymentSheet.module.css';

const length = 6;
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export type PaymentSheetProps = {
  open: boolean;
  onClose: () => void;
  /** Whether the member has a payment password. Undefined while this is unknown. */
  isSet: boolean | undefined;
  busy: boolean;
  errors: readonly string[];
  onType: () => void;
  /** Called with the password when it is complete. */
  onDone: (password: string) => Promise<void>;
  /** What the password confirms. */
  children?: ReactNode;
};

/** Asks for the payment password. The last digit sends it. */
export function PaymentSheet(props: PaymentSheetProps) {
  const { open, onClose, isSet } = props;
  const { t } = useLingui();
  return (
    <Sheet open={open} onClose={onClose} title={t`Payment password`}>
      {isSet === false ? (
        <Empty
          icon="lock-key"
          title={t`Set a payment password first`}
          text={t`It protects your money. What you typed here is kept.`}
          actions={
            <Link to={paymentPasswordPath} className={buttonClass({ size: 'md' })}>
              {t`Set a payment password`}
            </Link>
          }
        />
      ) : (
        <Keypad {...props} />
      )}
    </Sheet>
  );
}

function Keypad({ busy, errors, onType, onDone, children }: PaymentSheetProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);

  async function type(next: string): Promise<void> {
    if (busy) return;
    const digits = next.replaceAll(/\D/g, '').slice(0, length);
    setTyped(digits);
    onType();
    if (digits.length < length) return;
    await onDone(digits);
    // A wrong password must be typed again.
    setTyped('');
    input.current?.focus();
  }

  return (
    <div className={styles.sheet}>
      {children}
      <label className={styles.field}>
        <span className={styles.visuallyHidden}>{t`Payment password, 6 digits`}</span>
        <input
          ref={input}
          name="paymentPassword"
          type="password"
          // The keys below replace the device's keyboard.
          inputMode="none"
          autoComplete="off"
          maxLength={length}
          value={typed}
          aria-invalid={errors.length > 0 || undefined}
          onChange={(event) => void type(event.target.value)}
          className={styles.input}
        />
        <span className={styles.cells} aria-hidden="true">
          {Array.from({ length }, (_, i) => (
            <span key={i} className={cx(styles.cell, i === typed.length && styles.now)}>
              {i < typed.length && <span className={styles.dot} />}
            </span>
          ))}
        </span>
      </label>
      {errors.map((text) => (
        <FormError key={text} text={text} />
      ))}
      <p className={styles.notes}>
        <span role="status">
          {busy ? (
            <>
              <Spinner /> {t`Sending`}
            </>
          ) : (
            t`6 digits, not your login password`
          )}
        </span>
        <Link to={paymentPasswordPath} className={styles.forgotten}>
          {t`Forgotten?`}
        </Link>
      </p>
      <div className={styles.keys} dir="ltr">
        {keys.map((key) => (
          <Key key={key} label={key} onPress={() => void type(typed + key)} />
        ))}
        <span />
        <Key label="0" onPress={() => void type(`${typed}0`)} />
        <button
          type="button"
          aria-label={t`Delete the last digit`}
          disabled={typed === ''}
          onClick={() => void type(typed.slice(0, -1))}
          className={cx(styles.key, styles.plain)}
        >
          <Icon name="arrow-left" size={24} />
        </button>
      </div>
    </div>
  );
}

function Key({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <button type="button" onClick={onPress} className={styles.key}>
      {label}
    </button>
  );
}
