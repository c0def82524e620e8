import { useLingui } from '@lingui/react/macro';

import { ApiError, describeError } from '../../i18n/api-error.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';

/** The name of the box, as the server calls what it confirms. */
export const ageField = 'ageConfirmed';

type AgeBoxProps = {
  age: number;
  checked: boolean;
  /** The form was sent without it. */
  missing: boolean;
  onChange: (checked: boolean) => void;
};

/** Confirms the age. It is empty at first, because only the visitor can know. */
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
