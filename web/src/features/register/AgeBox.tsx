import { useLingui } from '@lingui/react/macro';

import { ApiError, describeError } from '../../i18n/api-error.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';

/** The name of the field in the request. */
export const ageField = 'ageConfirmed';

type AgeBoxProps = {
  age: number;
  checked: boolean;
  /** Whether the form was submitted without it. */
  missing: boolean;
  onChange: (checked: boolean) => void;
};

/** Confirms the visitor's age. Never checked by default. */
export function AgeBox({ age, checked, missing, onChange }: AgeBoxProps) {
  const { t } = useLingui();
  const refusal = new ApiError('register.age_required', 400, { args: { age } });
  return (
    <Checkbox
      name={ageField}
      checked={checked}
      onChange={onChange}
      errors={missing && !checked ? [describeError(refusal)] : []}
    >
      {t`I am ${age} or older.`}
    </Checkbox>
  );
}
