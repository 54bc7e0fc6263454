import { defaultModel, unlistedModel } from '@sibyl/core/start'
import { z } from 'zod'
import { cleanLine } from '../../../output/clean-text.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'

const usualBaseUrl = 'https://api.openai.com/v1'
const modelList = z.object({ data: z.array(z.object({ id: z.string() })) })

/**
 * Checks whether a language model is set; with `--online` also whether its provider accepts the key and lists the
 * model.
 */
export const checkModel = async (context: DoctorContext): Promise<Finding[]> => {
  if (!context.project) return []
  const { ok, warn, fail } = findingsOf('Services', 'model')
  const oracle = (await context.inspection)?.oracle
  const key = context.setting('OPENAI_API_KEY')
  const base = context.setting('OPENAI_BASE_URL')
  const given = context.setting('LLM_PROVIDER')
  const provider = given ?? (base === undefined ? (key === undefined ? 'offline' : 'openai') : 'openai-compatible')
  const isProduction = (oracle?.environment ?? context.setting('NODE_ENV')) === 'production'
  const how = 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for your own server.'
  if (provider === 'offline') {
    if (!isProduction) return [ok('the offline model answers from the examples of the plugins')]
    if (given === undefined) return [fail('No language model is set in production, so chat fails.', how)]
    return [warn('The offline model is in use in production.', how)]
  }
  if (provider === 'openai' && key === undefined) return [fail('OPENAI_API_KEY is blank.', how)]
  const title = cleanLine(oracle?.model ?? provider)
  if (provider !== 'openai' && provider !== 'openai-compatible') return [ok(title)]
  if (!context.online) return [ok(`${title}; sibyl doctor --online tests it`)]
  return [await readModels(title, (base ?? usualBaseUrl).replace(/\/+$/, ''), key, context)]
}

const readModels = async (
  title: string,
  base: string,
  key: string | undefined,
  { send, setting }: DoctorContext,
): Promise<Finding> => {
  const { ok, warn, fail } = findingsOf('Services', 'model')
  const host = URL.canParse(base) ? new URL(base).host : 'OPENAI_BASE_URL'
  const reply = await send(`${base}/models`, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })
  if (reply.kind === 'silent') {
    return fail(
      `The model provider ${host} does not respond (${reply.reason}).`,
      'Check OPENAI_BASE_URL and the network.',
    )
  }
  if (reply.status === 401 || reply.status === 403) {
    return fail(`${host} rejects the key (status ${reply.status}).`, 'Set OPENAI_API_KEY to a valid key.')
  }
  const list = modelList.safeParse(reply.json).data
  if (reply.status !== 200 || !list) {
    return warn(
      `${host} did not list its models (status ${reply.status}).`,
      'Check OPENAI_BASE_URL: it often ends with /v1.',
    )
  }
  const model = setting('LLM_MODEL')
  const listed = list.data.map(({ id }) => cleanLine(id))
  const unlisted = unlistedModel(model === undefined || model === 'offline' ? defaultModel : model, listed, {
    baseUrl: base,
  })
  if (unlisted) {
    const one = unlisted.near.join(', ') || 'a listed model'
    return warn(`${cleanLine(unlisted.message)}.`, `Set LLM_MODEL to ${one}.`)
  }
  return ok(`${title}: ${host} accepts the key`)
}
