import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';

import { promotionsKey, redeemCode } from '../../api/promotions.ts';
import { loginPath } from '../../api/require-login.ts';
import { rewardsKey } from '../../api/rewards.ts';
import { currentSession } from '../../api/session.ts';
import { Draft } from '../../lib/draft.ts';
import { navigate } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { toast } from '../../ui/toastStore.ts';

import styles from './PromotionsScreen.module.css';

/** Keeps the code of a visitor over the login. */
const draft = new Draft<string>(
  /^\/m\/(?:activity|login|forget|register|trail|userAgreement|policy)\b/,
  { key: 'codeDraft', part: (code) => code },
);

/** Takes the code of a promotion. */
export function CodeForm({ primary }: { primary?: boolean }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [code, setCode] = useState(() => draft.value ?? '');
  const [missing, setMissing] = useState(false);
  const { submit, busy, error, errorsOf, clearErrors } = useSubmit({
    fields: ['code'],
    send: (typed: string, key) => redeemCode(typed, key),
    onDone: async () => {
      toast.success(t`Your reward waits in the reward centre`);
      draft.drop();
      setCode('');
      await Promise.all(
        [promotionsKey, rewardsKey].map((queryKey) => cache.invalidateQueries({ queryKey })),
      );
    },
  });

  function send(event: FormEvent): void {
    event.preventDefault();
    setMissing(!code.trim());
    if (!code.trim()) return;
    if (currentSession()) void submit(code.trim());
    else navigate(loginPath('/m/activity'));
  }

  return (
    <form className={styles.box} onSubmit={send} noValidate>
      <h2 className={styles.subtitle}>{t`Do you have a code?`}</h2>
      <FormError text={error} />
      <Field
        name="code"
        label={t`Promotion code`}
        icon="ticket"
        value={code}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        errors={missing ? [t`Enter the code`] : errorsOf('code')}
        onChange={(event) => {
          setMissing(false);
          clearErrors();
          setCode(event.target.value);
          draft.keep(event.target.value);
        }}
      />
      <Button type="submit" full variant={primary ? 'primary' : 'secondary'} busy={busy}>
        {t`Use the code`}
      </Button>
    </form>
  );
}
