import { useLingui } from '@lingui/react';
import { useLingui as useMacro } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { vendorsQuery } from '../../api/vendors.ts';
import { isCategory, type AnyCategory } from './categories.ts';

/** Returns a function that names a category. A category that neither the app nor a vendor knows is "Other games". */
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
