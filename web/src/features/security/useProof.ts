import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import type { RuledForm } from '../../api/form.ts';
import type { RegisterSetting } from '../../api/registration.ts';
import { codeTarget, securityQuery } from '../../api/security.ts';
import { trimOuter, type RuleSet } from '../../lib/validation/rules.ts';

/** The fields of every proof in their order, each with the served rule that it follows. */
const ruleOf = {
  password: 'oldPassword',
  proofCode: 'verificationCode',
  paymentPassword: 'paymentPassword',
  recoveryCode: 'verificationCode',
  answer: 'securityAnswer',
} as const;

type Name = keyof typeof ruleOf;

const names = Object.keys(ruleOf) as Name[];

/** What a change is proved by, beside the values of its own fields. */
export type ProofValues = Partial<Record<Name, string>>;

export type ProofOptions = {
  /** Whether the account's password proves the change, or what stands for it where there is none. */
  byPassword?: boolean;
  /** The security question, where its answer is part of the proof from the start. */
  asks?: string;
  /** Whether the change adds or replaces a way to recover the payment password, which then guards it too. */
  recovers?: boolean;
};

export type Proof = ReturnType<typeof useProof>;

/** What a change of the member's has to be proved by. */
export function useProof(setting: RegisterSetting, options: ProofOptions) {
  const { byPassword = true, asks = '', recovers = true } = options;
  const { data: security } = useQuery(securityQuery);
  const [demanded, demand] = useState('');
  const [forgotten, setForgotten] = useState(false);

  // An answer that the merchant wants proves as much as the payment password.
  const byPayment = recovers && security?.ask === 'payment' && demanded === '';
  const reset = security?.paymentReset ?? '';
  const recovery = byPayment && forgotten ? reset : '';
  const recalled = recovery === 'answer' ? (security?.question ?? '') : '';
  const question = demanded || asks || recalled;
  const way = byPassword ? (security?.proof ?? 'password') : 'fresh';

  const asked: Record<Name, boolean> = {
    password: way === 'password',
    proofCode: way === 'sms' || way === 'email',
    paymentPassword: byPayment && !forgotten,
    recoveryCode: recovery === 'sms' || recovery === 'email',
    answer: question !== '',
  };
  const list = names.filter((name) => asked[name]).join(' ');
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
    /** Whether only another login proves who somebody is. */
    byLogin: way === 'login',
    /** Which fields are asked for. */
    asked,
    /** Where the code goes that proves it. */
    codeTo: codeTarget(security, way),
    /** Where the code goes that recovers the payment password. */
    recoveryTo: codeTarget(security, reset),
    /** Whether the payment password guards the change, or what recovers it. */
    byPayment,
    forgotten,
    setForgotten,
    reset,
    /** The security question whose answer is asked for; empty where none is. */
    question,
    /** The server wants this question answered. */
    demand,
    /** The rules of the fields that are asked for. Stays the same object while they are the same. */
    rules,
    /** What was typed, as it is sent: codes without the spaces around them. */
    read: (form: RuledForm): ProofValues =>
      Object.fromEntries(
        names
          .filter((name) => asked[name])
          .map((name) => {
            const typed = form.typed(name);
            return [name, ruleOf[name] === 'verificationCode' ? trimOuter(typed) : typed];
          }),
      ),
  };
}
