import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from './list-files.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { workspaceRoot } from './workspace-root.ts'

/** A package of the workspace, with its TypeScript and JavaScript sources. */
export interface WorkspacePackage {
  /** Relative to the checkout, such as `packages/core`; `.` for the root. */
  readonly folder: string
  readonly manifest: Manifest
  readonly files: readonly SourceFile[]
}

/** One file of TypeScript or JavaScript. */
export interface SourceFile {
  /** Relative to the package, such as `src/index.ts`. */
  readonly path: string
  readonly text: string
}

/**
 * Reads every package of a checkout, the root first; a file belongs to the nearest package.json above it. A folder with npm's
 * lockfile is not in the workspace, and neither are its files.
 *
 * @param root The folder of the checkout. @default this one
 */
export const findPackages = (root = workspaceRoot): WorkspacePackage[] => {
  const paths = listFiles(root)
  const all = paths.filter(path => path.endsWith('/package.json')).map(path => path.slice(0, -'/package.json'.length))
  const outside = all.filter(folder => paths.includes(`${folder}/package-lock.json`))
  const folders = all.filter(folder => !outside.includes(folder))
  const owned = Map.groupBy(
    paths.filter(path => sourceName.test(path) && nearest(outside, path) === '.'),
    path => nearest(folders, path),
  )
  return ['.', ...folders].map(folder => ({
    folder,
    manifest: readManifest(join(root, folder)),
    files: (owned.get(folder) ?? []).map(path => ({
      path: folder === '.' ? path : path.slice(folder.length + 1),
      text: readFileSync(join(root, path), 'utf8'),
    })),
  }))
}

/** `.ts`, `.tsx`, `.mjs` and their relatives. */
const sourceName = /\.[cm]?[jt]sx?$/

const nearest = (folders: readonly string[], path: string): string =>
  folders
    .filter(folder => path.startsWith(`${folder}/`))
    .reduce((longest, folder) => (folder.length > longest.length ? folder : longest), '.')
