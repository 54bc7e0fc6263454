import type { OracleApp, OracleAppOptions } from '@sibyl/core'
import { createOfflineModel, expectedCalls, type SampleValues } from '@sibyl/models'
import { isBootError, type OraclePlugin, type Tools } from '@sibyl/plugin'
import { envMeta, loadMode } from '@sibyl/plugin/host'
import { z } from 'zod'
import { capture } from './capture-plugin.ts'
import { testApp } from './test-app.ts'

/** One check of the conformance suite. */
export interface PluginCheck {
  readonly name: string
  /** Rejects with what is wrong. */
  run(): Promise<void>
}

/** Options of `checkPlugin`. */
export interface CheckPluginOptions {
  /** Variables that make it load. @default none */
  readonly env?: OracleAppOptions['env']
  /** Other plugins that it requires. */
  readonly with?: readonly (() => OraclePlugin)[]
  /** Values for placeholders in the examples, where the general ones do not fit the tool's input. */
  readonly samples?: SampleValues
}

/**
 * Returns the conformance checks of a plugin: manifest, examples, variables, tools, routes, isolation.
 *
 * @param make Creates the plugin; two instances must not share state.
 * @example describe('weather', () => {
 * for (const check of checkPlugin(() => weather())) test(check.name, check.run) })
 */
export const checkPlugin = (make: () => OraclePlugin, options: CheckPluginOptions = {}): PluginCheck[] => [
  { name: 'boots, describes itself, and can be closed twice', run: () => bootsAndEnds(make, options) },
  { name: 'is excluded when an opt-in variable is blank', run: () => isExcluded(make, options) },
  { name: 'describes every variable', run: async () => describesVariables(make()) },
  { name: 'describes its tools so that a model can call them', run: () => describesTools(make, options) },
  { name: 'leads the offline model from each example to its own tool', run: () => examplesLead(make, options) },
  { name: 'rejects requests without credentials on its protected routes', run: () => routesAreLocked(make, options) },
  { name: 'describes its routes in the OpenAPI document', run: () => describesRoutes(make, options) },
  { name: 'prefixes its tables with its name', run: () => tablesAreOwn(make, options) },
]

/** The parts of an oracle's OpenAPI document that are checked. */
interface ApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly 'x-owner': string; readonly 'x-undescribed'?: unknown; readonly summary?: string }>
      >
    >
  >
}

/** Fails a check. */
const demand: (condition: unknown, message: string) => asserts condition = (condition, message) => {
  if (!condition) throw new Error(message)
}

const boot = (make: () => OraclePlugin, { env, with: others = [] }: CheckPluginOptions) =>
  testApp({ plugins: [...others.map(other => other()), make()], ...(env ? { env } : {}) })

/** Boots an oracle for as long as a check takes. */
const whileBooted = async <Result>(
  make: () => OraclePlugin,
  options: CheckPluginOptions,
  check: (app: OracleApp) => Result | Promise<Result>,
): Promise<Result> => {
  const { app } = await boot(make, options)
  try {
    return await check(app)
  } finally {
    await app.close()
  }
}

const bootsAndEnds = async (make: () => OraclePlugin, options: CheckPluginOptions): Promise<void> => {
  const { name, manifest } = make()
  const [one, other] = await Promise.all([boot(make, options), boot(make, options)])
  try {
    for (const { app } of [one, other]) {
      const record = app.plugins().find(plugin => plugin.name === name)
      demand(record && record.state !== 'excluded', `'${name}' is not loaded: ${record?.reason ?? 'it is missing'}`)
    }
    demand(manifest.summary.length > 0 && manifest.whenToUse.length > 0, 'summary and whenToUse must say something')
  } finally {
    await Promise.all([one.app.close(), other.app.close()])
    await one.app.close()
  }
}

const isExcluded = async (make: () => OraclePlugin, options: CheckPluginOptions): Promise<void> => {
  const { name, optIn } = make()
  for (const variable of optIn) {
    const records = await whileBooted(make, { ...options, env: { ...options.env, [variable]: ' ' } }, app =>
      app.plugins(),
    )
    const record = records.find(plugin => plugin.name === name)
    demand(record?.state === 'excluded' && record.variable === variable, `it is loaded while ${variable} is blank`)
    const forced = testApp({
      plugins: [...(options.with ?? []).map(other => other()), make()],
      env: { ...options.env, [variable]: '' },
      features: { [name]: true },
    })
    const error = await forced.then(
      ({ app }) => app.close().then(() => undefined),
      (failure: unknown) => failure,
    )
    const headline = `Plugin '${name}' env validation failed for '${variable}'`
    demand(
      isBootError(error) && error.problems.some(problem => problem.headline === headline),
      `forced on with a blank ${variable}, it does not fail with: ${headline}`,
    )
  }
}

