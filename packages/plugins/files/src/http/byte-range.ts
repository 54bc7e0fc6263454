/** A part of a content: both ends are in it. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * Reads the header `Range` (RFC 9110, section 14.2).
 *
 * @returns undefined for the whole content, also where the header is not understood or asks for several parts
 */
export const byteRange = (header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined => {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Number(last)
    if (length === 0) return 'unsatisfiable'
    return bytes === 0 ? undefined : { from: Math.max(0, bytes - length), to: bytes - 1 }
  }
  const from = Number(first)
  const to = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < from) return undefined
  return from >= bytes ? 'unsatisfiable' : { from, to }
}
