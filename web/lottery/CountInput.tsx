import { useState } from 'react';

export type CountInputProps = {
  label?: string;
  value: number;
  max: number;
  onChange: (value: number) => void;
  className?: string | undefined;
};

/** Parses a whole number from 1 to `max`. Text without digits counts as 1. */
const parseCount = (text: string, max: number): number =>
  Math.max(1, Math.min(max, Number(text) || 1));

/** A field for a whole number from 1 to `max`. While it has the focus, it shows the typed digits, so that it can be empty. */
export function CountInput({ label, value, max, onChange, className }: CountInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  // A button may change the value while the field has the focus.
  const shown = typed !== null && parseCount(typed, max) === value ? typed : value;
  return (
    <input
      type="text"
      inputMode="numeric"
      aria-label={label}
      value={shown}
      className={className}
      onChange={({ target }) => {
        const digits = target.value.replaceAll(/\D/g, '');
        setTyped(digits);
        onChange(parseCount(digits, max));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
