// Ways to reach the merchant, by the names that the wire has for them. Each stands here and nowhere else.

export const telegram = 'TELEGRAM';
export const whatsApp = 'WHATSAPP';
