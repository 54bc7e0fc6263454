import { posix } from 'node:path'
import { parseModule, testFiles, type WorkspacePackage } from '@sibyl/tooling-source'
import { countLines } from './count-lines.ts'
import { folderCycles } from './folder-cycles.ts'

/** The size and the shape of a package's sources, without its tests. */
export interface PackageMetrics {
  readonly folder: string
  readonly files: number
  readonly lines: number
  readonly docstringLines: number
  /** The lines of each file. */
  readonly fileLines: readonly number[]
  /** The names that the main entry exports. */
  readonly exports: number
  /** Classes that extend an error. */
  readonly errorClasses: number
  /** Groups of folders that import each other. */
  readonly folderCycles: readonly (readonly string[])[]
}

/** Measures the sources below `src` of a package; files named as tests and below a folder `testing` are left out. */
export const measurePackage = (from: WorkspacePackage): PackageMetrics => {
  const tests = testFiles(from)
  const files = from.files.filter(
    ({ path }) => path.startsWith('src/') && !tests.has(path) && !path.includes('/testing/'),
  )
  const counted = files.map(({ text }) => countLines(text))
  const sum = (pick: (one: (typeof counted)[number]) => number) => counted.reduce((total, one) => total + pick(one), 0)
  const paths = new Set(files.map(({ path }) => path))
  const imports = new Map(
    files.map(({ path, text }) => [
      path,
      parseModule(text, path)
        .imports.map(({ specifier }) => posix.join(posix.dirname(path), specifier))
        .filter(target => paths.has(target)),
    ]),
  )
  return {
    folder: from.folder,
    files: files.length,
    lines: sum(({ lines }) => lines),
    docstringLines: sum(({ docstringLines }) => docstringLines),
    fileLines: counted.map(({ lines }) => lines),
    exports: exportedNames(files.find(({ path }) => path === 'src/index.ts')?.text ?? ''),
    errorClasses: files.reduce((total, { text }) => total + (text.match(errorClass)?.length ?? 0), 0),
    folderCycles: folderCycles(imports),
  }
}

const errorClass = /^(?:export )?(?:abstract )?class \w+ extends \w*(?:Error|Failure|Needed)\b/gm

const exportedNames = (text: string): number =>
  [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].reduce(
    (total, [, names = '']) => total + names.split(',').filter(name => name.trim() !== '').length,
    0,
  ) + [...text.matchAll(/^export (?:const|function|class|interface|type) \w/gm)].length
