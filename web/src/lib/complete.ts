/**
 * An answer with what it lacks as `blank` has it. Gateways leave out lists that are empty and parts that have nothing
 * to say, or send null for them: a screen is not lost for that.
 */
export function complete<T extends object>(blank: NoInfer<Partial<T>>, half: Partial<T> | null): T {
  const whole: Partial<T> = { ...half };
  for (const name in blank) whole[name] ??= blank[name];
  return whole as T;
}

/** The same for each member of a list, which may be missing as a whole. */
export const completeAll = <T extends object>(
  blank: NoInfer<Partial<T>>,
  list: readonly (Partial<T> | null)[] | null | undefined,
): T[] => (list ?? []).map((half) => complete(blank, half));
