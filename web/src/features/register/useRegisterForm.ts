import { useMemo } from 'react';

import { useRuledForm } from '../../api/form.ts';
import type { DialingCode, Method, RegisterSetting } from '../../api/registration.ts';
import { ApiError, describeError } from '../../i18n/api-error.ts';
import { nationalNumber } from '../../lib/phone.ts';
import { Rules, type Values } from '../../lib/validation/rules.ts';
import { fieldsOf, rulesOf } from './fields.ts';

export type RegisterForm = ReturnType<typeof useRegisterForm>;

type Options = {
  method: Method;
  country: DialingCode | undefined;
  /** The next code needs a captcha, whether or not the merchant asks for one. */
  picture: boolean;
  initial: Values;
};

/** The fields that the merchant asks for, and what was typed into them. */
export function useRegisterForm(setting: RegisterSetting, options: Options) {
  const { method, country, picture, initial } = options;
  const fields = useMemo(() => fieldsOf(setting, method, picture), [setting, method, picture]);
  const rules = useMemo(
    () =>
      new Rules(rulesOf(setting, fields, method, country), {
        mobileNum: (typed) => nationalNumber(typed, country?.code ?? ''),
      }),
    [setting, fields, method, country],
  );
  const form = useRuledForm(
    fields.map(({ name }) => name),
    rules,
    initial,
  );
  return {
    ...form,
    fields,
    errorsOf(name: string): string[] {
      const errors = form.errorsOf(name);
      const wanted = name === 'captcha' && picture && form.typed(name) === '';
      return wanted && errors.length === 0
        ? [describeError(new ApiError('captcha.required', 422))]
        : errors;
    },
  };
}
