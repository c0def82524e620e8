import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type FormEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';

import { ApiError, describeError, wasAnswered } from '../../api/error.ts';
import { useRuledForm, type RuledForm } from '../../api/form.ts';
import { useOutsideWays } from '../../api/outside.ts';
import { profileQuery } from '../../api/profile.ts';
import { registerSettingQuery, type RegisterSetting } from '../../api/registration.ts';
import { securityQuery, sendPaymentCode, sendProofCode } from '../../api/security.ts';
import { focusField } from '../../lib/focus.ts';
import { nationalNumber } from '../../lib/phone.ts';
import { Rules, trimOuter, type RuleSet, type Values } from '../../lib/validation/rules.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Field } from '../../ui/Field.tsx';
import { Failure } from '../../ui/form/Failure.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { LoginAgain, ProofField } from '../../ui/form/ProofField.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { PaymentProof } from './PaymentProof.tsx';
import { questionWords } from './questions.ts';

import styles from './SecurityScreen.module.css';

/** What a change is proved by, beside the values of its own fields. */
type Proof = {
  password?: string;
  proofCode?: string;
  answer?: string;
  paymentPassword?: string;
  recoveryCode?: string;
};

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

type GuardedFormProps = {
  setting: RegisterSetting;
  /** The form's own fields in their order, with their rules. Must be the same object while they are the same. */
  rules: RuleSet;
  /** The country whose numbers are typed. */
  dialing?: string;
  /** Whether the account's password proves the change, or what stands for it where there is none. */
  byPassword?: boolean;
  /** The security question, where its answer is part of the proof from the start. */
  asks?: string;
  /** Whether the change adds or replaces a way to recover the payment password, which then guards it too. */
  recovers?: boolean;
  /** What stands in the fields at first. */
  initial?: Values;
  send: (form: GuardedForm, proof: Proof) => Promise<unknown>;
  onDone: () => void;
  children: (form: GuardedForm) => ReactNode;
};

/**
 * A change of what guards the account, by whoever knows the password or, without one, proves otherwise who they are. Where the merchant wants the security question
 * answered as well, the server says so and the question appears. Whatever goes wrong, what was typed stays.
 */
export function GuardedForm(props: GuardedFormProps) {
  const {
    setting,
    rules: own,
    dialing = '',
    byPassword = true,
    asks = '',
    recovers = true,
    initial,
    send,
    onDone,
    children,
  } = props;
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const [element, setElement] = useState<HTMLFormElement | null>(null);
  const [demanded, setDemanded] = useState('');
  const [busy, setBusy] = useState(false);
  const [forgotten, setForgotten] = useState(false);
  const { data: security } = useQuery(securityQuery);
  // An answer that the merchant wants proves as much as the payment password.
  const guarded = recovers && security?.ask === 'payment' && demanded === '';
  const reset = security?.paymentReset ?? '';
  const byPin = guarded && !forgotten;
  const byRecovery = guarded && forgotten && (reset === 'sms' || reset === 'email');
  const recalled = guarded && forgotten && reset === 'answer' ? (security?.question ?? '') : '';
  const question = demanded || asks || recalled;
  const asked = question !== '';
  const way = byPassword ? (security?.proof ?? 'password') : 'fresh';
  const byWord = way === 'password';
  const byCode = way === 'sms' || way === 'email';
  const ways = useOutsideWays(location.pathname + location.search);
  const rules = useMemo(() => {
    const {
      oldPassword = [],
      securityAnswer = [],
      verificationCode = [],
      paymentPassword = [],
    } = setting.rules;
    const all = {
      ...own,
      ...(byWord && { password: oldPassword }),
      ...(byCode && { proofCode: verificationCode }),
      ...(byPin && { paymentPassword }),
      ...(byRecovery && { recoveryCode: verificationCode }),
      ...(asked && { answer: securityAnswer }),
    };
    return new Rules(all, { mobileNum: (typed) => nationalNumber(typed, dialing) });
  }, [setting, own, byWord, byCode, byPin, byRecovery, asked, dialing]);
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
      onBlur: () => ruled.leave(name),
      ...rules.bound(name),
    }),
    tellAt(thrown) {
      const wanted = thrown instanceof ApiError && thrown.args['question'];
      if (typeof wanted === 'string') flushSync(() => setDemanded(wanted));
      // The login has become too old for a proof meanwhile, or a payment password was set elsewhere.
      if (
        thrown instanceof ApiError &&
        (thrown.code === 'member.proof_required' || thrown.field === 'paymentPassword')
      ) {
        void cache.invalidateQueries({ queryKey: securityQuery.queryKey });
      }
      const field = ruled.tell(thrown);
      if (field) focusField(element, field);
    },
  };

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    form.hush();
    const wrong = await form.inspect();
    if (wrong) {
      focusField(element, wrong);
      return;
    }
    setBusy(true);
    try {
      await send(form, {
        ...(byWord && { password: form.typed('password') }),
        ...(byCode && { proofCode: trimOuter(form.typed('proofCode')) }),
        ...(byPin && { paymentPassword: form.typed('paymentPassword') }),
        ...(byRecovery && { recoveryCode: trimOuter(form.typed('recoveryCode')) }),
        ...(asked && { answer: form.typed('answer') }),
      });
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

  async function sendCode(call = sendProofCode) {
    form.hush();
    try {
      return await call();
    } catch (thrown) {
      form.tellAt(thrown);
      return null;
    }
  }

  if (way === 'login') return <LoginAgain ways={ways} />;
  const words = questionWords[question];
  return (
    <form
      ref={setElement}
      className={styles.form}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <Failure text={form.failure} />
      {children(form)}
      {byCode && <ProofField {...form.input('proofCode')} send={() => sendCode()} />}
      {byWord && (
        <PasswordField
          {...form.input('password')}
          label={t`Login password`}
          autoComplete="current-password"
        />
      )}
      {guarded && (
        <PaymentProof
          form={form}
          forgotten={forgotten}
          reset={reset}
          send={() => sendCode(sendPaymentCode)}
          onForgotten={setForgotten}
        />
      )}
      {asked && (
        <>
          <p className={styles.asked}>{words ? i18n._(words) : t`Security question`}</p>
          <Field
            {...form.input('answer')}
            label={t`Your answer`}
            icon="question"
            autoComplete="off"
          />
        </>
      )}
      <Button type="submit" full busy={busy}>
        {t`Save`}
      </Button>
    </form>
  );
}

/** The served rules and what comes of them, once they are there. */
export function WithSetting({ children }: { children: (setting: RegisterSetting) => ReactNode }) {
  const { data, error, refetch } = useQuery(registerSettingQuery);
  if (data) return children(data);
  if (error) {
    return (
      <ErrorRetry detail={describeError(error)} answered={wasAnswered(error)} onRetry={refetch} />
    );
  }
  return (
    <div className={styles.form} aria-busy="true">
      {[0, 1, 2].map((place) => (
        <Skeleton key={place} shape="box" height={56} />
      ))}
    </div>
  );
}
