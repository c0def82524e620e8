import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import { captchaPicture } from '../../api/captcha.ts';
import type { DialingCode, Method, RegisterField as Served } from '../../api/registration.ts';
import { ApiError, describeError } from '../../i18n/api-error.ts';
import { Field } from '../../ui/Field.tsx';
import { CaptchaField } from '../../ui/form/CaptchaField.tsx';
import { formatHints, hasStandardFormat } from '../../ui/form/formatHints.ts';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { PhoneField } from '../../ui/form/PhoneField.tsx';
import { fieldDesigns } from './fields.ts';
import type { RegisterForm } from './useRegisterForm.ts';

type RegisterFieldProps = {
  field: Served;
  form: RegisterForm;
  method: Method;
  round: number;
  codeField: ReactNode;
  countries: readonly DialingCode[];
  dialing: string;
  onDialingChange: (code: string) => void;
  onLeave: (name: string) => void;
  free: boolean;
};

export function RegisterField(props: RegisterFieldProps) {
  const {
    field,
    form,
    method,
    round,
    codeField,
    countries,
    dialing,
    onDialingChange,
    onLeave,
    free,
  } = props;
  const { t, i18n } = useLingui();
  const { name, maxLength } = field;
  const rule = useRule(
    field,
    countries.find(({ code }) => code === dialing),
  );
  const design = fieldDesigns[name];
  if (!design) return null;
  if (name === 'verificationCode') return codeField;

  const isRequired = field.requiredIn.includes(method);
  const wrongForm = describeError(
    new ApiError(field.messages['format'] ?? 'validation.pattern', 400),
  );
  const translate = (label: MessageDescriptor | string) =>
    typeof label === 'string' ? label : i18n._(label);
  const shared = {
    ...design.input,
    name,
    value: form.getValue(name),
    // A format error also states the rule.
    errors: form
      .errorsOf(name)
      .map((text) => (rule && text === wrongForm ? `${text}: ${rule}` : text)),
    hint: form.isGood(name) ? undefined : rule,
    required: isRequired,
    // A number may be typed with more characters than its digits.
    ...(maxLength > 0 && name !== 'mobileNum' && { maxLength }),
    onChange: (event: { target: { value: string } }) => form.setValue(name, event.target.value),
    onBlur: () => onLeave(name),
  };
  if (name === 'captcha') {
    return (
      <CaptchaField
        {...shared}
        load={captchaPicture}
        round={round}
        onRenew={() => form.setValue(name, '')}
      />
    );
  }

  const label = isRequired ? `${translate(design.label)} *` : translate(design.label);
  const optional = isRequired ? undefined : t`Optional`;
  if (design.secret) {
    return (
      <PasswordField
        {...shared}
        label={label}
        placeholder={optional}
        strength={name === 'password'}
      />
    );
  }
  if (name === 'mobileNum') {
    return (
      <PhoneField
        {...shared}
        label={label}
        countries={countries}
        dialing={dialing}
        onDialingChange={onDialingChange}
      />
    );
  }
  return (
    <Field
      {...shared}
      label={label}
      icon={design.icon}
      placeholder={optional}
      valid={free}
      {...(name === 'username' && { onClear: () => form.setValue(name, '') })}
    />
  );
}

/** Describes what a field accepts, within the server's bounds. */
function useRule(field: Served, country: DialingCode | undefined): string | undefined {
  const { t, i18n } = useLingui();
  const { name, minLength: min, maxLength: max } = field;
  const shape = hasStandardFormat(field.rules) ? formatHints[name] : undefined;
  const digits = country?.digits ?? 0;
  switch (name) {
    case 'username':
      return t`A letter first, ${min}–${max} letters or digits`;
    case 'password':
      return t`${min}–${max} characters, with letters and digits`;
    case 'paymentPassword':
      return t`6 digits`;
    case 'mobileNum':
      return digits > 0 ? t`${digits} digits, with or without the first 0` : undefined;
    default:
      return shape && i18n._(shape);
  }
}
