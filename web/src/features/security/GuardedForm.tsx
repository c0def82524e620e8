import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type FormEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';

import { useLoginAgain } from '../../api/external-login.ts';
import { useRuledForm, type RuledForm } from '../../api/form.ts';
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

export type GuardedForm = RuledForm & {
  /** What each input of the form needs. */
  input: (name: string) => {
    name: string;
    value: string;
    errors: string[];
    onChange: (event: { target: { value: string } }) => void;
    onBlur: () => void;
    maxLength?: number;
  };
  /** Puts a failure under its field, which is given the focus, or above all of them. */
  tellAt: (thrown: unknown) => void;
};

type GuardedFormProps = ProofOptions & {
  /** Which part of the security screen it is: logging in again leads back to it. */
  part: Part;
  setting: RegisterSetting;
  /** The form's own fields in their order, with their rules. Must be the same object while they are the same. */
  rules: RuleSet;
  /** The country whose numbers are typed. */
  dialing?: string;
  /** What stands in the fields at first. */
  initial?: Values;
  send: (form: GuardedForm, proof: ProofValues) => Promise<unknown>;
  onDone: () => void;
  children: (form: GuardedForm) => ReactNode;
};

/**
 * A change of what guards the account, by whoever knows the password or, without one, proves otherwise who they are. Where the merchant wants the security question
 * answered as well, the server says so and the question appears. Whatever goes wrong, what was typed stays.
 */
export function GuardedForm(props: GuardedFormProps) {
  const {
    part,
    setting,
    rules: own,
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
  const ways = useLoginAgain(`/m/member/security?part=${part}`);
  const rules = useMemo(
    () =>
      new Rules(
        { ...own, ...proof.rules },
        { mobileNum: (typed) => nationalNumber(typed, dialing) },
      ),
    [own, proof.rules, dialing],
  );
  // The answer's refusal is kept even while its field is not there yet.
  const names = useMemo(() => [...new Set([...rules.names, 'answer'])], [rules]);
  const ruled = useRuledForm(names, rules, initial);

  const form: GuardedForm = {
    ...ruled,
    input: (name) => ({
      name,
      value: ruled.typed(name),
      errors: ruled.errorsOf(name),
      onChange: (event) => ruled.type(name, event.target.value),
      onBlur: () => ruled.markTouched(name),
      ...rules.bound(name),
    }),
    tellAt(thrown) {
      const wanted = thrown instanceof ApiError && thrown.args['question'];
      if (typeof wanted === 'string') flushSync(() => proof.demand(wanted));
      // The login has become too old for a proof meanwhile, or a payment password was set elsewhere.
      if (
        thrown instanceof ApiError &&
        (thrown.code === 'member.proof_required' || thrown.field === 'paymentPassword')
      ) {
        void cache.invalidateQueries({ queryKey: securityQuery.queryKey });
      }
      const field = ruled.showServerError(thrown);
      if (field) focusField(element, field);
    },
  };

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    form.clearError();
    const wrong = form.validateAll();
    if (wrong) {
      focusField(element, wrong);
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
      form.tellAt(thrown);
    } finally {
      setBusy(false);
    }
  }

  if (proof.byLogin)
    return (
      <LoginAgain logins={ways} onFailure={(failure) => toast.error(describeError(failure))} />
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
