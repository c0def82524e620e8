import { Code } from '@mantine/core';

/** A value as text with one field per line. React escapes it. */
export function JsonView({ value }: { value: unknown }) {
  return (
    <Code block tabIndex={0}>
      {JSON.stringify(value, null, 2) ?? '–'}
    </Code>
  );
}
