import { globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { PackageSource } from '../answers/project-facts.ts'

const checkout = fileURLToPath(new URL('../../../../../', import.meta.url))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>
}

/** The packages of this checkout, as they say of themselves; what they need of ours in its version. */
export const workspaceManifests = (): Manifest[] =>
  globSync(['packages/*/package.json', 'packages/{plugins,adapters}/*/package.json'], { cwd: checkout }).map(path => {
    const read: Manifest = JSON.parse(readFileSync(join(checkout, path), 'utf8'))
    const { name, version, dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = read
    const exact = Object.entries(dependencies).map(([to, range]) => [to, range === 'workspace:*' ? version : range])
    return { name, version, dependencies: Object.fromEntries(exact), peerDependencies, peerDependenciesMeta }
  })

/** All packages of this checkout, packed with nothing in them. */
export const emptyPackages = (): PackageSource =>
  new Map(
    workspaceManifests().map(({ name, version }) => [
      name,
      { fileName: tarballName(name, version), content: new Uint8Array() },
    ]),
  )

const tarballName = (name: string, version: string): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`

/**
 * Fills a folder with tarballs that `SIBYL_PACKAGES` takes, at once: each holds the `package.json` of a package of this
 * checkout, and nothing that runs.
 *
 * @returns the folder
 */
export const fakePackages = async (folder: string, manifests = workspaceManifests()): Promise<string> => {
  await mkdir(folder, { recursive: true })
  await Promise.all(
    manifests.map(manifest =>
      writeFile(
        join(folder, tarballName(manifest.name, manifest.version)),
        gzipSync(tarOf('package/package.json', JSON.stringify(manifest))),
      ),
    ),
  )
  return folder
}

/** A POSIX ustar archive of one file. */
export const tarOf = (path: string, text: string): Buffer => {
  const content = Buffer.from(text)
  const header = Buffer.alloc(512)
  header.write(path, 0)
  header.write('0000644', 100)
  header.write(content.length.toString(8).padStart(11, '0'), 124)
  header.write('ustar\x0000', 257)
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512), Buffer.alloc(1024)])
}
