import { posix } from 'node:path'
import { createParser, type Parser } from './create-parser.ts'
import type { WorkspacePackage } from './find-packages.ts'
import type { Manifest } from './manifest.ts'

/** Whether a file is a test, or a helper of tests, by its name: `x.test.ts`, `x.test.tsx`, `x.test.helper.ts`. */
export const hasTestName = (path: string): boolean => /\.test(\.[\w-]+)?\.[cm]?[jt]sx?$/.test(path)

/**
 * The files of a package that serve its tests alone: those named so, and the files of `src/testing` that nothing it
 * exports leads to.
 */
export const testFiles = (from: WorkspacePackage, parse: Parser = createParser()): ReadonlySet<string> => {
  const paths = from.files.map(({ path }) => path)
  const testing = paths.filter(path => path.startsWith('src/testing/'))
  const published = testing.length === 0 ? new Set() : reachable(from, sources(from.manifest.exports), parse)
  return new Set([...paths.filter(hasTestName), ...testing.filter(path => !published.has(path))])
}

/**
 * The files of a package that are bundled into what `imports` names, such as the script of a web page, and serve nothing
 * that it exports.
 */
export const bundledFiles = (from: WorkspacePackage, parse: Parser = createParser()): ReadonlySet<string> => {
  const app = from.files.map(({ path }) => path).filter(path => path.startsWith('src/app/'))
  const bundled = new Set([...reachable(from, sources(from.manifest.imports), parse), ...app])
  if (bundled.size === 0) return bundled
  const exported = reachable(from, sources(from.manifest.exports), parse)
  return new Set([...bundled].filter(path => !exported.has(path)))
}

/** The sources that `exports` or `imports` names. */
const sources = (named: Manifest['exports'] = {}): string[] =>
  Object.values(named)
    .map(target => (typeof target === 'string' ? target : target['sibyl-source']))
    .filter(target => target !== undefined)
    .map(target => posix.normalize(target))

const reachable = ({ files }: WorkspacePackage, from: readonly string[], parse: Parser): ReadonlySet<string> => {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const found = new Set<string>()
  const follow = (path: string): void => {
    const text = texts.get(path)
    if (text === undefined || found.has(path)) return
    found.add(path)
    for (const { specifier } of parse(text, path).imports) {
      if (specifier.startsWith('.')) follow(posix.join(posix.dirname(path), specifier))
    }
  }
  from.forEach(follow)
  return found
}
