import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { z } from 'zod'
import type { ProviderVariables } from './failures/upstream-reason.ts'

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

/** A language model of any version of the provider interface that the AI SDK takes. */
export type GivenLanguageModel = LanguageModelV4 | LanguageModelV3 | LanguageModelV2

/** Returns a model as the current version of the interface; one of an earlier version is wrapped. */
export const asCurrentVersion = async (model: GivenLanguageModel): Promise<LanguageModelV4> => {
  if (model.specificationVersion === 'v4') return model
  const { wrapLanguageModel } = await import('ai')
  return wrapLanguageModel({ model, middleware: [] })
}

/** A provider of the AI SDK, as its packages export it. */
interface Provider {
  languageModel(modelId: string): GivenLanguageModel
}

/** More of a package's file is not searched for the names of variables, in characters. */
const maxSearched = 4_000_000

/**
 * Returns the variables that a provider's package reads its key and its address from, by what its file passes to the functions of the
 * AI SDK that read them: `environmentVariableName: 'ANTHROPIC_API_KEY'`.
 *
 * @param file as `findProviderPackage` found it
 */
export const variablesOfPackage = (file: string): ProviderVariables => {
  const text = readText(file)?.slice(0, maxSearched) ?? ''
  const names = [...text.matchAll(/environmentVariableName:\s*["'`]([A-Z][A-Z0-9_]{2,80})["'`]/g)].flatMap(
    ([, name]) => (name === undefined ? [] : [name]),
  )
  const key = names.find(name => /(API_KEY|TOKEN|ACCESS_KEY_ID)$/.test(name))
  const address = names.find(name => /(BASE_URL|ENDPOINT)$/.test(name))
  return { key, address }
}

/**
 * Loads a model of an AI SDK provider, of this version of the provider interface or of the two before. The provider is what the package exports with a `languageModel`; it reads its key from its own
 * variable, such as `ANTHROPIC_API_KEY`.
 *
 * @param file as `findProviderPackage` found it
 * @throws Error where the package has no provider of a version of the AI SDK that is known
 */
export const loadProviderModel = async (name: string, file: string, modelId: string): Promise<LanguageModelV4> => {
  const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href)
  const provider = Object.values(exported).find(isProvider)
  const model = provider?.languageModel(modelId)
  if (isModel(model)) return asCurrentVersion(model)
  throw new Error(`The package ${name} does not support version 5, 6 or 7 of the AI SDK. Install its latest version.`)
}

const isModel = (model: GivenLanguageModel | undefined): model is GivenLanguageModel =>
  model !== undefined && ['v2', 'v3', 'v4'].includes(model.specificationVersion)

const isProvider = (value: unknown): value is Provider =>
  (typeof value === 'function' || (typeof value === 'object' && value !== null)) &&
  typeof (value as Partial<Provider>).languageModel === 'function'
