import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Counts } from './counts.ts'

const file = join(import.meta.dirname, '../allowed-counts.json')

/** Reads how many findings each package may still have. */
export const readAllowedCounts = (): Counts => JSON.parse(readFileSync(file, 'utf8')) as Counts

/** Writes the file, a package a line, so that branches that lower different packages merge. */
export const writeAllowedCounts = (counts: Counts): void => {
  const lines = Object.entries(counts).map(
    ([folder, kinds]) =>
      `  ${JSON.stringify(folder)}: { ${Object.entries(kinds)
        .map(([kind, count]) => `${JSON.stringify(kind)}: ${count}`)
        .join(', ')} }`,
  )
  writeFileSync(file, lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`)
}
