import { posix } from 'node:path'
import {
  findCycles,
  hasTestName,
  importGraph,
  parseModule,
  testFiles,
  type WorkspacePackage,
} from '@sibyl/tooling-source'
import { countExports } from './count-exports.ts'
import type { Measurements } from './measurements.ts'

/** Packages whose exported names are counted. */
const withPublicExports = ['packages/core', 'packages/plugin', 'packages/protocol']

/** The longest file without a budget of its own, in lines. */
export const everyFile = 'every other file'
const maxFileLines = 300

/**
 * Measures the sources: lines of each package, folders in import cycles, exported names, and long files. Tests, and folders
 * `testing`, are left out; `lines of a file` includes all files without the name of a test.
 */
export const measureSources = (packages: readonly WorkspacePackage[]): Measurements => {
  const ours = packages.filter(({ folder }) => folder.startsWith('packages/'))
  const sources = ours.map(one => ({ folder: one.folder, files: sourcesOf(one) }))
  const cycles = sources.map(({ folder, files }) => [folder, countFoldersInCycles(files)] as const)
  const lengths = packages.flatMap(({ folder, files }) =>
    files
      .filter(({ path }) => !hasTestName(path))
      .map(({ path, text }) => [folder === '.' ? path : `${folder}/${path}`, countLines(text)] as const),
  )
  return {
    lines: Object.fromEntries(
      sources.map(({ folder, files }) => [folder, files.reduce((sum, { text }) => sum + countLines(text), 0)]),
    ),
    'folders in import cycles': Object.fromEntries(cycles.filter(([, count]) => count > 0)),
    exports: Object.fromEntries(
      ours.filter(({ folder }) => withPublicExports.includes(folder)).flatMap(one => Object.entries(countExports(one))),
    ),
    'lines of a file': {
      [everyFile]: maxFileLines,
      ...Object.fromEntries(lengths.filter(([, length]) => length > maxFileLines)),
    },
  }
}

type Files = WorkspacePackage['files']

const sourcesOf = (from: WorkspacePackage): Files => {
  const tests = testFiles(from)
  return from.files.filter(({ path }) => path.startsWith('src/') && !tests.has(path) && !path.includes('/testing/'))
}

const countLines = (text: string): number => text.replace(/\n$/, '').split('\n').length

/** Returns the number of folders that import each other in a cycle. */
const countFoldersInCycles = (files: Files): number => {
  const imports = importGraph(files.map(({ path, text }) => ({ path, imports: parseModule(text, path).imports })))
  const folders = new Map<string, string[]>()
  for (const [file, targets] of imports) {
    const from = posix.dirname(file)
    const others = targets.map(target => posix.dirname(target)).filter(folder => folder !== from)
    folders.set(from, [...(folders.get(from) ?? []), ...others])
  }
  return findCycles(folders).flat().length
}
