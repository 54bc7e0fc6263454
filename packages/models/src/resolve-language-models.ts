import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Logger } from '@sibyl/plugin'
import { silentLogger, withoutUndefined } from '@sibyl/plugin/host'
import { boundedFetch } from './calls/bounded-fetch.ts'
import { CircuitBreaker } from './calls/circuit-breaker.ts'
import { guardModel, type ModelGuard } from './calls/guard-model.ts'
import { defaultModelCallLimits } from './calls/model-call-limits.ts'
import { type Pace, systemPace } from './calls/pace.ts'
import { compatibleFetch } from './compatible/compatible-fetch.ts'
import { compatibleSettings } from './compatible/plain-content.ts'
import { ModelNotConfigured } from './failures/model-not-configured.ts'
import type { ProviderVariables } from './failures/upstream-reason.ts'
import { unlistedText } from './listed-models.ts'
import { type ModelInput, modelInputsOf } from './model-inputs.ts'
import {
  asCurrentVersion,
  findProviderPackage,
  type GivenLanguageModel,
  loadProviderModel,
  variablesOfPackage,
} from './provider-package.ts'

/** The variables that choose the language models, as `coreEnvSchema` parsed them. */
export interface LanguageModelEnv {
  readonly NODE_ENV?: string | undefined
  /** `openai`, `openai-compatible`, `offline`, or the name of an AI SDK provider's package. */
  readonly LLM_PROVIDER?: string | undefined
  readonly LLM_MODEL?: string | undefined
  /** Kinds of files that the model takes. @default those of the provider's models */
  readonly LLM_INPUTS?: readonly ModelInput[] | undefined
  /** @default LLM_MODEL */
  readonly LLM_UTILITY_MODEL?: string | undefined
  readonly OPENAI_API_KEY?: string | undefined
  readonly OPENAI_BASE_URL?: string | undefined
  /** Sent with every request of both. */
  readonly OPENAI_EXTRA_HEADERS?: Readonly<Record<string, string>> | undefined
  /** @default 60 */
  readonly LLM_FIRST_BYTE_TIMEOUT_SECONDS?: number | undefined
  /** @default 60 */
  readonly LLM_STALL_TIMEOUT_SECONDS?: number | undefined
  /** @default 3 */
  readonly LLM_MAX_RETRIES?: number | undefined
}

export interface ModelCallServices {
  /** @default none */
  readonly log?: Logger
  /** @default the computer's own time and chance */
  readonly pace?: Pace
  /** Where the package of a provider is looked for. @default the working directory */
  readonly folder?: string
}

export interface ModelCallBounds {
  /** When the caller stops waiting, in milliseconds since 1970: there are no retries after it. */
  readonly endsAt?: number
}

/** A variable that does not go with the others. */
export interface ModelProblem {
  readonly variable: string
  /** The error and the remedy; never a value. */
  readonly message: string
}

/** The language models of an oracle. */
export interface LanguageModels {
  /** Without a model the oracle boots all the same: routes work, a chat is refused with 503 `model_not_configured`. */
  readonly state: 'ready' | 'not-configured'
  /** The name of the main model in messages: 'gpt-5-mini', 'offline'. */
  readonly name: string
  readonly problems: readonly ModelProblem[]
  /** Kinds of files that the main model takes; it gets text instead of others. */
  readonly inputs: ReadonlySet<ModelInput>
  /** The model that answers people. Rejects with `model_not_configured`. */
  main(bounds?: ModelCallBounds): Promise<LanguageModelV4>
  /** Returns another model of the same provider; missing if the provider has no others. */
  named?(modelId: string, bounds?: ModelCallBounds): Promise<LanguageModelV4>
  /** Returns the model for small tasks; by default the main one. Rejects with `model_not_configured`. */
  utility(bounds?: ModelCallBounds): Promise<LanguageModelV4>
  /** One line for the boot log, without the key. */
  describe(): string
  /**
   * Requests the list of models once, and returns a warning if the provider lists the model under another name.
   * Missing if the provider has no list.
   */
  unlisted?(signal: AbortSignal): Promise<string | undefined>
  /** Returns the state of the circuit breaker; missing if no model is guarded. */
  circuit?(): 'closed' | 'open' | 'half-open'
}

/** The model when `LLM_MODEL` is not set: calls tools well, answers fast, costs little. */
export const defaultModel = 'gpt-5-mini'

type Connect = (modelId: string) => Promise<LanguageModelV4>

