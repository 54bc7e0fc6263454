import type { Random } from '../frame/random.ts'

/** Values that are invalid in every field of a phone's request: the rules of the specification reject each. */
export const neverText: readonly ((random: Random, good: string) => unknown)[] = [
  (_, good) => `${good}\u0000`,
  (_, good) => `${good}\n1`,
  (_, good) => `\u001b[2J${good}`,
  (_, good) => `${good}\u0085`,
  (_, good) => `${good}\u2028`,
  (_, good) => `${good}\ud800`,
  (_, good) => `\udc00${good}`,
  (_, good) => `${good}\ufffd`,
  (random, good) => good + 'x'.repeat(2_001 + random.integer(0, 5_000)),
  (random, good) => good + '9*'.repeat(1_001 + random.integer(0, 3_000)),
  (_, good) => [good],
  (_, good) => ({ text: good }),
]

/** Values of a plain field besides strings. */
export const neverString: readonly unknown[] = [null, 0, 1, -1, 1.5, 1e300, true, false, [], {}, [[]], { toString: 1 }]

/** Invalid phone numbers. */
export const neverPhone: readonly string[] = [
  '',
  '+',
  '260971234567',
  '+0971234567',
  '+26097123456789012',
  '+26097a234567',
  ' +260971234567',
  '+260971234567 ',
  '+26097\u0661234567',
  '\uff0b260971234567',
  '+260 971 234 567',
  "+1' or '1'='1",
  '+260971234567\u202e',
]

/** Invalid service codes. */
export const neverCode: readonly string[] = [
  '',
  '*',
  '#',
  '*#',
  '1234',
  '*1234',
  '1234#',
  '**1234#',
  '*1234*#',
  '*12a4#',
  '*1234#\n',
  '*\u0661234#',
  `*${'1'.repeat(200)}#`,
]

/** Invalid session ids. */
export const neverSession: readonly string[] = [
  '',
  '\u0000',
  'a\u202eb',
  'a\u200bb',
  'a\tb',
  'a\u2029',
  'x'.repeat(101),
  '\ud83d',
]

/** Bodies that are no JSON, or not the JSON of an object. */
export const neverJson: readonly string[] = [
  '',
  ' ',
  '{',
  '}',
  '{"sessionId":',
  '[]',
  'null',
  'true',
  '0',
  '"text"',
  "{'sessionId':1}",
  '{"a":1}{"b":2}',
  '\u0000',
  '\ufeff',
  'sessionId=walk-2&text=1',
  '<ussd/>',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
  '{"__proto__":{"text":""}}',
  '{"constructor":{"prototype":{}}}',
]

/** Odd words that a text may well hold. */
export const oddTexts: readonly string[] = [
  '\u202e1',
  '\uff11',
  '1\u20e3',
  '**',
  '*',
  '#',
  '1**1',
  '*1*',
  '0x1',
  '{{7*7}}',
  '{oracle}',
  "' or 1=1 --",
  '\u{1f600}',
  'Ng\u2019andwe *M*',
  '98',
  '99',
  '0',
  '\u200f\u200e1',
  '<script>',
  '%00',
  '\\u0000',
  '1'.repeat(182),
  '1*'.repeat(91),
]
