/** Returns a short name for a draw number: dd/mm for a regional draw, the number within the day for a fast draw. */
export function shortNumero(numero: string): string {
  const [day = '', number] = numero.split('-');
  return number ?? `${day.slice(6, 8)}/${day.slice(4, 6)}`;
}
