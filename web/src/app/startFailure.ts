/** Shows that the app could not start. It needs no catalogue, so the text is in the two main languages. */
export function showStartFailure(place: HTMLElement): void {
  const text = document.createElement('p');
  text.textContent = 'Không tải được trang. — The page could not be loaded.';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Tải lại — Reload';
  button.addEventListener('click', () => location.reload());
  const box = document.createElement('div');
  box.className = 'boot-failed';
  box.setAttribute('role', 'alert');
  box.append(text, button);
  place.replaceChildren(box);
}
