import { type PictureFacts, readPictureFacts } from './picture-facts.ts'

/** The largest side of a picture, and the most pixels of one frame and of all frames together. */
const most = { side: 16_384, pixels: 50_000_000, pixelsOfAll: 250_000_000 }

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
  const said = type.trim()
  const picture = readPictureFacts(content)
  if (picture) {
    const fault = sizeFault(picture)
    return fault === undefined ? { mediaType: picture.mediaType } : { fault }
  }
  if (isPdf(content, said)) return { mediaType: pdf }
  if (pictureTypes.includes(said)) return { fault: `it says ${said}, and its content is not a whole picture` }
  if (said === pdf) return { fault: 'it says application/pdf, and its content is not a PDF' }
  return { mediaType: declared }
}

/** PDF readers accept a header within the first kilobyte, where a text may have one too. */
const isPdf = (content: Uint8Array, said: string): boolean => {
  const place = Buffer.from(content.subarray(0, 1_024)).indexOf('%PDF-')
  return place === 0 || (place > 0 && said === pdf)
}

const sizeFault = ({ width, height, frames }: PictureFacts): string | undefined => {
  const size = `${width.toLocaleString('en')} × ${height.toLocaleString('en')} pixels`
  if (width > most.side || height > most.side || width * height > most.pixels) {
    return `it has ${size}; a picture may have ${millions(most.pixels)}, and ${most.side.toLocaleString('en')} on a side`
  }
  if (width * height * frames > most.pixelsOfAll) {
    return `its ${frames.toLocaleString('en')} frames of ${size} are too much; all frames together may have ${millions(most.pixelsOfAll)}`
  }
  return undefined
}

const millions = (pixels: number): string => `${pixels / 1_000_000} million pixels`
