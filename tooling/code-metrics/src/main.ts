// Prints the size and the shape of the sources, as a Markdown table; with folders of checkouts, each side by side.
//   node --conditions=sibyl-source tooling/code-metrics/src/main.ts [../before .]
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { findPackages, workspaceRoot } from '@sibyl/tooling-source'
import { measurePackage, type PackageMetrics } from './measure-package.ts'

const roots = (process.argv.length > 2 ? process.argv.slice(2) : [workspaceRoot]).map(root => resolve(root))
const measured = roots.map(root => ({
  packages: findPackages(root)
    .filter(({ folder }) => folder.startsWith('packages/'))
    .map(measurePackage),
  turn: turnFiles(root),
}))

const total = (packages: readonly PackageMetrics[], pick: (one: PackageMetrics) => number) =>
  packages.reduce((sum, one) => sum + pick(one), 0)
const row = (name: string, cell: (one: (typeof measured)[number]) => string | number) =>
  console.log(`| ${[name, ...measured.map(cell)].join(' | ')} |`)
const median = (packages: readonly PackageMetrics[]) => {
  const all = packages.flatMap(({ fileLines }) => fileLines).toSorted((a, b) => a - b)
  return all[Math.floor(all.length / 2)] ?? 0
}

console.log(
  `| | ${roots.map((_, place) => (roots.length === 1 ? 'now' : (['before', 'after'][place] ?? place))).join(' | ')} |`,
)
console.log(`|---|${roots.map(() => '---:').join('|')}|`)
row('files', ({ packages }) => total(packages, one => one.files))
row('lines', ({ packages }) => total(packages, one => one.lines))
row('lines of docstrings, %', ({ packages }) =>
  ((total(packages, one => one.docstringLines) / total(packages, one => one.lines)) * 100).toFixed(1),
)
row('median lines of a file', ({ packages }) => median(packages))
row('classes of errors', ({ packages }) => total(packages, one => one.errorClasses))
row('folders in import cycles', ({ packages }) => total(packages, one => one.folderCycles.flat().length))
row('files of core that a chat turn runs', ({ turn }) => turn.filter(path => path.startsWith('packages/core/')).length)
row('files that a chat turn runs', ({ turn }) => turn.length)
const folders = [...new Set(measured.flatMap(({ packages }) => packages.map(({ folder }) => folder)))].toSorted()
for (const folder of folders) {
  row(`\`${folder}\`: files / lines / exports / folders in cycles`, ({ packages }) => {
    const one = packages.find(other => other.folder === folder)
    return one ? `${one.files} / ${one.lines} / ${one.exports} / ${one.folderCycles.flat().length}` : '–'
  })
}

/** Returns the source files of which a function runs during a chat turn. */
function turnFiles(root: string): string[] {
  const script = join(import.meta.dirname, 'turn-files.ts')
  const output = execFileSync(process.execPath, ['--conditions=sibyl-source', '--no-warnings', script, root], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'development', LOG_LEVEL: 'error' },
  })
  return output.trim().split('\n')
}
