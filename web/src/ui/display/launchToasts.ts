import { msg } from '@lingui/core/macro';

import { toast } from '../toastStore.ts';

export const launchToasts = {
  maintenance: ({ vendorName }: { vendorName: string }) =>
    void toast.error(msg`${vendorName} is under maintenance. Please come back later.`),
  unsupported: () => void toast.error(msg`Games of this kind cannot be played here yet.`),
  gone: (why: string) => void toast.error(why),
};
