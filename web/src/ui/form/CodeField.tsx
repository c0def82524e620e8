import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';

import { Button } from '../Button.tsx';
import { Field, type FieldProps } from '../Field.tsx';
import { toast } from '../toastStore.ts';
import { startCountdown, useCountdown, type SentCode } from './countdown.ts';

import styles from './CodeField.module.css';

const outbox = '/dev/outbox';
const sendingText = msg({ id: 'in_sms_sending', message: 'Sending the code' });
const sentText = msg({ id: 'in_sms_send', message: 'The code is on its way' });
const captchaText = msg({ id: 'in_vwrite_code', message: 'Enter the captcha to get a code' });

export type CodeFieldProps = Omit<FieldProps, 'label' | 'icon' | 'type' | 'trailing'> & {
  /** Needed when a form has two codes. */
  label?: string | undefined;
  /** Receiver and purpose of the code. Each target has its own countdown. */
  target: string;
  /** Whether the target can receive a code. */
  canSend: boolean;
  /** Set while the form shows a captcha without a valid answer. Moves to the captcha field instead of requesting a code. */
  onCaptchaMissing?: (() => void) | undefined;
  /** Requests a code. Reports its own failures and returns null for them. */
  send: () => Promise<SentCode | null>;
  /** The masked receiver, if the form does not show it. */
  to?: string | undefined;
  demo?: boolean | undefined;
};

export function CodeField({
  target,
  canSend,
  onCaptchaMissing,
  send,
  demo = false,
  label,
  to = '',
  ...field
}: CodeFieldProps) {
  const { t } = useLingui();
  const name = label ?? t`Verification code`;
  const [busy, setBusy] = useState(false);
  const seconds = useCountdown(target);
  // Isolates the number, which reads left to right in every language.
  const shown = `\u2066${to}\u2069`;

  async function requestCode(): Promise<void> {
    if (onCaptchaMissing) {
      toast.error(captchaText);
      onCaptchaMissing();
      return;
    }
    setBusy(true);
    const waiting = toast.loading({ text: sendingText });
    const sentCode = await send().finally(() => {
      setBusy(false);
      toast.hide(waiting);
    });
    if (!sentCode) return;
    startCountdown(target, sentCode);
    toast.success(sentText);
  }

  return (
    <div>
      <Field
        placeholder={t`From the message`}
        inputMode="numeric"
        autoComplete="one-time-code"
        hint={to && t`The code goes to ${shown}`}
        {...field}
        label={field.required ? `${name} *` : name}
        icon="shield-check"
        trailing={
          <Button
            variant="text"
            size="sm"
            busy={busy}
            disabled={!canSend || seconds > 0}
            className={styles.send}
            onPress={() => void requestCode()}
          >
            {seconds > 0 ? t`Again in ${formatSeconds(seconds)}` : t`Send code`}
          </Button>
        }
      />
      {demo && (
        <p className={styles.demo}>
          <Trans>
            Demo: messages are kept at{' '}
            <a href={outbox} target="_blank" rel="noreferrer" className={styles.outbox}>
              <bdi dir="ltr">{outbox}</bdi>
            </a>
          </Trans>
        </p>
      )}
    </div>
  );
}

function formatSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
