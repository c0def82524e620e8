import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';

import { clearTicket } from '../../api/external-login.ts';
import { logIn } from '../../api/login.ts';
import { describeError, errorOfThrown } from '../../i18n/api-error.ts';
import { focusField } from '../../lib/focus.ts';
import { navigate } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { toast } from '../../ui/toastStore.ts';
import { AgeBox, ageField } from './AgeBox.tsx';
import { Agreement } from './Agreement.tsx';

import formScreen from '../../ui/form/form-screen.module.css';
import styles from './RegisterScreen.module.css';

type ExternalFormProps = {
  /** Identifies the account at another service. */
  ticket: string;
  age: number;
  onRefused: () => void;
};

/** Registers a member with an external account: only the age and the agreement are missing. */
export function ExternalForm({ ticket, age, onRefused }: ExternalFormProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  // Never checked by default: the visitor has not seen the agreement yet.
  const [agreed, setAgreed] = useState(false);
  const [ofAge, setOfAge] = useState(false);
  const [ageMissing, setAgeMissing] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const registration = useMutation({
    mutationFn: () =>
      logIn(cache, { type: 'outside', ticket, agreement: true, ageConfirmed: true }),
    onSuccess: ({ userName: name }) => {
      clearTicket();
      toast.success(t`Welcome, ${name}!`, {
        seconds: 8,
        action: { label: t`Set limits`, onPress: () => navigate('/m/member/limits') },
      });
    },
    onError: (thrown) => {
      if (errorOfThrown(thrown).unreachable) return;
      clearTicket();
      toast.error(describeError(thrown));
      onRefused();
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!agreed || registration.isPending) return;
    setAgeMissing(!ofAge);
    if (ofAge) registration.mutate();
    else focusField(element.current, ageField);
  }

  return (
    <form ref={element} className={formScreen.form} onSubmit={submit} noValidate>
      <FormError text={registration.error ? describeError(registration.error) : ''} />
      <p className={styles.lead}>
        {t`Your account at the other service was recognised. One step is left.`}
      </p>
      <AgeBox age={age} checked={ofAge} missing={ageMissing} onChange={setOfAge} />
      <Agreement checked={agreed} onChange={setAgreed} />
      <Button type="submit" full busy={registration.isPending} disabled={!agreed}>
        {t`Register`}
      </Button>
    </form>
  );
}
