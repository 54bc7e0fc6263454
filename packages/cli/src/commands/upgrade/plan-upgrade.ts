import { createHash } from 'node:crypto'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import type { PackageSource, PackedPackage } from '../../scaffold/answers/project-facts.ts'
import { tarballDigest } from '../../scaffold/packages/tarball-files.ts'
import { editWorkspace, workspaceLine } from '../../scaffold/render/edit-workspace.ts'
import { renderJson, vendored } from '../../scaffold/render/render-manifest.ts'

/** The files of a project that list its packages. */
export interface ProjectTexts {
  readonly manifest: string
  /** `pnpm-workspace.yaml`, if any. */
  readonly workspace: string | undefined
}

/** Names of packages by the member of `package.json` that lists them. */
export type NeededPackages = Readonly<Partial<Record<'dependencies' | 'devDependencies', readonly string[]>>>

export interface UpgradePlan extends ProjectTexts {
  readonly added: readonly PackedPackage[]
  /** The names of tarballs in `vendor/` that are no longer needed. */
  readonly removed: readonly string[]
  readonly changes: readonly { readonly name: string; readonly from: string | undefined; readonly to: string }[]
}

const manifestShape = z.looseObject({
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
  overrides: z.record(z.string(), z.unknown()).optional(),
  resolutions: z.record(z.string(), z.unknown()).optional(),
})

const place = /^file:(?:\.\/)?vendor\/([\w@+-][\w.@+-]*\.tgz)$/

/** Reads the packed packages that a project depends on, from `package.json` and `pnpm-workspace.yaml`. */
export const readVendored = (texts: ProjectTexts): { direct: string[]; files: ReadonlyMap<string, string> } => {
  const manifest = manifestShape.safeParse(parseJson(texts.manifest)).data ?? {}
  const direct = fromVendor({ ...manifest.dependencies, ...manifest.devDependencies })
  const lines = [...(texts.workspace ?? '').matchAll(workspaceLine)].map(([, name, file]) => [name!, file!])
  const overridden = { ...manifest.overrides, ...manifest.resolutions, ...Object.fromEntries(lines) }
  return { direct: [...direct.keys()], files: new Map([...direct, ...fromVendor(overridden)]) }
}

const fromVendor = (specifiers: Readonly<Record<string, unknown>>): Map<string, string> =>
  new Map(
    Object.entries(specifiers).flatMap(([name, specifier]) => {
      const file = typeof specifier === 'string' ? place.exec(specifier)?.[1] : undefined
      return file === undefined || !name.startsWith('@sibyl/') ? [] : [[name, file] as const]
    }),
  )

/**
 * Plans the upgrade of a project to other packages.
 *
 * @param kept Returns the content of a tarball in `vendor/` by its name, if it exists.
 * @param needed Packages that every project depends on, by the members of `package.json` that receive missing ones.
 */
export const planUpgrade = async (
  texts: ProjectTexts,
  packages: PackageSource,
  kept: (fileName: string) => Uint8Array | undefined,
  needed: NeededPackages = {},
): Promise<UpgradePlan> => {
  const { files: before } = readVendored(texts)
  const after = new Map<string, PackedPackage>()
  for (const [name, packed] of packages) {
    const current = before.get(name)
    const content = current === undefined ? undefined : kept(current)
    const isSame = content !== undefined && (await hasSameFiles(content, packed.content))
    after.set(name, isSame ? { ...packed, fileName: current! } : { ...packed, fileName: freeName(packed, kept) })
  }
  const changed = [...after].filter(([name, { fileName }]) => before.get(name) !== fileName)
  const stays = new Set([...after.values()].map(({ fileName }) => fileName))
  return {
    manifest: editManifest(texts.manifest, after, needed),
    workspace: texts.workspace === undefined ? undefined : editWorkspace(texts.workspace, after),
    added: changed.map(([, packed]) => packed),
    removed: [...new Set(before.values())].filter(file => !stays.has(file)),
    changes: changed.map(([name, { fileName }]) => ({ name, from: before.get(name), to: fileName })),
  }
}

/** Compares the files of two tarballs: other programs pack the same files to other bytes. */
const hasSameFiles = async (one: Uint8Array, other: Uint8Array): Promise<boolean> => {
  if (Buffer.compare(one, other) === 0) return true
  const digest = await tarballDigest(one)
  return digest !== undefined && digest === (await tarballDigest(other))
}

/** Returns a name for a tarball: lockfiles store a hash for each path, so that other bytes need another name. */
const freeName = ({ fileName, content }: PackedPackage, kept: (fileName: string) => unknown): string => {
  if (kept(fileName) === undefined) return fileName
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
  return fileName.replace(/\.tgz$/, `-${hash}.tgz`)
}

const editManifest = (text: string, after: ReadonlyMap<string, PackedPackage>, needed: NeededPackages): string => {
  const given = parseJson(text)
  const manifest = manifestShape.parse(given)
  const direct = { ...manifest.dependencies, ...manifest.devDependencies }
  const renewed = (specifiers: Readonly<Record<string, unknown>>, isWhole: boolean, added: readonly string[]) => {
    const own = fromVendor(specifiers)
    const kept = Object.entries(specifiers).filter(([name]) => !own.has(name) || after.has(name))
    const names = [...(isWhole ? after.keys() : added)].filter(
      name => after.has(name) && !Object.hasOwn(specifiers, name),
    )
    const all = [...kept, ...names.map(name => [name, ''] as const)]
    const isRenewed = (name: string) => isWhole || own.has(name) || names.includes(name)
    const wasSorted = kept.every(([name], at) => at === 0 || kept[at - 1]![0] < name)
    if (wasSorted) all.sort(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(
      all.map(([name, value]) => {
        const packed = isRenewed(name) ? after.get(name) : undefined
        return [name, packed === undefined ? value : vendored(packed.fileName)]
      }),
    )
  }
  const sections = {
    dependencies: false,
    devDependencies: false,
    overrides: true,
    resolutions: true,
  } as const
  const missing = new Map(
    Object.entries(needed)
      .map(([key, names]) => [key, names.filter(name => !Object.hasOwn(direct, name))] as const)
      .filter(([, names]) => names.length > 0),
  )
  const added = Object.fromEntries([...missing.keys()].map(key => [key, {}]))
  // The parsed manifest has its keys in the order of the schema.
  const edited = Object.entries({ ...(given as object), ...added, ...(given as object) }).map(([key, value]) => {
    const isWhole = sections[key as keyof typeof sections]
    if (isWhole === undefined) return [key, value]
    return [key, renewed(value as Readonly<Record<string, unknown>>, isWhole, missing.get(key) ?? [])]
  })
  const [, indent = '  '] = /^([\t ]+)"/m.exec(text) ?? []
  return renderJson(Object.fromEntries(edited), indent)
}
