import { connectService, type McpService } from '@sibyl/mcp-client'
import type { Host } from '@sibyl/plugin'
import type { codeRunner, ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import { codeLine, createCodePool } from './code-pool.ts'
import type { RunCodeOptions } from './code-tools.ts'
import { createEmbeddedRunner, embeddedLanguage } from './embedded-runner.ts'
import { createRemoteRunner, languagesOf, mappedLine, remoteLine } from './remote-runner.ts'
import type { SandboxEnv } from './sandbox-env.ts'
import { codeRunnerTools, usualSandboxTools } from './sandbox-tool-names.ts'

/** The runner of an oracle's programs. */
export interface ChosenSandbox extends Pick<McpService, 'state' | 'reason' | 'close'> {
  readonly runner: ServiceOf<typeof codeRunner>
  /** True if `shape` never changes. */
  readonly isFixed: boolean
  /** Returns the current description for the model. */
  shape(): Pick<RunCodeOptions, 'description' | 'language' | 'timeLimitSeconds'>
}

/** Returns the embedded sandbox, or the remote one if `SANDBOX_MCP_URL` is a URL. */
export const chooseSandbox = (host: Pick<Host<SandboxEnv>, 'env' | 'log' | 'limits' | 'background'>): ChosenSandbox => {
  const { SANDBOX_MCP_URL: url } = host.env
  return url === undefined || url === 'embedded:' ? embedded(host) : remote(host, url)
}

const embedded = ({ env, limits }: Pick<Host<SandboxEnv>, 'env' | 'limits'>): ChosenSandbox => {
  const seconds = env.SANDBOX_TIME_LIMIT_SECONDS
  const pool = createCodePool(limits.line(codeLine))
  const shape = {
    description: `Runs a JavaScript program (ES2023, top-level await, no network, no modules, no timers) for at most ${seconds} s. Its result is the value of the last expression. It has console.log, and files.list(), files.read(name), files.readBytes(name), files.write(name, stringOrBytes); written files are returned.`,
    language: z.literal(embeddedLanguage).default(embeddedLanguage),
    timeLimitSeconds: seconds + Math.ceil(codeLine.waitMs / 1_000) + 25,
  }
  return {
    runner: createEmbeddedRunner(pool, seconds * 1_000),
    isFixed: true,
    shape: () => shape,
    state: () => 'ready',
    reason: () => undefined,
    close: () => pool.close(),
  }
}

/** Time limit of a remote program, in seconds. */
const remoteSeconds = 120

const remedy = `Set SANDBOX_MCP_TOOLS to the tool of that server and its arguments, such as SANDBOX_MCP_TOOLS=${codeRunnerTools}`

const remote = (
  { env, log, limits, background }: Pick<Host<SandboxEnv>, 'env' | 'log' | 'limits' | 'background'>,
  url: string,
): ChosenSandbox => {
  const tools = env.SANDBOX_MCP_TOOLS ?? usualSandboxTools
  const server = connectService({
    name: 'sandbox',
    url,
    token: env.SANDBOX_MCP_TOKEN,
    tools: { needed: { [tools.run_code]: [tools.code, tools.language] }, remedy },
    limits: {
      callTimeoutMs: remoteSeconds * 1_000,
      longestCallMs: remoteSeconds * 1_000,
      maxResultCharacters: 4_000_000,
    },
    background,
    log,
  })
  const { state, reason, close } = server
  return {
    runner: createRemoteRunner(server, limits.line(tools.isMapped ? mappedLine : remoteLine), tools),
    isFixed: false,
    shape: () => {
      const languages = languagesOf(server.tools(), tools)
      return {
        description:
          'Runs a program in a remote sandbox with the given files; returns its result, its printed output and the files that it wrote.',
        language: languages.length === 0 ? z.string().min(1).max(40) : z.enum(languages),
        timeLimitSeconds: remoteSeconds + 60,
      }
    },
    state,
    reason,
    close,
  }
}
