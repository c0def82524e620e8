import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';

export type Labels = Readonly<Record<string, MessageDescriptor>>;

/** Shows a code of the API as a label. An unknown code is shown unchanged. */
export function Label({ labels, value }: { labels: Labels; value: string }) {
  const { i18n } = useLingui();
  const label = labels[value];
  return <>{label ? i18n._(label) : value}</>;
}
