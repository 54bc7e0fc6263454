import { streamTexts, unlessNone } from '@sibyl/plugin'
import { z } from 'zod'

const time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .transform(text => Date.parse(text))
  .optional()

/** Time range of a query: UTC days or ISO 8601 times. */
export const timeRange = {
  from: time.meta({ description: 'A UTC day or a time, inclusive', example: '2026-11-01' }),
  to: time.meta({ description: 'A UTC day or a time, exclusive', example: '2026-12-01' }),
}

/** Definition of a CSV response. */
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
 * Returns a line of CSV by RFC 4180. A cell that a spreadsheet would read as a formula (leading `=`, `+`, `-`, `@`, tab
 * or carriage return) gets an apostrophe in front; numbers stay as they are.
 */
const csvLine = (cells: readonly (string | number | boolean)[]): string =>
  `${cells.map(cell => quoted(typeof cell === 'string' ? harmless(cell) : String(cell))).join(',')}\r\n`

const harmless = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Streams a table as CSV. Its first rows are read before the response starts, so that a failure is still an error
 * response.
 *
 * @param head the names of the columns
 */
export const csvStream = async <Row>(
  head: readonly string[],
  rows: AsyncGenerator<Row>,
  cells: (row: Row) => readonly (string | number | boolean)[],
): Promise<ReadableStream> => {
  const lines = await unlessNone(rows, row => csvLine(cells(row)))
  return streamTexts(withHead(csvLine(head), lines))
}

async function* withHead(head: string, lines: AsyncIterable<string> | undefined): AsyncGenerator<string> {
  yield head
  yield* lines ?? []
}
