// The name that the next login form starts with, for a member who has just reset the password. It is in memory only.

let name = '';

export function prefillLoginName(next: string): void {
  name = next;
}

/** Returns the name and clears it. */
export function takeLoginName(): string {
  const nextName = name;
  name = '';
  return nextName;
}
