import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inRange } from './semver-range.ts'

/** A range of versions in a file of a project that excludes the version of core. */
export interface OutdatedRange {
  /** Relative to the project, with `/`. */
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly range: string
  /** The name of the plugin; undefined in a `package.json`. */
  readonly plugin: string | undefined
}

const maxFiles = 2_000
/** Files of a program that is written by hand are smaller. */
const maxBytes = 512 * 1024
const foreignFolders = ['node_modules', 'dist', 'vendor']

const definition = /\bdefinePlugin\b[^(\n]{0,200}\(([\s\S]{0,4000}?)\bcore:\s*(['"`])([^'"`\n]{1,200})\2/g
const dependency = /"@sibyl\/[\w-]+":\s*"([^"\n]{1,200})"/g

/**
 * Finds the ranges in the sources of a project that exclude a version: `core` of its own plugins, and those of
 * `@sibyl` packages in `package.json`. Ranges that are not literals remain unknown.
 */
export const outdatedRanges = (folder: string, version: string): OutdatedRange[] =>
  sourcesIn(folder).flatMap(file => {
    const text = readText(file)
    const isManifest = file.endsWith('package.json')
    return [...text.matchAll(isManifest ? dependency : definition)].flatMap(
      ({ 0: whole, 1: first = '', 3: core, index }) => {
        const range = core ?? first
        if (inRange(version, range) !== false) return []
        const line = text.slice(0, index + whole.length).split('\n').length
        const plugin = isManifest ? undefined : /\bname:\s*['"`]([^'"`\n]{1,40})/.exec(first)?.[1]
        return [{ path: relative(folder, file).replaceAll('\\', '/'), line, range, plugin }]
      },
    )
  })

const sourcesIn = (folder: string): string[] => {
  // Another folder, such as `/`, may have any number of files.
  if (!existsSync(join(folder, 'package.json'))) return []
  const entries = globSync(['**/*.{ts,mts,tsx,js,mjs}', '**/package.json'], {
    cwd: folder,
    exclude: ({ name }) => foreignFolders.includes(name) || name.startsWith('.'),
    withFileTypes: true,
  })
  const files = entries.filter(entry => entry.isFile()).slice(0, maxFiles)
  return files.map(({ parentPath, name }) => join(parentPath, name))
}

const readText = (file: string): string => {
  try {
    return statSync(file).size > maxBytes ? '' : readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
