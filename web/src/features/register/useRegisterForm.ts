import { useMemo } from 'react';

import { useValidatedForm } from '../../api/form.ts';
import type { DialingCode, Method, RegisterSetting } from '../../api/registration.ts';
import { ApiError, describeError } from '../../i18n/api-error.ts';
import { nationalNumber } from '../../lib/phone.ts';
import { Rules, type Values } from '../../lib/validation/rules.ts';
import { fieldsOf, rulesOf } from './fields.ts';

export type RegisterForm = ReturnType<typeof useRegisterForm>;

type Options = {
  method: Method;
  country: DialingCode | undefined;
  needsCaptcha: boolean;
  initial: Values;
};

export function useRegisterForm(setting: RegisterSetting, options: Options) {
  const { method, country, needsCaptcha, initial } = options;
  const fields = useMemo(
    () => fieldsOf(setting, method, needsCaptcha),
    [setting, method, needsCaptcha],
  );
  const rules = useMemo(
    () =>
      new Rules(rulesOf(setting, fields, method, country), {
        mobileNum: (typed) => nationalNumber(typed, country?.code ?? ''),
      }),
    [setting, fields, method, country],
  );
  const form = useValidatedForm(
    fields.map(({ name }) => name),
    rules,
    initial,
  );
  return {
    ...form,
    fields,
    errorsOf(name: string): string[] {
      const errors = form.errorsOf(name);
      const isMissing = name === 'captcha' && needsCaptcha && form.getValue(name) === '';
      return isMissing && errors.length === 0
        ? [describeError(new ApiError('captcha.required', 422))]
        : errors;
    },
  };
}
