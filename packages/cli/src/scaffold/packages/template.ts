import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TemplateName } from '../answers/scaffold-answers.ts'
import { findCheckout, listFiles } from './find-checkout.ts'

export interface Template {
  readonly manifest: TemplateManifest
  /** All other files that are copied: path, relative to the project and with `/`, to text. */
  readonly files: Readonly<Record<string, string>>
  /** Files of `examples/deploy` from which those of `deploy` are rendered. */
  readonly deploy: Readonly<Record<(typeof deployFiles)[number], string>>
}

const deployFiles = ['oracle.service', 'compose.yaml', 'kubernetes.yaml', 'Caddyfile'] as const

/** The `package.json` of a template. Versions are exact; those of @sibyl packages are `workspace:*`. */
interface TemplateManifest {
  readonly engines: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Reads a template: from the checkout of this command, else from the package. */
export const readTemplate = async (name: TemplateName): Promise<Template> => {
  const checkout = findCheckout()
  if (checkout !== undefined) return readTemplateSources(checkout, name)
  return JSON.parse(await readFile(new URL(`./templates/${name}.json`, import.meta.url), 'utf8'))
}

/** Reads a template from `templates/` of a checkout; `catalog:` becomes the version in `pnpm-workspace.yaml`. */
export const readTemplateSources = async (checkout: string, name: TemplateName): Promise<Template> => {
  const folder = join(checkout, 'templates', name)
  const workspace = await readFile(join(checkout, 'pnpm-workspace.yaml'), 'utf8')
  const catalog = Object.fromEntries(
    [...workspace.matchAll(/^ {2}["']?([^"':\s]+)["']?: (\d\S*)$/gm)].map(([, dependency, version]) => [
      dependency,
      version,
    ]),
  )
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as TemplateManifest
  const exact = (dependencies: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([dependency, range]) => [
        dependency,
        range === 'catalog:' ? (catalog[dependency] ?? range) : range,
      ]),
    )
  const paths = await listFiles(folder, ['src/**/*.ts', 'web/**/*'])
  const read = (from: string, paths: readonly string[]) =>
    Promise.all(paths.map(async path => [path, await readFile(join(from, path), 'utf8')] as const))
  return {
    manifest: {
      engines: manifest.engines,
      scripts: manifest.scripts,
      dependencies: exact(manifest.dependencies),
      devDependencies: exact(manifest.devDependencies),
    },
    files: Object.fromEntries(await read(folder, paths)),
    deploy: Object.fromEntries(await read(join(checkout, 'examples/deploy'), deployFiles)) as Template['deploy'],
  }
}
