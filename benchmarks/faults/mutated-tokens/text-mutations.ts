import type { Random } from '../frame/random.ts'
import type { Cast } from './cast.ts'
import type { Mutations } from './mutation.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const strange = [
  ...'.=+/ \n\r\t\0%~,;:"\'{}<>é',
  '\u00a0',
  '\u200b',
  '\ufeff',
  '\u2024',
  '\uff0e',
  '\u{1d7d8}',
  '\u0430',
]

const goodText = ({ good }: Cast, random: Random): string => random.pick(good).token

const splice = (text: string, at: number, remove: number, insert = ''): string =>
  text.slice(0, at) + insert + text.slice(at + remove)

/** Changes one segment. */
const inSegment = (text: string, random: Random, change: (segment: string) => string): string => {
  const segments = text.split('.')
  const index = random.integer(0, segments.length - 1)
  segments[index] = change(segments[index]!)
  return segments.join('.')
}

/** Mutations of a token without any key: of its text, its base64url and its three parts. */
export const textMutations: Mutations = {
  flipBits: (cast, random) =>
    inSegment(goodText(cast, random), random, segment => {
      const bytes = Buffer.from(segment, 'base64url')
      for (let flips = random.integer(1, 8); flips > 0; flips -= 1) {
        const at = random.integer(0, bytes.length - 1)
        bytes[at] = bytes[at]! ^ (1 << random.integer(0, 7))
      }
      return bytes.toString('base64url')
    }),
  changeBytes: (cast, random) =>
    inSegment(goodText(cast, random), random, segment => {
      const bytes = Buffer.from(segment, 'base64url')
      const at = random.integer(0, bytes.length)
      const cut = bytes.subarray(Math.min(bytes.length, at + random.integer(0, 8)))
      return Buffer.concat([bytes.subarray(0, at), random.bytes(random.integer(0, 8)), cut]).toString('base64url')
    }),
  replaceCharacter(cast, random) {
    const text = goodText(cast, random)
    return splice(text, random.integer(0, text.length - 1), 1, random.pick([...alphabet, ...strange]))
  },
  insertCharacter(cast, random) {
    const text = goodText(cast, random)
    return splice(text, random.integer(0, text.length), 0, random.pick([...alphabet, ...strange]))
  },
  removeCharacters(cast, random) {
    const text = goodText(cast, random)
    return splice(text, random.integer(0, text.length - 1), random.integer(1, 40))
  },
  swapNeighbours(cast, random) {
    const text = goodText(cast, random)
    const at = random.integer(0, text.length - 2)
    return splice(text, at, 2, text[at + 1]! + text[at]!)
  },
  repeatPart(cast, random) {
    const text = goodText(cast, random)
    const at = random.integer(1, text.length)
    return text.slice(0, at) + text.slice(Math.max(0, at - random.integer(1, 200)))
  },
  truncate(cast, random) {
    const text = goodText(cast, random)
    return random.pick([text.slice(0, random.integer(0, text.length - 1)), text.slice(random.integer(1, text.length))])
  },
  pad: (cast, random) =>
    inSegment(goodText(cast, random), random, segment => segment + random.pick(['=', '==', '===', '%3D', '\u2261'])),
  otherAlphabet: (cast, random) =>
    inSegment(goodText(cast, random), random, segment => {
      const bytes = Buffer.from(segment, 'base64url')
      return random.pick([
        bytes.toString('base64'),
        bytes.toString('base64').replaceAll('+', '-'),
        bytes.toString('hex'),
        bytes.toString('latin1'),
        encodeURIComponent(bytes.toString('base64')),
        Buffer.from(segment).toString('base64url'),
        segment.toUpperCase(),
        segment.toLowerCase(),
      ])
    }),
  unusedBits: (cast, random) =>
    inSegment(goodText(cast, random), random, segment => {
      const value = alphabet.indexOf(segment.at(-1)!)
      return segment.slice(0, -1) + alphabet[value ^ random.integer(1, segment.length % 4 === 2 ? 15 : 3)]
    }),
  whiteSpace: (cast, random) =>
    inSegment(goodText(cast, random), random, segment => {
      const space = random.pick([' ', '\n', '\r\n', '\t', '\v', '\u00a0', '\u2028', '\ufeff'])
      return splice(segment, random.integer(0, segment.length), 0, space)
    }),
  mixParts(cast, random) {
    const pool = [...cast.good.map(({ token }) => token), ...Object.values(cast.proofs)].flatMap(one => one.split('.'))
    return Array.from({ length: random.pick([3, 3, 3, 3, 2, 4, 5]) }, () => random.pick(pool)).join('.')
  },
  mixSameParts(cast, random) {
    const tokens = [...cast.good.map(({ token }) => token), ...Object.values(cast.proofs)].map(one => one.split('.'))
    return [0, 1, 2].map(index => random.pick(tokens)[index]).join('.')
  },
  moreParts(cast, random) {
    const text = goodText(cast, random)
    const other = goodText(cast, random)
    return random.pick([
      `${text}.`,
      `.${text}`,
      `${text}.x`,
      `${text}.${other}`,
      `${text},${other}`,
      `${text} ${other}`,
    ])
  },
  emptyParts: (cast, random) => inSegment(goodText(cast, random), random, () => ''),
  proofAsToken: (cast, random) => random.pick(Object.values(cast.proofs)),
  garbage(_cast, random) {
    const text = () => Buffer.from(random.bytes(random.integer(0, 300))).toString('base64url')
    return random.pick([text(), `${text()}.${text()}.${text()}`, '.'.repeat(random.integer(0, 5_000))])
  },
  tooLarge: (cast, random) =>
    inSegment(goodText(cast, random), random, segment => segment + 'A'.repeat(random.pick([9_000, 16_384, 200_000]))),
}
