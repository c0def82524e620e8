import { useLingui } from '@lingui/react/macro';

import { PasswordField } from './PasswordField.tsx';

export type NewPasswordFieldsProps = {
  form: {
    getValue: (name: string) => string;
    errorsOf: (name: string) => string[];
    setValue: (name: string, value: string) => void;
    markTouched: (name: string) => void;
  };
  /** The length limits appear in the hint. */
  rules: readonly { min?: number; max?: number }[];
  disabled?: boolean | undefined;
};

export function NewPasswordFields({ form, rules, disabled }: NewPasswordFieldsProps) {
  const { t } = useLingui();
  const min = rules.find((rule) => rule.min)?.min;
  const max = rules.find((rule) => rule.max)?.max;
  const hint = min && max ? t`${min}–${max} characters, with letters and digits` : undefined;
  const shared = (name: string) => ({
    name,
    required: true,
    autoComplete: 'new-password',
    maxLength: max,
    disabled,
    value: form.getValue(name),
    errors: form.errorsOf(name),
    onChange: (event: { target: { value: string } }) => form.setValue(name, event.target.value),
    onBlur: () => form.markTouched(name),
  });
  return (
    <>
      <PasswordField
        {...shared('newPassword')}
        label={t`New password`}
        hint={hint}
        strength
        enterKeyHint="next"
      />
      <PasswordField
        {...shared('confirmNewPassword')}
        label={t`Confirm new password`}
        enterKeyHint="go"
      />
    </>
  );
}
