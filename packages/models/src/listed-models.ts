import { nearNames } from '@sibyl/plugin'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'

/** A provider that speaks OpenAI's API. */
export interface ModelServer {
  /** @default that of OpenAI */
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const usualBaseUrl = 'https://api.openai.com/v1'
const maxBytes = 4_000_000
const maxModels = 5_000
const modelId = z.string().max(200)
const modelList = z.object({ data: z.array(z.object({ id: z.string() })).max(maxModels) })

/**
 * Reads the list of models of a provider, once.
 *
 * @returns undefined if it is unreachable, rejects the key, answers late or in another form
 */
export const listModels = async (
  { baseUrl = usualBaseUrl, apiKey, headers }: ModelServer,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> => {
  try {
    const authorization = apiKey === undefined ? undefined : { authorization: `Bearer ${apiKey}` }
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers: { ...headers, ...authorization },
      redirect: 'manual',
      signal,
    })
    const text = response.ok ? await readText(response) : await response.body?.cancel()
    const { data } = modelList.safeParse(text === undefined ? undefined : parseJson(text))
    return data?.data.flatMap(({ id }) => (modelId.safeParse(id).success ? [id] : []))
  } catch {
    return undefined
  }
}

const readText = async (response: Response): Promise<string | undefined> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxBytes) return undefined
  }
  return text
}

/**
 * Returns why a model is probably wrong: one that a provider does not list, with similar names.
 *
 * @returns undefined if it is listed, or the provider lists none; Ollama lists `llama3.2` as `llama3.2:latest`
 */
export const unlistedModel = (
  model: string,
  listed: readonly string[],
  { baseUrl = usualBaseUrl }: Pick<ModelServer, 'baseUrl'>,
): { readonly message: string; readonly near: readonly string[] } | undefined => {
  if (listed.length === 0 || listed.includes(model) || listed.includes(`${model}:latest`)) return undefined
  const similar = nearNames(model, listed)
  const near = similar.length === 0 && listed.length <= 3 ? listed : similar
  return { message: `${new URL(baseUrl).host} does not list the model ${model}`, near }
}

/** Returns a warning about the first variable with a model that its provider does not list; undefined if all are listed. */
export const unlistedText = async (
  server: ModelServer,
  models: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const listed = (await listModels(server, signal)) ?? []
  for (const [variable, model] of Object.entries(models)) {
    const unlisted = unlistedModel(model, listed, server)
    if (unlisted) return `${unlisted.message}; set ${variable} to ${unlisted.near.join(', ') || 'one that it lists'}`
  }
  return undefined
}
