/** Fills in the missing fields of a response from `blank`. A server may omit empty lists and objects, or send null. */
export function complete<T extends object>(blank: NoInfer<Partial<T>>, half: Partial<T> | null): T {
  const whole: Partial<T> = { ...half };
  for (const name in blank) whole[name] ??= blank[name];
  return whole as T;
}

/** Completes each item of a list. A missing list is empty. */
export const completeAll = <T extends object>(
  blank: NoInfer<Partial<T>>,
  list: readonly (Partial<T> | null)[] | null | undefined,
): T[] => (list ?? []).map((half) => complete(blank, half));
