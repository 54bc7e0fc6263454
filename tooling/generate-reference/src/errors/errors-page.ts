import { tableRow } from '../markdown-table.ts'
import type { DeclaredCode } from './declared-codes.ts'
import { cellsOf, codeOfCell } from './documented-codes.ts'

/**
 * Returns the page `docs/reference/errors.md` with the status and the meaning of the errors that are defined, in the rows
 * that the page has for them. Everything else of the page is written there: sections, what to do, and the meaning of
 * codes that are declared in another way.
 */
export const errorsPage = (page: string, declared: readonly DeclaredCode[]): string => {
  const declarations = Map.groupBy(declared, ({ code }) => code)
  return page
    .split('\n')
    .map(line => {
      const cells = cellsOf(line)
      const [first = '', status = '', meaning = '', ...rest] = cells
      const code = codeOfCell(first)
      if (cells.length === 0) return line
      if (code === undefined) return tableRow(/^-+$/.test(first) ? cells.map(() => '---') : cells)
      const own = declarations.get(code) ?? []
      return tableRow([first, statusOf(own) ?? status, meaningOf(own) ?? meaning, ...rest])
    })
    .join('\n')
}

/** Returns undefined where the code is declared in other ways too. */
const meaningOf = (declarations: readonly DeclaredCode[]): string | undefined => {
  if (!isDefined(declarations)) return undefined
  const summaries = declarations.flatMap(({ summary }) => summary ?? [])
  const texts = summaries.length > 0 ? summaries : declarations.flatMap(({ message }) => message ?? [])
  return [...new Set(texts)].map(text => text.replaceAll('<', '\\<')).join('<br>')
}

const statusOf = (declarations: readonly DeclaredCode[]): string | undefined => {
  const statuses = new Set(declarations.flatMap(({ status }) => status ?? []))
  return isDefined(declarations) && statuses.size > 0 ? [...statuses].sort().join(', ') : undefined
}

const isDefined = (declarations: readonly DeclaredCode[]): boolean =>
  declarations.length > 0 && declarations.every(({ message, summary }) => (message ?? summary) !== undefined)
