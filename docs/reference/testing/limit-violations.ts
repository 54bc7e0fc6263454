import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..')
const row = /^\| (.+?) +\| (\S.*?) +\| \[(\w+)\]\((\S+)\) +\|$/gm

/**
 * Compares the rows of a page that link the name of a constant to its file with what the file says. A name that ends in
 * `Ms` is milliseconds, and the page has seconds.
 *
 * @returns One sentence a fault.
 */
export const limitViolations = (markdown: string): string[] => {
  const rows = [...markdown.matchAll(row)]
  if (rows.length === 0) return ['The page has no row with a limit.']
  return rows.flatMap(([, limit, shown, name = '', file = '']) => {
    const source = readFileSync(join(folder, file), 'utf8')
    const value = new RegExp(`const ${name} = ([\\d_]+)$`, 'm').exec(source)?.[1]?.replaceAll('_', '')
    if (value === undefined) return [`${limit}: ${file} has no number called ${name}.`]
    const expected = name.endsWith('Ms') ? `${Number(value) / 1000} s` : Number(value).toLocaleString('en-US')
    return shown === expected ? [] : [`${limit}: the page says ${shown}, ${file} ${expected}.`]
  })
}