/**
 * Chooses the language models by the environment.
 *
 * `LLM_PROVIDER` decides; where it is not set, `OPENAI_BASE_URL` means a server of that kind, `OPENAI_API_KEY` alone
 * means OpenAI, and neither means the offline model, in production none. A `LLM_MODEL` of `offline` names no model of a provider. `openai` speaks the Responses API,
 * `openai-compatible` chat completions at `OPENAI_BASE_URL`. Any other name is that of an installed package of the AI SDK, such as
 * `@ai-sdk/anthropic`, loaded on first use. Every call of a provider is guarded, see `guardModel`; both models share its circuit breaker.
 *
 * @param offline Makes the offline model.
 */
export const resolveLanguageModels = (
  env: LanguageModelEnv,
  offline: () => LanguageModelV4 | Promise<LanguageModelV4>,
  services: ModelCallServices = {},
): LanguageModels => {
  const provider = env.LLM_PROVIDER ?? defaultProvider(env)
  switch (provider) {
    case 'offline':
      return ready(
        'offline',
        'offline: answers from the examples of the plugins; set OPENAI_API_KEY for a real model',
        {
          main: once(async () => offline()),
          inputs: inputsOf(env, 'offline'),
        },
      )
    case 'openai':
      if (env.OPENAI_API_KEY === undefined) {
        return missing('OPENAI_API_KEY', 'is not set, and LLM_PROVIDER is openai. Set it, or set LLM_PROVIDER=offline.')
      }
      return connected('openai', env, connectOpenAi(env), services)
    case 'openai-compatible':
      if (env.OPENAI_BASE_URL === undefined) {
        return missing(
          'OPENAI_BASE_URL',
          'is not set, and LLM_PROVIDER is openai-compatible. Set it to the address of the server, such as http://localhost:11434/v1.',
        )
      }
      return connected('openai-compatible', env, connectCompatible(env.OPENAI_BASE_URL, env, services.log), services)
    case undefined:
      return notConfigured('set OPENAI_API_KEY, or OPENAI_BASE_URL for your own server, or LLM_PROVIDER=offline', [])
    default:
      return ofPackage(provider, env, services)
  }
}

const ofPackage = (name: string, env: LanguageModelEnv, services: ModelCallServices): LanguageModels => {
  const file = findProviderPackage(name, services.folder ?? process.cwd())
  if (file === undefined) {
    return missing(
      'LLM_PROVIDER',
      `names the package ${name}, which is not installed. Run npm install ${name}, or set openai, openai-compatible or offline.`,
    )
  }
  if (chosen(env.LLM_MODEL) === undefined) {
    return missing('LLM_MODEL', `is not set, and LLM_PROVIDER is ${name}. Set it to a model of that provider.`)
  }
  return connected(name, env, modelId => loadProviderModel(name, file, modelId), services, {
    ...variablesOfPackage(file),
    model: 'LLM_MODEL',
  })
}

const defaultProvider = ({
  NODE_ENV,
  OPENAI_API_KEY,
  OPENAI_BASE_URL,
}: LanguageModelEnv): LanguageModelEnv['LLM_PROVIDER'] => {
  if (OPENAI_BASE_URL !== undefined) return 'openai-compatible'
  if (OPENAI_API_KEY !== undefined) return 'openai'
  return NODE_ENV === 'production' ? undefined : 'offline'
}

const connectOpenAi =
  ({ OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_EXTRA_HEADERS: headers }: LanguageModelEnv): Connect =>
  async modelId => {
    const { createOpenAI } = await import('@ai-sdk/openai')
    const given = { apiKey, baseURL, headers }
    return createOpenAI({ fetch: boundedFetch(), ...withoutUndefined(given) })(modelId)
  }

const connectCompatible = (
  baseURL: string,
  { OPENAI_API_KEY: apiKey, OPENAI_EXTRA_HEADERS: headers }: LanguageModelEnv,
  log: Logger = silentLogger,
): Connect => {
  const send = compatibleFetch(boundedFetch(), log)
  return async modelId => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const settings = { ...compatibleSettings, baseURL, fetch: send }
    return createOpenAICompatible({ ...settings, ...withoutUndefined({ apiKey, headers }) })(modelId)
  }
}

/** The model that the oracle was given, guarded like any other. */
export const givenLanguageModel = (
  model: GivenLanguageModel,
  env: LanguageModelEnv,
  services: ModelCallServices = {},
): LanguageModels =>
  ready(model.modelId, `${model.provider} ${model.modelId}, passed to createOracleApp`, {
    main: guarded(() => asCurrentVersion(model), makeGuard(env, services, false)),
    inputs: inputsOf(env, model.provider),
  })

