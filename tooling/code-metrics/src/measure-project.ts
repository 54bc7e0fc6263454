import { globSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Manifest, readManifest } from '@sibyl/tooling-source'

/**
 * Measures the production dependencies of a project that `sibyl new` makes, as installed in this checkout: packages of others,
 * and their size in megabytes. Packages for one platform only are left out.
 *
 * @param root The folder of the checkout.
 */
export const measureProject = (root: string): Readonly<Record<'packages' | 'megabytes', number>> => {
  const template = join(root, 'templates/minimal')
  const found = new Map<string, string>()
  const visited = new Set<string>()
  const follow = (folder: string): void => {
    if (visited.has(folder)) return
    visited.add(folder)
    const manifest = readManifest(folder) as Manifest & { os?: unknown; cpu?: unknown }
    if (manifest.os || manifest.cpu) return
    const isOurs = !folder.includes('/node_modules/')
    if (!isOurs) found.set(`${manifest.name}@${manifest.version}`, folder)
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      const target = resolvePackage(folder, name)
      if (target !== undefined) follow(target)
    }
  }
  follow(template)
  const bytes = [...found.values()].reduce((sum, folder) => sum + sizeOf(folder), 0)
  return { packages: found.size, megabytes: Math.ceil(bytes / 1e5) / 10 }
}

/** Returns the folder of a dependency; undefined if it is optional and not installed. */
const resolvePackage = (from: string, name: string): string | undefined => {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (statSync(join(candidate, 'package.json'), { throwIfNoEntry: false })) return realpathSync(candidate)
  }
  return undefined
}

const sizeOf = (folder: string): number =>
  globSync('**/*', { cwd: folder, exclude: path => path === 'node_modules' })
    .map(path => statSync(join(folder, path)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)

/** Returns the number of bytes of the Markdown pages below a folder, or of one page. */
export const measurePages = (root: string, path: string): number =>
  (path.endsWith('.md') ? [path] : globSync(`${path}/**/*.md`, { cwd: root })).reduce(
    (sum, page) => sum + readFileSync(join(root, page)).length,
    0,
  )
