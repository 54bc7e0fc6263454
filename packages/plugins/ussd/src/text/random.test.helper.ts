/** A reproducible random generator. */
export interface Random {
  /** Returns an integer from 0 to `below` - 1. */
  number(below: number): number
  pick<Item>(items: readonly Item[]): Item
  /** Returns a list of at most `most` items. */
  list<Item>(max: number, item: () => Item): Item[]
}

/** Xorshift of 32 bits. */
export const seededRandom = (seed: number): Random => {
  let state = (seed * 2654435761 + 1) >>> 0 || 1
  const number = (below: number) => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
  return {
    number,
    pick: items => items[number(items.length)]!,
    list: (max, item) => Array.from({ length: number(max + 1) }, item),
  }
}

/** Words of users and attackers: plain, accented, in other scripts, with emoji, joined and broken characters. */
export const hostileWords: readonly string[] = [
  'a',
  'Welcome',
  'the',
  'price',
  '5€',
  '{x}',
  '[]',
  'é',
  'ç',
  'Habari',
  'مرحبا',
  '日本語',
  'ชื่อ',
  '👍',
  '👨‍👩‍👧‍👦',
  '🇿🇲',
  'e\u0301',
  'x'.repeat(200),
  '字'.repeat(120),
  '👨‍👩‍👧‍👦'.repeat(15),
  `z${'\u0300'.repeat(120)}`,
  '1.',
  '*',
  '98',
  '\u202e',
  '\ud83d',
]
