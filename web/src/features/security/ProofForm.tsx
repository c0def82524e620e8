import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type FormEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';

import { useLoginAgain } from '../../api/external-login.ts';
import { useValidatedForm, type ValidatedForm } from '../../api/form.ts';
import { profileQuery } from '../../api/profile.ts';
import type { RegisterSetting } from '../../api/registration.ts';
import { securityQuery } from '../../api/security.ts';
import { ApiError, describeError } from '../../i18n/api-error.ts';
import { focusField } from '../../lib/focus.ts';
import { nationalNumber } from '../../lib/phone.ts';
import { Rules, type RuleSet, type Values } from '../../lib/validation/rules.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { LoginAgain } from '../../ui/form/ProofField.tsx';
import { toast } from '../../ui/toastStore.ts';
import type { Part } from './parts.ts';
import { ProofFields } from './ProofFields.tsx';
import { useProof, type ProofOptions, type ProofValues } from './useProof.ts';

import styles from './SecurityScreen.module.css';

export type ProofFormState = ValidatedForm & {
  input: (name: string) => {
    name: string;
    value: string;
    errors: string[];
    onChange: (event: { target: { value: string } }) => void;
    onBlur: () => void;
    maxLength?: number;
  };
  /** Shows an error under its field and focuses it, or shows it above all fields. */
  showError: (thrown: unknown) => void;
};

type ProofFormProps = ProofOptions & {
  /** The part of the security screen that a repeated login returns to. */
  part: Part;
  setting: RegisterSetting;
  /** The form's own fields in order, with their rules. Must be a stable object. */
  rules: RuleSet;
  dialing?: string;
  initial?: Values;
  send: (form: ProofFormState, proof: ProofValues) => Promise<unknown>;
  onDone: () => void;
  children: (form: ProofFormState) => ReactNode;
};

/** Changes a security setting, which needs a proof of identity. If the server requires the security answer, its field appears. */
export function ProofForm(props: ProofFormProps) {
  const {
    part,
    setting,
    rules: ownRules,
    dialing = '',
    initial,
    send,
    onDone,
    children,
    ...options
  } = props;
  const { t } = useLingui();
  const cache = useQueryClient();
  const [element, setElement] = useState<HTMLFormElement | null>(null);
  const [busy, setBusy] = useState(false);
  const proof = useProof(setting, options);
  const logins = useLoginAgain(`/m/member/security?part=${part}`);
  const rules = useMemo(
    () =>
      new Rules(
        { ...ownRules, ...proof.rules },
        { mobileNum: (typed) => nationalNumber(typed, dialing) },
      ),
    [ownRules, proof.rules, dialing],
  );
  // Includes the security answer, so that a server error for it is kept until its field appears.
  const names = useMemo(() => [...new Set([...rules.names, 'answer'])], [rules]);
  const validated = useValidatedForm(names, rules, initial);

  const form: ProofFormState = {
    ...validated,
    input: (name) => ({
      name,
      value: validated.getValue(name),
      errors: validated.errorsOf(name),
      onChange: (event) => validated.setValue(name, event.target.value),
      onBlur: () => validated.markTouched(name),
      ...rules.lengthLimit(name),
    }),
    showError(thrown) {
      const question = thrown instanceof ApiError && thrown.args['question'];
      if (typeof question === 'string') flushSync(() => proof.requireAnswer(question));
      // The login is now too old to be a proof, or another session set a payment password: reload what proof is needed.
      if (
        thrown instanceof ApiError &&
        (thrown.code === 'member.proof_required' || thrown.field === 'paymentPassword')
      ) {
        void cache.invalidateQueries({ queryKey: securityQuery.queryKey });
      }
      const field = validated.showServerError(thrown);
      if (field) focusField(element, field);
    },
  };

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    form.clearError();
    const firstInvalid = form.validateAll();
    if (firstInvalid) {
      focusField(element, firstInvalid);
      return;
    }
    setBusy(true);
    try {
      await send(form, proof.read(form));
      for (const { queryKey } of [securityQuery, profileQuery]) {
        void cache.invalidateQueries({ queryKey });
      }
      toast.success(t`Changes saved`);
      onDone();
    } catch (thrown) {
      form.showError(thrown);
    } finally {
      setBusy(false);
    }
  }

  if (proof.needsLogin)
    return (
      <LoginAgain logins={logins} onFailure={(failure) => toast.error(describeError(failure))} />
    );
  return (
    <form
      ref={setElement}
      className={styles.form}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <FormError text={form.failure} />
      {children(form)}
      <ProofFields form={form} proof={proof} />
      <Button type="submit" full busy={busy}>
        {t`Save`}
      </Button>
    </form>
  );
}
