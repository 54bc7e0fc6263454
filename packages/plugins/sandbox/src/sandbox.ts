import { definePlugin, provide } from '@sibyl/plugin'
import { codeRunner } from '@sibyl/protocol'
import { chooseSandbox } from './choose-sandbox.ts'
import { readOutputTool, runCodeTool } from './code-tools.ts'
import { manifest } from './manifest.ts'
import { createKeptOutputs, outputRecords } from './outputs/kept-outputs.ts'
import { type SandboxTables, sandboxMigrations } from './outputs/sandbox-tables.ts'
import { sandboxEnv } from './sandbox-env.ts'

/**
 * Runs code in isolation: JavaScript in QuickJS, or the languages of a remote sandbox. Other plugins run code through
 * the token `codeRunner` of `@sibyl/protocol`.
 *
 * @example
 * await createOracleApp({ config, plugins: [sandbox()] })
 */
export const sandbox = () =>
  definePlugin<typeof sandboxEnv, SandboxTables>({
    name: 'sandbox',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: sandboxEnv,
    optIn: ['SANDBOX_MCP_URL'],
    migrations: sandboxMigrations,
    async setup(host) {
      const outputs = createKeptOutputs(host)
      const { runner, isFixed, shape, state, reason, close } = chooseSandbox(host)
      const tools = () => ({
        run_code: runCodeTool({ runner, outputs, ...shape() }),
        read_output: readOutputTool(outputs),
      })
      return {
        tools: isFixed ? tools() : tools,
        services: [provide(codeRunner, runner)],
        personalRecords: outputRecords(outputs),
        retention: [outputs.retention],
        state,
        reason,
        dispose: close,
      }
    },
  })
