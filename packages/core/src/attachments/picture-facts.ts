/** Facts of a picture, as its headers have them. */
export interface PictureFacts {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  readonly width: number
  readonly height: number
  /** More than 1 in an animation. */
  readonly frames: number
}

/**
 * Reads the headers of a PNG, JPEG, GIF or WebP; nothing is decoded.
 *
 * @returns undefined for other content, and for a picture that ends in its headers or breaks off between its blocks
 */
export const readPictureFacts = (content: Uint8Array): PictureFacts | undefined => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const kind = kinds.find(({ fits }) => fits(bytes))
  if (!kind) return undefined
  try {
    const { width, height, frames } = kind.read(bytes)
    return width > 0 && height > 0 && frames > 0 ? { mediaType: kind.mediaType, width, height, frames } : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

type Size = Omit<PictureFacts, 'mediaType'>

interface PictureKind {
  readonly mediaType: PictureFacts['mediaType']
  fits(bytes: Buffer): boolean
  /** Throws a RangeError where the bytes end too early. */
  read(bytes: Buffer): Size
}

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

const none: Size = { width: 0, height: 0, frames: 0 }

/** Chunks from `IHDR` to the first with pixels; an animated one says before them how many frames it has. */
const readPng = (bytes: Buffer): Size => {
  if (ascii(bytes, 12, 16) !== 'IHDR') return none
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), frames: 1 }
  for (let at = 8; ; at += 12 + bytes.readUInt32BE(at)) {
    const type = ascii(bytes, at + 4, at + 8)
    if (type === 'acTL') size.frames = bytes.readUInt32BE(at + 8)
    if (type === 'IDAT') return size
    if (type === 'IEND') return none
  }
}

/** Segments up to the frame header. */
const readJpeg = (bytes: Buffer): Size => {
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return none
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else if (marker === 0xd9 || marker === 0xda) return none
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5), frames: 1 }
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
}

/** Every block to the end, since each frame is one. A truncated one counts as far as it goes. */
const readGif = (bytes: Buffer): Size => {
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), frames: 0 }
  const colors = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + colors(bytes.readUInt8(10))
  const skipBlocks = () => {
    for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += 1 + length
    at += 1
  }
  while (at < bytes.length) {
    const kind = bytes.readUInt8(at)
    if (kind === 0x2c) {
      size.frames += 1
      size.width = Math.max(size.width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5))
      size.height = Math.max(size.height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7))
      at += 10 + colors(bytes.readUInt8(at + 9)) + 1
    } else if (kind === 0x21) at += 2
    else return kind === 0x3b ? size : none
    skipBlocks()
  }
  return size
}

const readWebp = (bytes: Buffer): Size => {
  const type = ascii(bytes, 12, 16)
  if (type === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff, frames: 1 }
  if (type === 'VP8L') {
    const packed = bytes.readUInt32LE(21)
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1, frames: 1 }
  }
  if (type !== 'VP8X') return none
  const size = { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1, frames: 0 }
  for (let at = 12; at + 8 <= bytes.length; ) {
    if (/^(ANMF|VP8[ L])$/.test(ascii(bytes, at, at + 4))) size.frames += 1
    const length = bytes.readUInt32LE(at + 4)
    at += 8 + length + (length % 2)
  }
  return size
}

const kinds: readonly PictureKind[] = [
  { mediaType: 'image/png', fits: bytes => ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n', read: readPng },
  { mediaType: 'image/jpeg', fits: bytes => ascii(bytes, 0, 3) === '\xff\xd8\xff', read: readJpeg },
  { mediaType: 'image/gif', fits: bytes => /^GIF8[79]a$/.test(ascii(bytes, 0, 6)), read: readGif },
  {
    mediaType: 'image/webp',
    fits: bytes => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP',
    read: readWebp,
  },
]
