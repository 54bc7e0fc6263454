import { describe, expect, test } from 'vitest'
import { readPictureFacts } from './picture-facts.ts'

const u16be = (value: number) => [value >> 8, value & 255]
const u16le = (value: number) => u16be(value).toReversed()
const u24le = (value: number) => [value & 255, (value >> 8) & 255, value >> 16]
const u32le = (value: number) => [...u16le(value & 0xffff), ...u16le(value >>> 16)]
const text = (value: string) => [...Buffer.from(value, 'latin1')]

const jpeg = [
  ...[0xff, 0xd8, 0xff, 0xe0, ...u16be(6), 1, 2, 3, 4],
  ...[0xff, 0xff, 0xc2, ...u16be(11), 8, ...u16be(480), ...u16be(640), 1, 1, 0x11, 0],
]
const frame = [0x2c, ...u16le(0), ...u16le(0), ...u16le(320), ...u16le(200), 0, 2, 1, 0x44, 0]
const gif = [
  ...text('GIF89a'),
  ...[...u16le(320), ...u16le(200), 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
  ...[0x21, 0xf9, 4, 0, 0, 0, 0, 0],
  ...frame,
  ...frame,
  0x3b,
]
const riff = (...chunks: readonly number[][]) => [
  ...text('RIFF'),
  ...u32le(4 + chunks.flat().length),
  ...text('WEBP'),
  ...chunks.flat(),
]
const chunk = (type: string, data: readonly number[]) => [...text(type), ...u32le(data.length), ...data]
const lossy = riff(chunk('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, ...u16le(640), ...u16le(480)]))
const lossless = riff(chunk('VP8L', [0x2f, ...u32le((639 | (479 << 14)) >>> 0)]))
const animated = riff(
  chunk('VP8X', [2, 0, 0, 0, ...u24le(639), ...u24le(479)]),
  chunk('ANMF', [1, 2]),
  chunk('ANMF', [1, 2]),
  chunk('ANMF', [1, 2]),
)

describe('picture headers', () => {
  test.each([
    ['a progressive JPEG', jpeg, { mediaType: 'image/jpeg', width: 640, height: 480, frames: 1 }],
    ['a GIF of two frames', gif, { mediaType: 'image/gif', width: 320, height: 200, frames: 2 }],
    ['a lossy WebP', lossy, { mediaType: 'image/webp', width: 640, height: 480, frames: 1 }],
    ['a lossless WebP', lossless, { mediaType: 'image/webp', width: 640, height: 480, frames: 1 }],
    ['an animated WebP', animated, { mediaType: 'image/webp', width: 640, height: 480, frames: 3 }],
  ])('%s', (_name, bytes, facts) => {
    expect(readPictureFacts(new Uint8Array(bytes))).toEqual(facts)
  })

  test('truncated or random bytes do not throw', () => {
    for (const bytes of [jpeg, gif, lossy, lossless, animated]) {
      for (let length = 0; length < bytes.length; length += 1) readPictureFacts(new Uint8Array(bytes.slice(0, length)))
    }
    expect(readPictureFacts(new Uint8Array(jpeg.slice(0, 18)))).toBeUndefined()
    expect(readPictureFacts(new Uint8Array(gif.slice(0, 12)))).toBeUndefined()
    expect(readPictureFacts(new Uint8Array(lossy.slice(0, 24)))).toBeUndefined()
    expect(readPictureFacts(new Uint8Array())).toBeUndefined()
  })

  test('a frame larger than its GIF counts as large', () => {
    const large = [...frame.slice(0, 5), ...u16le(60_000), ...u16le(60_000), ...frame.slice(9)]
    const bytes = [...gif.slice(0, 27), ...large, 0x3b]
    expect(readPictureFacts(new Uint8Array(bytes))).toMatchObject({ width: 60_000, height: 60_000, frames: 1 })
  })
})