/** The variables of `openai` and `openai-compatible`. */
const openAiVariables: ProviderVariables = { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL', model: 'LLM_MODEL' }

/** A project has its model in a file, which the variable overrides. */
const modelSetting = 'LLM_MODEL, or model in oracle.config.json,'

const connected = (
  provider: string,
  env: LanguageModelEnv,
  connect: Connect,
  services: ModelCallServices,
  variables: ProviderVariables = openAiVariables,
): LanguageModels => {
  const main = chosen(env.LLM_MODEL) ?? defaultModel
  const utility = chosen(env.LLM_UTILITY_MODEL) ?? main
  const host = env.OPENAI_BASE_URL === undefined ? '' : ` at ${new URL(env.OPENAI_BASE_URL).host}`
  const tasks = utility === main ? '' : `, ${utility} for small tasks`
  const guard = { ...makeGuard(env, services, provider === 'openai-compatible'), variables }
  const models = ready(main, `${provider} ${main}${host}${tasks}`, {
    main: guarded(() => connect(main), guard),
    inputs: inputsOf(env, provider),
    ...(utility === main ? {} : { utility: guarded(() => connect(utility), guard) }),
  })
  const named = (modelId: string, bounds?: ModelCallBounds) => guarded(() => connect(modelId), guard)(bounds)
  const own = { ...models, named, circuit: () => guard.breaker.state }
  if (variables !== openAiVariables) return own
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_EXTRA_HEADERS: headers } = env
  return {
    ...own,
    unlisted: signal =>
      unlistedText({ baseUrl, apiKey, headers }, { [modelSetting]: main, LLM_UTILITY_MODEL: utility }, signal),
  }
}

/**
 * Returns the chosen model; the placeholder of `sibyl new` counts as none, so that a key alone selects a real model.
 */
const chosen = (model: string | undefined): string | undefined => (model === 'offline' ? undefined : model)

const makeGuard = (
  env: LanguageModelEnv,
  { log = silentLogger, pace = systemPace() }: ModelCallServices,
  readsChunks: boolean,
): ModelGuard => ({
  limits: {
    firstByteMs: secondsToMs(env.LLM_FIRST_BYTE_TIMEOUT_SECONDS) ?? defaultModelCallLimits.firstByteMs,
    stallMs: secondsToMs(env.LLM_STALL_TIMEOUT_SECONDS) ?? defaultModelCallLimits.stallMs,
    maxRetries: env.LLM_MAX_RETRIES ?? defaultModelCallLimits.maxRetries,
  },
  breaker: new CircuitBreaker({
    now: () => pace.stopwatch(),
    changed: state =>
      state === 'open'
        ? log.warn('the language model fails repeatedly; calls are paused')
        : log.info('the language model answers again'),
  }),
  pace,
  log,
  readsChunks,
})

const secondsToMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000

type MakeModel = (bounds?: ModelCallBounds) => Promise<LanguageModelV4>

const guarded = (make: () => Promise<LanguageModelV4>, guard: ModelGuard): MakeModel => {
  const model = once(make)
  const unbounded = once(async () => guardModel(await model(), guard))
  return async bounds =>
    bounds?.endsAt === undefined ? unbounded() : guardModel(await model(), { ...guard, ...bounds })
}

const inputsOf = ({ LLM_INPUTS }: LanguageModelEnv, provider: string): ReadonlySet<ModelInput> =>
  LLM_INPUTS ? new Set(LLM_INPUTS) : modelInputsOf(provider)

interface Makers {
  readonly main: MakeModel
  readonly inputs: ReadonlySet<ModelInput>
  /** @default main */
  readonly utility?: MakeModel
}

const ready = (name: string, description: string, { main, inputs, utility = main }: Makers): LanguageModels => ({
  state: 'ready',
  name,
  problems: [],
  inputs,
  main,
  utility,
  describe: () => description,
})

const missing = (variable: string, message: string): LanguageModels =>
  notConfigured(`${variable} ${message}`, [{ variable, message }])

const notConfigured = (remedy: string, problems: readonly ModelProblem[]): LanguageModels => {
  const refuse = () => Promise.reject(new ModelNotConfigured(remedy))
  return {
    state: 'not-configured',
    name: 'none',
    problems,
    inputs: new Set(),
    main: refuse,
    utility: refuse,
    describe: () => `not configured: ${remedy}`,
  }
}

const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}
