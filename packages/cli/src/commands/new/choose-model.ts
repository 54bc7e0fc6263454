import { defaultModel, listModels, type ModelServer, unlistedModel } from '@sibyl/core/start'
import type { Asker } from '../../ask/asker.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { parseOracleUrl } from '../../oracle/oracle-url.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { checks } from './check-answers.ts'
import { usual } from './command-line.ts'

export interface ChosenModel {
  readonly model: string
  /** The address of a model server on this computer. */
  readonly modelUrl?: string | undefined
}

/** A provider that this computer can use, with the models that it lists. */
interface FoundProvider {
  readonly server: ModelServer
  readonly listed: readonly string[]
  /** The reason why it is available. */
  readonly hint: string
  readonly modelUrl?: string
}

const timeLimitMs = 2_000
/** The address of Ollama, unless OLLAMA_HOST sets another one. */
const usualLocal = '127.0.0.1:11434'

/** Asks for the model; providers with a key in the environment, and a model server on this computer, come first. */
export const askForModel = async (asker: Asker, { env }: CommandIo): Promise<ChosenModel> => {
  const found = await findProviders(env)
  const offers = found.flatMap(({ listed, hint, server, modelUrl }) => {
    const model = env.LLM_MODEL || (listed.includes(defaultModel) ? defaultModel : listed.find(isChatModel))
    return model === undefined || !isPlainName(model)
      ? []
      : [{ value: { model, modelUrl }, label: `${model} at ${hostOf(server)}`, hint }]
  })
  const chosen = await asker.select<ChosenModel | 'another'>('Which model answers?', [
    ...offers,
    { value: { model: usual.model }, label: 'offline', hint: 'answers from examples of the plugins; needs no key' },
    { value: 'another', label: 'Another one' },
  ])
  if (chosen !== 'another') return chosen
  const model = (
    await asker.text('Its name, as the provider writes it', { initial: defaultModel, check: checks.model })
  ).trim()
  const unlisted = unlistedIn(found, model)
  if (unlisted === undefined) return { model, modelUrl: modelUrlOf(found, model) }
  const kept = await asker.select(`${unlisted.message}. Which one?`, [
    ...unlisted.near.map(value => ({ value, label: value })),
    { value: model, label: `${model}, as typed` },
  ])
  return { model: kept, modelUrl: modelUrlOf(found, kept) }
}

/**
 * Checks the model of an option with the providers that this computer can use; without one it is accepted.
 *
 * @throws `usage_invalid` when they list models with similar names only
 */
export const checkModelName = async (model: string, { env }: Pick<CommandIo, 'env'>): Promise<void> => {
  const unlisted = model === usual.model ? undefined : unlistedIn(await findProviders(env, false), model)
  if (unlisted === undefined || unlisted.near.length === 0) return
  throw cliErrors.usage_invalid(`--model: ${unlisted.message}.`, `Did you mean ${unlisted.near.join(' or ')}?`)
}

const findProviders = async (env: CommandIo['env'], withLocal = true): Promise<readonly FoundProvider[]> => {
  const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL = '' } = env
  const baseUrl = parseOracleUrl(OPENAI_BASE_URL)
  const local = parseOracleUrl(env.OLLAMA_HOST || usualLocal)
  const [own, ofLocal] = await Promise.all([
    apiKey === '' && baseUrl === undefined
      ? []
      : provider(
          { baseUrl, ...(apiKey === '' ? {} : { apiKey }) },
          `${apiKey === '' ? 'OPENAI_BASE_URL' : 'OPENAI_API_KEY'} is set here`,
        ),
    withLocal && local !== undefined ? provider({ baseUrl: `${local}/v1` }, 'on this computer', `${local}/v1`) : [],
  ])
  return [...own, ...ofLocal]
}

const provider = async (server: ModelServer, hint: string, modelUrl?: string): Promise<readonly FoundProvider[]> => {
  const listed = (await listModels(server, AbortSignal.timeout(timeLimitMs))) ?? []
  if (listed.length === 0) return []
  return [{ server, listed, hint, ...(modelUrl === undefined ? {} : { modelUrl }) }]
}

/** Returns why none of the providers may have a model; undefined if one lists it, or without providers. */
const unlistedIn = (found: readonly FoundProvider[], model: string) => {
  const [first, ...others] = found.map(({ listed, server }) => unlistedModel(model, listed, server))
  return others.includes(undefined) ? undefined : first
}

const modelUrlOf = (found: readonly FoundProvider[], model: string): string | undefined =>
  found.find(({ listed }) => listed.includes(model))?.modelUrl

const isChatModel = (name: string): boolean => isPlainName(name) && !/embed|whisper|tts|rerank/i.test(name)

const isPlainName = (name: string): boolean => name === cleanLine(name) && checks.model(name) === undefined

const hostOf = ({ baseUrl }: ModelServer): string => (baseUrl === undefined ? 'api.openai.com' : new URL(baseUrl).host)
