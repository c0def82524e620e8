import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import { captchaPicture } from '../../api/captcha.ts';
import type { Method, RegisterField as Served } from '../../api/registration.ts';
import { Field } from '../../ui/Field.tsx';
import { CaptchaField } from '../../ui/form/CaptchaField.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { drawings } from './fields.ts';
import type { RegisterForm } from './useRegisterForm.ts';

type RegisterFieldProps = {
  field: Served;
  form: RegisterForm;
  method: Method;
  /** Counts the pictures that were used up. */
  round: number;
  /** The code's field knows how to send one. */
  codeField: ReactNode;
  /** Stands before the number. */
  dialing: ReactNode;
  onLeave: (name: string) => void;
  /** The server has said that the value can be had. */
  free: boolean;
  placeholder?: string | undefined;
};

/** One field of the form, drawn as its name asks for. */
export function RegisterField(props: RegisterFieldProps) {
  const { field, form, method, round, codeField, dialing, onLeave, free, placeholder } = props;
  const { t, i18n } = useLingui();
  const { name, maxLength } = field;
  const drawing = drawings[name];
  if (!drawing) return null;
  if (name === 'verificationCode') return codeField;

  const needed = field.requiredIn.includes(method);
  const say = (label: MessageDescriptor | string) =>
    typeof label === 'string' ? label : i18n._(label);
  const shared = {
    ...drawing.input,
    name,
    value: form.typed(name),
    errors: form.errorsOf(name),
    required: needed,
    ...(maxLength > 0 && { maxLength }),
    onChange: (event: { target: { value: string } }) => form.type(name, event.target.value),
    onBlur: () => onLeave(name),
  };
  if (name === 'captcha') {
    return (
      <CaptchaField
        {...shared}
        load={captchaPicture}
        round={round}
        onRenew={() => form.type(name, '')}
      />
    );
  }

  const label = needed ? `${say(drawing.label)} *` : say(drawing.label);
  const hint = needed ? placeholder : (placeholder ?? t`Optional`);
  if (drawing.secret) {
    return (
      <PasswordField {...shared} label={label} placeholder={hint} strength={name === 'password'} />
    );
  }
  const input = (
    <Field
      {...shared}
      label={label}
      icon={drawing.icon}
      placeholder={hint}
      valid={free}
      {...(name === 'username' && { onClear: () => form.type(name, '') })}
    />
  );
  return name === 'mobileNum' ? (
    <>
      {dialing}
      {input}
    </>
  ) : (
    input
  );
}
