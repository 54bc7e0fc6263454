import { type PictureFacts, readPictureFacts } from './picture-facts.ts'

/** The largest side of a picture, and the most pixels of one frame and of all frames together. */
const max = { side: 16_384, pixels: 50_000_000, pixelsOfAll: 250_000_000 }

/** Media types of pictures that models take. */
export const pictureTypes: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
] satisfies readonly PictureFacts['mediaType'][]

const pdf = 'application/pdf'

/** The content of a file, checked: its media type, or why it cannot be taken. */
export type CheckedContent = { readonly mediaType: string } | { readonly fault: string }

/**
 * Checks that a file is what its media type says, by its first bytes; where they name a picture or a PDF, they decide. Rejects
 * pictures that are too large once they are decoded.
 */
export const checkContent = (content: Uint8Array, declared: string): CheckedContent => {
  const [type = ''] = declared.toLowerCase().split(';', 1)
  const text = type.trim()
  const picture = readPictureFacts(content)
  if (picture) {
    const violation = sizeViolation(picture)
    return violation === undefined ? { mediaType: picture.mediaType } : { fault: violation }
  }
  if (isPdf(content, text)) return { mediaType: pdf }
  if (pictureTypes.includes(text)) return { fault: `it says ${text}, and its content is not a whole picture` }
  if (text === pdf) return { fault: 'it says application/pdf, and its content is not a PDF' }
  return { mediaType: declared }
}

/** PDF readers accept a header within the first kilobyte, where a text may have one too. */
const isPdf = (content: Uint8Array, text: string): boolean => {
  const place = Buffer.from(content.subarray(0, 1_024)).indexOf('%PDF-')
  return place === 0 || (place > 0 && text === pdf)
}

const sizeViolation = ({ width, height, frames }: PictureFacts): string | undefined => {
  const size = `${width.toLocaleString('en')} × ${height.toLocaleString('en')} pixels`
  if (width > max.side || height > max.side || width * height > max.pixels) {
    return `it has ${size}; a picture may have ${millions(max.pixels)}, and ${max.side.toLocaleString('en')} on a side`
  }
  if (width * height * frames > max.pixelsOfAll) {
    return `its ${frames.toLocaleString('en')} frames of ${size} are too much; all frames together may have ${millions(max.pixelsOfAll)}`
  }
  return undefined
}

const millions = (pixels: number): string => `${pixels / 1_000_000} million pixels`
