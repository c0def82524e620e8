/**
 * Puts the cursor into a form's field by its name, and the field with what is said of it into the middle of the screen:
 * a bar may lie over its ends. A form that has no such field stays as it is.
 */
export function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: 'center' });
}
