import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unlimited } from '../faults/frame/unlimited.ts'
import { createInvocations } from './invocations.ts'
import { startProcess } from './processes.ts'

const benchmarks = join(import.meta.dirname, '..')

/**
 * Starts the bare AI SDK on Hono and an oracle on SQLite, both with the model of a script.
 *
 * @param model the script below `benchmarks`, which prints its URL
 */
export const startFloorAndOracle = async (model: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
  const database = join(folder, 'bench.db')
  const invocations = await createInvocations()
  const upstream = await startProcess(join(benchmarks, model))
  const provider = {
    OPENAI_BASE_URL: upstream.url,
    OPENAI_API_KEY: 'none',
    LLM_PROVIDER: 'openai-compatible',
    LLM_MODEL: 'm',
  }
  const floor = await startProcess(join(benchmarks, 'chat-turn/floor-server.ts'), provider)
  const oracle = await startProcess(join(benchmarks, 'chat-turn/oracle-server.ts'), {
    ...provider,
    ...unlimited,
    ORACLE_MNEMONIC: invocations.mnemonic,
    DATABASE_URL: `file:${database}`,
    LOG_LEVEL: 'error',
    TURN_TIME_LIMIT_SECONDS: '900',
  })
  return {
    floor,
    oracle,
    invocations,
    database,
    async stop() {
      for (const server of [floor, upstream, oracle]) await server.stop()
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
