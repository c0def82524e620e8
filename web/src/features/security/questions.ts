import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export const questionTexts: Readonly<Record<string, MessageDescriptor>> = {
  first_pet: msg`What was your first pet called?`,
  first_school: msg`What was your first school called?`,
  birth_city: msg`In which town were you born?`,
  mother_name: msg`What is your mother’s first name?`,
  best_friend: msg`Who was your best friend as a child?`,
  favourite_dish: msg`What is your favourite dish?`,
};
