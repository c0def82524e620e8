import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

import type { FilterKind, ListAddress } from './address.ts';

export type Filter = {
  /** The name in the address and in the request. */
  name: string;
  kind: FilterKind;
  label: MessageDescriptor;
  /** The values of a choice. */
  options?: readonly { value: string; label: MessageDescriptor }[];
};

/** Text is sent when the operator stops typing. */
const typingMs = 300;

export function Filters({ filters, at }: { filters: readonly Filter[]; at: ListAddress }) {
  const { t } = useLingui();
  const isFiltered = Object.values(at.filters).some(Boolean);
  return (
    <>
      {filters.map((filter) => (
        <FilterInput
          key={filter.name}
          filter={filter}
          value={at.filters[filter.name] ?? ''}
          onChange={(value) => at.setFilter(filter.name, value)}
        />
      ))}
      {isFiltered && (
        <Button variant="subtle" onClick={at.clearFilters}>
          {t`Clear filters`}
        </Button>
      )}
    </>
  );
}

type FilterInputProps = { filter: Filter; value: string; onChange: (value: string) => void };

function FilterInput({ filter, value, onChange }: FilterInputProps) {
  const { i18n } = useLingui();
  const label = i18n._(filter.label);
  if (filter.kind === 'choice')
    return (
      <Select
        label={label}
        value={value || null}
        clearable
        data={(filter.options ?? []).map((each) => ({
          value: each.value,
          label: i18n._(each.label),
        }))}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  if (filter.kind === 'date')
    return (
      <TextInput
        type="date"
        label={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return <TextFilter label={label} value={value} onChange={onChange} />;
}

function TextFilter({
  label,
  value,
  onChange,
}: Omit<FilterInputProps, 'filter'> & { label: string }) {
  const [text, setText] = useState(value);
  const send = useDebouncedCallback(onChange, typingMs);
  const [shown, setShown] = useState(value);
  // The address has changed, such as after the back button.
  if (value !== shown) {
    setShown(value);
    setText(value);
  }
  return (
    <TextInput
      label={label}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
    />
  );
}
