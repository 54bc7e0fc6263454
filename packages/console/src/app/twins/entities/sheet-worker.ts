import { unzipSync, zipSync } from 'fflate'
import { parse } from 'papaparse'
import { readSheet } from 'read-excel-file/universal'

/** A message of the worker: rows in parts, and then that it is done or why it failed. */
export type SheetMessage =
  | { readonly rows: readonly (readonly string[])[] }
  | { readonly done: true }
  | { readonly problem: 'rows' | 'columns' | 'unreadable' }

/** The most rows, with the header, and columns. */
const maxRows = 100_001
const maxColumns = 300
/** Rows of a message: the page stays responsive between two. */
const partRows = 1_000

const send = (message: SheetMessage) => postMessage(message)

/** Creates a function that sends rows, and returns false if the table is too large. */
const createSender = () => {
  let count = 0
  return (rows: readonly (readonly unknown[])[]): boolean => {
    count += rows.length
    if (count > maxRows) {
      send({ problem: 'rows' })
      return false
    }
    if (rows.some(({ length }) => length > maxColumns)) {
      send({ problem: 'columns' })
      return false
    }
    for (let from = 0; from < rows.length; from += partRows) {
      send({ rows: rows.slice(from, from + partRows).map(cells => cells.map(textOf)) })
    }
    return true
  }
}

const textOf = (cell: unknown): string => {
  if (cell === null || cell === undefined) return ''
  return cell instanceof Date ? cell.toISOString().replace('T00:00:00.000Z', '') : String(cell)
}

const isFilled = (cells: readonly unknown[]) => cells.some(cell => textOf(cell).trim() !== '')

/** The most bytes of an unpacked XLSX file. */
const maxUnpacked = 300_000_000

/** Returns an XLSX file without compression: the library would unpack a large one in workers that the policy of the page blocks. */
const unpacked = (bytes: Uint8Array) => {
  let size = 0
  const files = unzipSync(bytes, {
    filter: ({ originalSize, name }) => {
      size += originalSize
      if (size > maxUnpacked) throw new RangeError('The file is too large.')
      return /\.(?:xml|rels)$/.test(name)
    },
  })
  return zipSync(files, { level: 0 })
}

addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  const sendRows = createSender()
  if (/\.xlsx$/i.test(file.name)) {
    file
      .arrayBuffer()
      .then(bytes => readSheet(unpacked(new Uint8Array(bytes)).buffer))
      .then(
        rows => sendRows(rows.filter(isFilled)) && send({ done: true }),
        () => send({ problem: 'unreadable' }),
      )
    return
  }
  parse<string[], File>(file, {
    skipEmptyLines: 'greedy',
    chunkSize: 500_000,
    chunk: ({ data }, parser) => {
      if (!sendRows(data)) parser.abort()
    },
    complete: () => send({ done: true }),
    error: () => send({ problem: 'unreadable' }),
  })
})
