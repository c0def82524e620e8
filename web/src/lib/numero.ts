/** Returns what distinguishes a numero: the date of a regional draw as dd/mm, the number of a fast draw within its day. */
export function shortNumero(numero: string): string {
  const [day = '', number] = numero.split('-');
  return number ?? `${day.slice(6, 8)}/${day.slice(4, 6)}`;
}
