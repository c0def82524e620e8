import { useLingui } from '@lingui/react/macro';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { describeError } from '../../../server/errors.ts';
import { request } from '../../../server/request.ts';
import type { Entry } from './entry.ts';

type TopicInputProps = {
  label: string;
  /** The code of the edited entry, which cannot be its own topic. */
  code: string;
  value: string;
  onChange: (parent: string) => void;
};

/** Selects the topic of a help article. An entry without a topic is a topic itself. */
export function TopicInput({ label, code, value, onChange }: TopicInputProps) {
  const { t } = useLingui();
  const { data: topics = [], error } = useQuery({
    queryKey: ['list', '/ops/v1/help', 'topics'],
    queryFn: readTopics,
  });
  const data = topics
    .filter((topic) => topic.code !== code)
    .map((topic) => ({ value: topic.code, label: topic.title }));
  // Until the topics are loaded, the code is shown instead of the title.
  if (value && !data.some((option) => option.value === value)) data.push({ value, label: value });
  return (
    <Select
      label={label}
      placeholder={t`None: this is a topic`}
      clearable
      searchable
      value={value || null}
      data={data}
      error={error && describeError(error)}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

/** Reads all pages of the list, because topics and articles are mixed. */
async function readTopics(): Promise<Entry[]> {
  const all: Entry[] = [];
  let cursor = '';
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const page = await request<{ list: Entry[]; next?: string }>('GET', '/ops/v1/help', {
      query: { pageSize: '100', ...(cursor && { cursor }) },
    });
    all.push(...page.list.filter((entry) => entry.parent === ''));
    cursor = page.next ?? '';
  } while (cursor);
  return all;
}
