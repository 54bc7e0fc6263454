import { jsonValue } from '@sibyl/protocol'
import * as z from 'zod'

/** One reason why an oracle cannot start. */
const inspectedProblem = z.object({
  code: z.string(),
  headline: z.string(),
  lines: z.array(z.string()),
  plugin: z.string().optional(),
  variable: z.string().optional(),
})

/** A plugin as it would be after boot. */
export const inspectedPlugin = z.object({
  name: z.string(),
  version: z.string(),
  title: z.string(),
  summary: z.string(),
  /** Whether it came with `@sibyl/bundle`. */
  bundled: z.boolean(),
  load: z.enum(['always', 'on-demand']),
  state: z.enum(['loaded', 'available', 'pending', 'degraded', 'failed', 'excluded']),
  /** Why it is in that state. */
  reason: z.string().optional(),
  /** With `excluded`: the blank variable that would switch it on. */
  variable: z.string().optional(),
  /** As far as they are known without a turn. */
  tools: z.array(z.string()),
  /** Whether a turn may have others. */
  toolsVary: z.boolean(),
  routes: z.array(z.object({ method: z.string(), path: z.string(), public: z.boolean() })),
  /** Of an adapter: the path at which clients connect; none where it is off. */
  adapter: z.object({ endpoint: z.string().optional() }).optional(),
})

/** A variable of core or of a plugin, and whether it is set; never its value. */
const inspectedVariable = z.object({
  name: z.string(),
  /** `core`, or the plugin's name. */
  owner: z.string(),
  description: z.string(),
  /** The accepted values: `whole number from 0 to 65535`, `pretty or json`. */
  takes: z.string(),
  /** `opt-in`: setting it enables the plugin; `required`: the oracle does not start without it. */
  need: z.enum(['optional', 'opt-in', 'required']),
  default: z.string().optional(),
  example: z.string().optional(),
  secret: z.boolean(),
  /** Where it comes from now. */
  from: z.enum(['environment', 'config', 'default', 'nowhere']),
})

/** A tool as the model is shown it in the first step of a turn. */
const inspectedTool = z.object({
  name: z.string(),
  /** `core`, or the name of the plugin or capability. */
  owner: z.string(),
  description: z.string(),
  inputSchema: jsonValue,
  /** Estimated, as budgets estimate them. */
  tokens: z.int(),
})

/** The first step of a turn of a new user, with its cost before the conversation. */
const inspectedTurn = z.object({
  /** The whole system prompt. */
  prompt: z.string(),
  promptTokens: z.int(),
  /** Current notes of plugins to the message of the user; may be empty. */
  note: z.string(),
  noteTokens: z.int(),
  tools: z.array(inspectedTool),
  toolTokens: z.int(),
  /** Tools that a load would add, by plugin or capability, with the tokens of all that it adds. */
  loadable: z.array(z.object({ plugin: z.string(), tools: z.int(), tokens: z.int() })),
})

/**
 * An inspection of an oracle, which the `sibyl` command requests at its start instead of serving. Contains no secret:
 * only public settings are included.
 */
export const oracleInspection = z.object({
  /** Version of the project's `@sibyl/core`. */
  core: z.string(),
  node: z.string(),
  oracle: z.object({
    name: z.string(),
    description: z.string().optional(),
    price: z.string().optional(),
    /** Missing without a signing key. */
    did: z.string().optional(),
    /** Why the words in ORACLE_MNEMONIC make no key. */
    publicDid: z.string().optional(),
    entityDid: z.string().optional(),
    network: z.enum(['devnet', 'testnet', 'mainnet']),
    environment: z.string(),
    port: z.int(),
    host: z.string(),
    publicUrl: z.string(),
    database: z.enum(['sqlite', 'postgres', 'memory']),
    /** The model in words, and whether it can answer. */
    model: z.string(),
    modelReady: z.boolean(),
  }),
  problems: z.array(inspectedProblem),
  plugins: z.array(inspectedPlugin),
  variables: z.array(inspectedVariable),
  /** Unknown names in the environment, including `.env`, with similar known names. */
  unknownVariables: z.array(z.object({ name: z.string(), meant: z.string().optional() })),
  /** The tables of core and of each plugin: the names of the steps by which they are made. */
  migrations: z.array(z.object({ owner: z.string(), names: z.array(z.string()) })),
  /** Missing where the boot would fail. */
  turn: inspectedTurn.optional(),
})

export type OracleInspection = z.infer<typeof oracleInspection>
