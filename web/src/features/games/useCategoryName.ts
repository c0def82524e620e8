import { useLingui } from '@lingui/react';
import { useLingui as useMacro } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { vendorsQuery } from '../../api/vendors.ts';
import { isCategory, type Shown } from './categories.ts';

/** Says a category's name in the member's language. A code that nobody serves is no name. */
export function useCategoryName(): (category: Shown) => string {
  const { t } = useMacro();
  const { i18n } = useLingui();
  const { data: vendors } = useQuery(vendorsQuery);
  return ({ code, name }) => {
    if (typeof name !== 'string') return i18n._(name);
    const served = vendors?.some((vendor) => vendor.categories.includes(code));
    return isCategory(code) || served ? name : t`Other games`;
  };
}
