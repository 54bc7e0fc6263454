import type { WorkspacePackage } from '@sibyl/tooling-source'

const marks = ['<!-- packages, written by npx -y pnpm@12 reference -->', '<!-- end of packages -->'] as const

/**
 * Returns a page with the table of published packages between its two marks, as Biome formats it.
 *
 * @throws Error for a page without the marks.
 */
export const withPackageTable = (page: string, packages: readonly WorkspacePackage[]): string => {
  const [start, end] = marks.map(mark => page.indexOf(mark)) as [number, number]
  if (start < 0 || end < start) throw new Error(`The page has no lines '${marks[0]}' and '${marks[1]}'.`)
  const rows = packages
    .filter(({ folder, manifest }) => folder !== '.' && manifest.private !== true)
    .map(({ folder, manifest }) => [`[\`${manifest.name}\`](${folder}/README.md)`, manifest.description ?? ''])
  return `${page.slice(0, start)}${marks[0]}\n\n${alignedTable(['Package', 'Purpose'], rows)}\n\n${page.slice(end)}`
}

const alignedTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map(row => row[column]?.length ?? 0)))
  const line = (cells: readonly string[], filler = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, filler)).join(' | ')} |`
  return [head, head.map(() => ''), ...rows].map((row, index) => line(row, index === 1 ? '-' : ' ')).join('\n')
}
