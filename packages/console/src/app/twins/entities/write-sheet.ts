import { unparse } from 'papaparse'

/** A cell of a table. */
export type Cell = string | number | boolean | null

/** Returns a table as CSV for spreadsheets: a text that one would calculate begins with an apostrophe. */
export const csvOf = (rows: readonly (readonly Cell[])[]): Blob =>
  new Blob(['\uFEFF', unparse(rows as Cell[][], { escapeFormulae: true, newline: '\r\n' }), '\r\n'], {
    type: 'text/csv;charset=utf-8',
  })

/** Returns a table as an XLSX file, whose texts are never formulas. */
export const xlsxOf = async (rows: readonly (readonly Cell[])[]): Promise<Blob> => {
  const { default: write } = await import('write-excel-file/browser')
  const cellOf = (cell: Cell) => (typeof cell === 'string' ? { value: cell.slice(0, 32_000), type: String } : cell)
  return write(rows.map(row => row.map(cellOf))).toBlob()
}
