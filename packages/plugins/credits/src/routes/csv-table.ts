import { ReadableStream } from 'node:stream/web'
import { z } from 'zod'

const time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .transform(text => Date.parse(text))
  .optional()

/** A range of time, as a query has it: a day of UTC, or a time of ISO 8601. */
export const timeRange = {
  from: time.meta({ description: 'A day of UTC, or a time; itself included', example: '2026-11-01' }),
  to: time.meta({ description: 'A day of UTC, or a time; itself not included', example: '2026-12-01' }),
}

/** An answer that is a table. */
export const csvAnswer = (description: string) => ({
  description,
  content: { 'text/csv': { schema: z.string() } },
})

/** Headers of a table that is saved as a file. */
export const csvHeaders = (file: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${file}"`,
  'cache-control': 'no-store',
})

/**
 * A line of CSV by RFC 4180. A cell that a spreadsheet would take for a formula (`=`, `+`, `-`, `@`, tab or carriage return
 * in front) gets an apostrophe before it; numbers stay as they are.
 */
const csvLine = (cells: readonly (string | number | boolean)[]): string =>
  `${cells.map(cell => quoted(typeof cell === 'string' ? harmless(cell) : String(cell))).join(',')}\r\n`

const harmless = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * A table as a stream of CSV. Its first page is read before anything is sent, so that a failure is still an answer.
 *
 * @param head the names of the columns
 */
export const csvStream = async <Row>(
  head: readonly string[],
  pages: AsyncGenerator<readonly Row[]>,
  cells: (row: Row) => readonly (string | number | boolean)[],
): Promise<globalThis.ReadableStream> => {
  const first = await pages.next()
  return ReadableStream.from(written(head, first, pages, cells)) as unknown as globalThis.ReadableStream
}

async function* written<Row>(
  head: readonly string[],
  first: IteratorResult<readonly Row[]>,
  rest: AsyncGenerator<readonly Row[]>,
  cells: (row: Row) => readonly (string | number | boolean)[],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(csvLine(head))
  for (let step = first; !step.done; step = await rest.next()) {
    if (step.value.length > 0) yield encoder.encode(step.value.map(row => csvLine(cells(row))).join(''))
  }
}
