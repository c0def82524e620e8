import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

import type { FilterKind, ListAddress } from './address.ts';

export type Filter = {
  /** The name of the parameter in the URL and in the request. */
  name: string;
  kind: FilterKind;
  label: MessageDescriptor;
  /** The options of a `choice` filter. */
  options?: readonly { value: string; label: MessageDescriptor }[];
};

/** Text is sent this long after the last keystroke. */
const debounceMs = 300;

export function Filters({
  filters,
  address,
}: {
  filters: readonly Filter[];
  address: ListAddress;
}) {
  const { t } = useLingui();
  const isFiltered = Object.values(address.filters).some(Boolean);
  return (
    <>
      {filters.map((filter) => (
        <FilterInput
          key={filter.name}
          filter={filter}
          value={address.filters[filter.name] ?? ''}
          onChange={(value) => address.setFilter(filter.name, value)}
        />
      ))}
      {isFiltered && (
        <Button variant="subtle" onClick={address.clearFilters}>
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
        data={(filter.options ?? []).map((option) => ({
          value: option.value,
          label: i18n._(option.label),
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
  const send = useDebouncedCallback(onChange, debounceMs);
  const [lastValue, setLastValue] = useState(value);
  // The URL has changed: after the back button, or with the value that was typed here.
  if (value !== lastValue) {
    setLastValue(value);
    // The own value returns without its outer spaces. Those may be in front of the next word.
    if (value !== text.trim()) setText(value);
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
