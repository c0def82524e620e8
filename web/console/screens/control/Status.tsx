import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Badge } from '@mantine/core';

const statuses: Record<string, { label: MessageDescriptor; color: string }> = {
  active: { label: msg`Active`, color: 'green' },
  held: { label: msg`Held for review`, color: 'yellow' },
  disabled: { label: msg`Disabled`, color: 'red' },
  waiting: { label: msg`Waiting`, color: 'yellow' },
  approved: { label: msg`Approved`, color: 'green' },
  refused: { label: msg`Refused`, color: 'red' },
  failed: { label: msg`Failed`, color: 'red' },
  open: { label: msg`Open`, color: 'yellow' },
  closed: { label: msg`Closed`, color: 'gray' },
  claimed: { label: msg`Claimed`, color: 'blue' },
  answered: { label: msg`Answered`, color: 'green' },
  done: { label: msg`Done`, color: 'green' },
  later: { label: msg`Later`, color: 'gray' },
  default: { label: msg`Default`, color: 'gray' },
  changed: { label: msg`Changed`, color: 'blue' },
  single: { label: msg`One person`, color: 'yellow' },
  proposed: { label: msg`Proposed`, color: 'yellow' },
  ok: { label: msg`In order`, color: 'green' },
  posted: { label: msg`Posted`, color: 'green' },
  ended: { label: msg`Ended`, color: 'gray' },
  broken: { label: msg`Broken`, color: 'red' },
  lost: { label: msg`Does not answer`, color: 'red' },
};

/** Shows a status as a label. An unknown status is shown unchanged. */
export function Status({ value }: { value: string }) {
  const { i18n } = useLingui();
  if (!value) return null;
  const known = statuses[value];
  return <Badge color={known?.color ?? 'gray'}>{known ? i18n._(known.label) : value}</Badge>;
}
