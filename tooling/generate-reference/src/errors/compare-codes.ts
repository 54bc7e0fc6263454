import type { DeclaredCode } from './declared-codes.ts'
import type { DocumentedCode } from './documented-codes.ts'

/** The codes that a dynamic part in the sources stands for: `{ 'ucan_*': ['ucan_expired', ...] }`. */
export type Expansions = Readonly<Record<string, readonly string[]>>

/**
 * Compares the codes of the sources with those of the docs.
 *
 * @returns One sentence a difference.
 */
export const compareCodes = (
  declared: readonly DeclaredCode[],
  documented: readonly DocumentedCode[],
  expansions: Expansions = {},
): string[] => {
  const expanded = declared.flatMap(each => (expansions[each.code] ?? [each.code]).map(code => ({ ...each, code })))
  const codes = new Set(expanded.map(({ code }) => code))
  const rows = Map.groupBy(documented, ({ code }) => code)
  return [
    ...new Set([
      ...expanded.filter(({ code }) => !rows.has(code)).map(({ code, file }) => `'${code}' of ${file} has no row.`),
      ...expanded.flatMap(each => statusViolation(each, rows.get(each.code)?.[0])),
      ...documented
        .filter(({ remedy }) => remedy === '')
        .map(({ code, line }) => `Line ${line}: '${code}' does not say what to do.`),
      ...documented
        .filter(({ code }) => !codes.has(code))
        .map(({ code, line }) => `Line ${line}: no source declares '${code}'.`),
      ...[...rows.values()].flatMap(same =>
        same.slice(1).map(({ code, line }) => `Line ${line}: '${code}' has a row already.`),
      ),
    ]),
  ]
}

const statusViolation = ({ code, status, file }: DeclaredCode, row: DocumentedCode | undefined): string[] =>
  row === undefined || status === undefined || row.statuses.includes(status)
    ? []
    : [`Line ${row.line}: '${code}' has status ${status} in ${file}.`]
