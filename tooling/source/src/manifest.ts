import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The members of a package.json for the checks. */
export interface Manifest {
  readonly name: string
  readonly version?: string
  readonly description?: string
  readonly license?: string
  readonly private?: boolean
  readonly engines?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly imports?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>> }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>
}

/** Reads the package.json of a folder. */
export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
