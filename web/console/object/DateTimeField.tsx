import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';

import { formatLocal, parseLocal } from './local-time.ts';

export type DateTimeFieldProps = {
  label: string;
  description?: string;
  /** Unix milliseconds: 0 for none, NaN for a half-typed time. */
  value: number;
  onChange: (value: number) => void;
};

/** A date and time in the time zone of the browser. */
export function DateTimeField({ value, onChange, ...props }: DateTimeFieldProps) {
  const { t } = useLingui();
  // Browsers send no change event for a half-typed time, so the field is also read when it loses the focus.
  const read = ({ value: text, validity }: HTMLInputElement) => {
    const next = validity.badInput ? Number.NaN : parseLocal(text);
    if (!Object.is(next, value)) onChange(next);
  };
  return (
    <TextInput
      {...props}
      type="datetime-local"
      value={formatLocal(value)}
      error={Number.isNaN(value) && t`Enter the date and the time, or clear the field.`}
      onChange={(event) => read(event.currentTarget)}
      onBlur={(event) => read(event.currentTarget)}
    />
  );
}
