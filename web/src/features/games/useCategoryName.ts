import { useLingui } from '@lingui/react';
import { useLingui as useMacro } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { vendorsQuery } from '../../api/vendors.ts';
import { isCategory, type AnyCategory } from './categories.ts';

/** Unknown codes that no vendor serves become "Other games". */
export function useCategoryName(): (category: AnyCategory) => string {
  const { t } = useMacro();
  const { i18n } = useLingui();
  const { data: vendors } = useQuery(vendorsQuery);
  return ({ code, name }) => {
    if (typeof name !== 'string') return i18n._(name);
    const served = vendors?.some((vendor) => vendor.categories.includes(code));
    return isCategory(code) || served ? name : t`Other games`;
  };
}
