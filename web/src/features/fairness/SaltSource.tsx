import { useLingui } from '@lingui/react/macro';

import { publicValueOf, type Series } from './series.ts';

/** Says where the salt of a series came from. */
export function SaltSource({ series }: { series: Series }) {
  const { t } = useLingui();
  if (series.state === 'waiting')
    return t`No round begins until ${publicValueOf(series)} is known.`;
  switch (series.source) {
    case 'beacon':
      return t`It starts with a public random value that was announced before: ${publicValueOf(series)}.`;
    case 'announced':
      return t`It starts with a public result that was announced before: ${publicValueOf(series)}.`;
    default:
      return t`The operator chose its start.`;
  }
}
