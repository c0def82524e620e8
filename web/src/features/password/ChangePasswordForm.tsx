import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type FormEvent } from 'react';

import { useValidatedForm } from '../../api/form.ts';
import { changePassword } from '../../api/password.ts';
import { forgetSessionPassword, sessionPassword } from '../../api/remembered-login.ts';
import { securityQuery, sendProofCode } from '../../api/security.ts';
import { useSession } from '../../api/session.ts';
import { settingsQuery } from '../../api/system.ts';
import { focusField } from '../../lib/focus.ts';
import { homePath, returnTo } from '../../lib/router.tsx';
import { Rules, type RuleSet } from '../../lib/validation/rules.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { NewPasswordFields } from '../../ui/form/NewPasswordFields.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { ProofField } from '../../ui/form/ProofField.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './ChangePasswordScreen.module.css';

/** How long the success message stays before the screen closes. */
const closeDelayMs = 1000;
const loadingTimeoutSeconds = 10;
const newPasswordFields = ['newPassword', 'confirmNewPassword'];

type ChangePasswordFormProps = {
  rules: RuleSet;
  first: boolean;
  /** Whether someone else chose the current password. */
  temporary: boolean;
  /** Whether a code must prove the member's identity. */
  byCode: boolean;
  /** The masked recipient of that code. */
  codeTo: string;
};

/** Changes or sets the password. The old one is not asked for if there is none, or if this page logged in with it. */
export function ChangePasswordForm({
  rules: served,
  first: hasNoPassword,
  temporary,
  byCode: needsCode,
  codeTo,
}: ChangePasswordFormProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const session = useSession();
  const element = useRef<HTMLFormElement>(null);
  // The fields must not change when the password is set.
  const [first] = useState(hasNoPassword);
  const [byCode] = useState(hasNoPassword && needsCode);
  const names = useMemo(
    () => [
      ...(first ? [] : ['oldPassword']),
      ...newPasswordFields,
      ...(byCode ? ['proofCode'] : []),
    ],
    [first, byCode],
  );
  const [isTemporary] = useState(temporary);
  const [knownPassword, setKnownPassword] = useState(sessionPassword);
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  const rules = useMemo(
    () =>
      new Rules(
        Object.fromEntries(
          names.map((name) => [
            name,
            served[name === 'proofCode' ? 'verificationCode' : name] ?? [],
          ]),
        ),
      ),
    [served, names],
  );
  const form = useValidatedForm(names, rules, { oldPassword: knownPassword ?? '' });

  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(returnTo, closeDelayMs, homePath);
    return () => clearTimeout(timer);
  }, [saved]);

  function showError(thrown: unknown): void {
    const field = form.showServerError(thrown);
    // The password has changed since the login, so it must be typed.
    if (field === 'oldPassword' && knownPassword !== null) {
      forgetSessionPassword();
      setKnownPassword(null);
    } else if (field) {
      focusField(element.current, field);
    }
  }

  async function sendCode() {
    form.clearError();
    try {
      return await sendProofCode();
    } catch (thrown) {
      showError(thrown);
      return null;
    }
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || saved) return;
    setBusy(true);
    form.clearError();
    try {
      const wrong = form.validateAll();
      if (wrong) focusField(element.current, wrong);
      else await save();
    } finally {
      setBusy(false);
    }
  }

  async function save(): Promise<void> {
    const waiting = toast.loading({ seconds: loadingTimeoutSeconds });
    try {
      await changePassword(
        {
          oldPassword: form.getValue('oldPassword'),
          newPassword: form.getValue('newPassword'),
          confirmNewPassword: form.getValue('confirmNewPassword'),
          ...(byCode && { proofCode: form.getValue('proofCode').trim() }),
        },
        cache.getQueryData(settingsQuery.queryKey)?.merchantCode ?? '',
      );
      void cache.invalidateQueries({ queryKey: securityQuery.queryKey });
      toast.success(t`Change saved`);
      setSaved(true);
    } catch (thrown) {
      toast.hide(waiting);
      showError(thrown);
    }
  }

  return (
    <form ref={element} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {isTemporary && !first && (
        <p className={styles.why}>
          {t`Your password was chosen by somebody else: set one that only you know.`}
        </p>
      )}
      <FormError text={form.failure} />
      {session && (
        <Field
          label={t`Username`}
          icon="user"
          name="username"
          autoComplete="username"
          readOnly
          value={session.userName}
        />
      )}
      {!first && knownPassword === null && (
        <PasswordField
          label={t`Old password`}
          name="oldPassword"
          autoComplete="current-password"
          enterKeyHint="next"
          required
          hint={isTemporary ? t`The one that you were given` : undefined}
          {...form.lengthLimit('oldPassword')}
          value={form.getValue('oldPassword')}
          errors={form.errorsOf('oldPassword')}
          onChange={(event) => form.setValue('oldPassword', event.target.value)}
          onBlur={() => form.markTouched('oldPassword')}
        />
      )}
      <NewPasswordFields form={form} rules={served['newPassword'] ?? []} />
      {byCode && (
        <ProofField
          name="proofCode"
          to={codeTo}
          value={form.getValue('proofCode')}
          errors={form.errorsOf('proofCode')}
          send={sendCode}
          onChange={(event) => form.setValue('proofCode', event.target.value)}
          onBlur={() => form.markTouched('proofCode')}
        />
      )}
      <Button type="submit" full busy={busy} disabled={saved} className={styles.submit}>
        {t`Confirm`}
      </Button>
    </form>
  );
}