const describesVariables = ({ env, optIn }: OraclePlugin): void => {
  const shape = env?.shape ?? {}
  for (const [variable, schema] of Object.entries(shape)) {
    demand(/^[A-Z][A-Z0-9_]*$/.test(variable), `${variable} is not a name for an environment variable`)
    demand(
      envMeta(variable, schema as z.ZodType).description,
      `${variable} has no description: add .meta({ description })`,
    )
  }
  for (const variable of optIn) demand(variable in shape, `opt-in variable ${variable} is not in the env schema`)
}

const fixedTools = async (make: () => OraclePlugin, options: CheckPluginOptions): Promise<Tools> => {
  const { plugin, parts } = capture(make())
  return whileBooted(
    () => plugin,
    options,
    async () => {
      const { tools } = await parts
      return typeof tools === 'function' ? {} : (tools ?? {})
    },
  )
}

const describesTools = async (make: () => OraclePlugin, options: CheckPluginOptions): Promise<void> => {
  for (const [name, tool] of Object.entries(await fixedTools(make, options))) {
    demand(tool.description.length >= 10, `tool '${name}' has no description worth the name`)
    const schema = tool.inputSchema ?? z.toJSONSchema(tool.input, { io: 'input' })
    demand(schema.type === 'object', `the input of tool '${name}' is not an object`)
    demand(
      tool.effect !== 'write' || !tool.approval || tool.describe,
      `tool '${name}' asks for approval without describe()`,
    )
  }
}

const examplesLead = async (make: () => OraclePlugin, options: CheckPluginOptions): Promise<void> => {
  const { name, manifest } = make()
  const tools = await fixedTools(make, options)
  const entry = {
    name,
    manifest,
    mode: loadMode(manifest),
    tools: Object.entries(tools).map(([tool, { input, inputSchema, effect }]) => ({
      name: tool,
      input,
      effect,
      inputSchema,
    })),
  }
  const model = createOfflineModel({ catalog: () => [entry] })
  for (const { text, tool, args } of expectedCalls(entry, options.samples)) {
    const { content } = await model.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
      tools: entry.tools.map(one => ({
        type: 'function',
        name: one.name,
        inputSchema: (one.inputSchema ?? z.toJSONSchema(one.input, { io: 'input' })) as never,
      })),
    })
    const [part] = content
    demand(part?.type === 'tool-call' && part.toolName === tool, `'${text}' does not lead to ${tool}`)
    demand(
      part.input === JSON.stringify(args),
      `'${text}' calls ${tool} with ${part.input}, not ${JSON.stringify(args)}`,
    )
  }
}

const routesAreLocked = async (make: () => OraclePlugin, options: CheckPluginOptions): Promise<void> => {
  const { plugin, parts } = capture(make())
  return whileBooted(
    () => plugin,
    options,
    async app => {
      for (const { access, definition } of (await parts).routes ?? []) {
        const path = definition.path.replace(/\{[^}]+\}|:[^/]+/g, 'x')
        const method = definition.method.toUpperCase()
        const { status } = await app.request(path, { method })
        if (access === 'public') demand(status < 500, `${method} ${path} answers ${status} to an empty request`)
        else demand(status === 401 || status === 403, `${method} ${path} answers ${status} to a stranger`)
      }
    },
  )
}

const describesRoutes = async (make: () => OraclePlugin, options: CheckPluginOptions): Promise<void> => {
  const { name } = make()
  return whileBooted(make, options, async app => {
    const { paths } = (await (await app.request('/openapi.json')).json()) as ApiDocument
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        if (operation['x-owner'] !== name) continue
        const route = `${method.toUpperCase()} ${path}`
        demand(!operation['x-undescribed'], `the schemas of ${route} do not go into JSON Schema; the log says more`)
        demand(operation.summary, `${route} has no summary`)
      }
    }
  })
}

const tablesAreOwn = async (make: () => OraclePlugin, options: CheckPluginOptions): Promise<void> => {
  const { plugin, tables } = capture(make())
  return whileBooted(
    () => plugin,
    options,
    async () => {
      const prefix = `${plugin.name.replaceAll('-', '_')}_`
      const strays = (await tables).filter(table => !table.startsWith(prefix))
      demand(strays.length === 0, `tables without '${prefix}' in front: ${strays.join(', ')}`)
    },
  )
}
