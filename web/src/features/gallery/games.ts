// Sample games.
export type Game = { id: string; name: string; vendor: string; art: string };

const names = [
  'Rồng Vàng',
  'Cá Mập Nổi Giận',
  'Baccarat Hoàng Kim',
  'Hổ Phú Quý',
  'Bóng Đá Trực Tiếp',
  'Miền Bắc 18:15',
  'Ngọc Hoàng Gia',
  'Vua Bạch Tuộc',
  'Tiến Lên',
];
const vendors = ['JL', 'FC', 'SEA', 'PG', 'SV3', 'LOTTO'];

export const games: readonly Game[] = Array.from({ length: 63 }, (_, at) => {
  const id = `rng-${String(at + 1).padStart(3, '0')}`;
  return {
    id,
    name: names[at % names.length] ?? '',
    vendor: vendors[at % vendors.length] ?? '',
    art: `${import.meta.env.BASE_URL}art/tiles/${id}.webp`,
  };
});
