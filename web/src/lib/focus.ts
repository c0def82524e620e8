/** Puts the cursor into a form's field by its name. A form that has no such field stays as it is. */
export function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.focus();
}
