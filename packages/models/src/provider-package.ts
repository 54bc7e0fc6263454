import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { z } from 'zod'

/** A name that stands for a package: with a scope, or with a hyphen. */
export const providerPackageName = /^(@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*|[a-z0-9][a-z0-9._]*(-[a-z0-9._]+)+)$/

const target: z.ZodType<string | undefined> = z.lazy(() =>
  z.union([
    z.string(),
    z
      .looseObject({ node: target.optional(), import: target.optional(), default: target.optional() })
      .transform(by => by.node ?? by.import ?? by.default),
  ]),
)
const manifestSchema = z.looseObject({
  exports: z.union([z.looseObject({ '.': target }).transform(by => by['.']), target]).optional(),
  module: z.string().optional(),
  main: z.string().optional(),
})

/**
 * Finds a package among those installed for a project: in the `node_modules` of its folder or of one above it.
 *
 * @returns the file that it is imported by; undefined where it is not installed
 */
export const findProviderPackage = (name: string, folder: string): string | undefined => {
  const home = join(folder, 'node_modules', name)
  const text = readText(join(home, 'package.json'))
  if (text !== undefined) {
    const { data } = manifestSchema.safeParse(JSON.parse(text))
    return join(home, data?.exports ?? data?.module ?? data?.main ?? 'index.js')
  }
  const above = dirname(folder)
  return above === folder ? undefined : findProviderPackage(name, above)
}

const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** A provider of the AI SDK, as its packages export it. */
interface Provider {
  languageModel(modelId: string): LanguageModelV4
}

/**
 * Loads a model of an AI SDK provider. The provider is what the package exports with a `languageModel`; it reads its key from its own
 * variable, such as `ANTHROPIC_API_KEY`.
 *
 * @param file as `findProviderPackage` found it
 * @throws Error where the package has no provider of this version of the AI SDK
 */
export const loadProviderModel = async (name: string, file: string, modelId: string): Promise<LanguageModelV4> => {
  const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href)
  const provider = Object.values(exported).find(isProvider)
  const model = provider?.languageModel(modelId)
  if (model?.specificationVersion === 'v4') return model
  throw new Error(`The package ${name} does not support version 7 of the AI SDK. Install its latest version.`)
}

const isProvider = (value: unknown): value is Provider =>
  (typeof value === 'function' || (typeof value === 'object' && value !== null)) &&
  typeof (value as Partial<Provider>).languageModel === 'function'
