import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import type { ValidatedForm } from '../../api/form.ts';
import type { RegisterSetting } from '../../api/registration.ts';
import { codeTarget, securityQuery } from '../../api/security.ts';
import { trimSpaces, type RuleSet } from '../../lib/validation/rules.ts';

/** The proof fields in order, each with the name of its rule. */
const ruleOf = {
  password: 'oldPassword',
  proofCode: 'verificationCode',
  paymentPassword: 'paymentPassword',
  recoveryCode: 'verificationCode',
  answer: 'securityAnswer',
} as const;

type Name = keyof typeof ruleOf;

const names = Object.keys(ruleOf) as Name[];

export type ProofValues = Partial<Record<Name, string>>;

export type ProofOptions = {
  /** Whether the change needs the login password, or its substitute if there is none. */
  byPassword?: boolean;
  /** The security question, if its answer is needed from the start. */
  initialQuestion?: string;
  /** Whether the change affects how the payment password is recovered, and so needs it. */
  affectsRecovery?: boolean;
};

export type Proof = ReturnType<typeof useProof>;

export function useProof(setting: RegisterSetting, options: ProofOptions) {
  const { byPassword = true, initialQuestion = '', affectsRecovery = true } = options;
  const { data: security } = useQuery(securityQuery);
  const [requiredQuestion, requireAnswer] = useState('');
  const [forgotten, setForgotten] = useState(false);

  // A required answer replaces the payment password.
  const byPayment = affectsRecovery && security?.ask === 'payment' && requiredQuestion === '';
  const reset = security?.paymentReset ?? '';
  const recovery = byPayment && forgotten ? reset : '';
  const recoveryQuestion = recovery === 'answer' ? (security?.question ?? '') : '';
  const question = requiredQuestion || initialQuestion || recoveryQuestion;
  const method = byPassword ? (security?.proof ?? 'password') : 'fresh';

  const shown: Record<Name, boolean> = {
    password: method === 'password',
    proofCode: method === 'sms' || method === 'email',
    paymentPassword: byPayment && !forgotten,
    recoveryCode: recovery === 'sms' || recovery === 'email',
    answer: question !== '',
  };
  const list = names.filter((name) => shown[name]).join(' ');
  const rules = useMemo(
    () =>
      Object.fromEntries(
        names
          .filter((name) => list.split(' ').includes(name))
          .map((name) => [name, setting.rules[ruleOf[name]] ?? []]),
      ) as RuleSet,
    [setting, list],
  );

  return {
    /** Whether only a repeated login proves the identity. */
    needsLogin: method === 'login',
    shown,
    codeTo: codeTarget(security, method),
    /** The masked recipient of the recovery code. */
    recoveryTo: codeTarget(security, reset),
    /** Whether the change needs the payment password, or what recovers it. */
    byPayment,
    forgotten,
    setForgotten,
    reset,
    /** The security question to answer; empty if none. */
    question,
    requireAnswer,
    /** The rules of the shown fields. A stable object. */
    rules,
    /** Reads the values to send, with codes trimmed. */
    read: (form: ValidatedForm): ProofValues =>
      Object.fromEntries(
        names
          .filter((name) => shown[name])
          .map((name) => {
            const typed = form.getValue(name);
            return [name, ruleOf[name] === 'verificationCode' ? trimSpaces(typed) : typed];
          }),
      ),
  };
}
