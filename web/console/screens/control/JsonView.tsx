import { Code } from '@mantine/core';

/** Shows a value as indented JSON. React escapes it. */
export function JsonView({ value }: { value: unknown }) {
  return (
    <Code block tabIndex={0}>
      {JSON.stringify(value, null, 2) ?? '–'}
    </Code>
  );
}
