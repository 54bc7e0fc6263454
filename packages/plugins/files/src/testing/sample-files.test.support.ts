import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'

const chunk = (type: string, data: Buffer = Buffer.alloc(0)): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [place, value] of values.entries()) bytes.writeUInt32BE(value, 4 * place)
  return bytes
}

/** A PNG that says it has so many pixels and frames; it holds those of a red square of 2 × 2. */
export const png = ({ width = 2, height = 2, frames = 0 } = {}): Buffer =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.concat([words(width, height), Buffer.from([8, 2, 0, 0, 0])])),
    ...(frames > 0 ? [chunk('acTL', words(frames, 0))] : []),
    chunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0, 0]))),
    chunk('IEND'),
  ])

/** Options of `pdf`. */
export interface PdfOptions {
  /** JavaScript that a viewer would run when it opens the document. */
  readonly script?: string
  readonly isLocked?: boolean
  /** A content stream for every page, compressed. */
  readonly stream?: Buffer
}

/** A PDF with one line of text on each page. */
export const pdf = (pages: readonly string[], { script, isLocked = false, stream }: PdfOptions = {}): Buffer => {
  const objects: (string | Buffer)[] = []
  const add = (object: string | Buffer) => objects.push(object)
  const first = 4
  const kids = pages.map((_, page) => `${first + 2 * page} 0 R`).join(' ')
  const action = script === undefined ? '' : ` /OpenAction << /S /JavaScript /JS (${script}) >>`
  add(`<< /Type /Catalog /Pages 2 0 R${action} >>`)
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (const [page, text] of pages.entries()) {
    const place = first + 2 * page
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${place + 1} 0 R >>`,
    )
    const drawn = stream ?? Buffer.from(`BT /F1 24 Tf 72 700 Td (${text}) Tj ET`)
    const filter = stream ? ' /Filter /FlateDecode' : ''
    add(
      Buffer.concat([
        Buffer.from(`<< /Length ${drawn.length}${filter} >>\nstream\n`),
        drawn,
        Buffer.from('\nendstream'),
      ]),
    )
  }
  const lock = `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`
  if (isLocked) add(lock)
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = pieces[0]!.length
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    const piece = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    pieces.push(piece)
    length += piece.length
  }
  const size = objects.length + 1
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const more = isLocked ? ` /Encrypt ${objects.length} 0 R /ID [<00> <00>]` : ''
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R${more} >>\nstartxref\n${length}\n%%EOF`
  return Buffer.concat([...pieces, Buffer.from(end)])
}

/** A file part with its content. */
export const dataPart = (mediaType: string, content: Buffer, filename: string) => ({
  type: 'file',
  mediaType,
  filename,
  url: `data:${mediaType};base64,${content.toString('base64')}`,
})

/** Returns a text many times over, compressed: each copy is a block that needs no other. */
export const deflated = (text: string, times: number): Buffer => {
  const block = deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH })
  const [start, end] = [Buffer.from([0x78, 0x9c]), Buffer.from([3, 0])]
  return Buffer.concat([start, ...Array.from({ length: times }, () => block), end])
}
