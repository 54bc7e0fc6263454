import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { SigningKey } from '@sibyl/identity'
import { type TestActor, testActor } from '@sibyl/testing'
import { testProgram } from '@sibyl/testing/program'

/** Options of `killable-oracle-process.ts`. */
export interface KillableOracleOptions {
  readonly databaseUrl: string
  readonly mnemonic: string
  /** The file that records effects that must not repeat. */
  readonly journal: string
  /**
   * Script of the model: `answer`, `write`, `write-and-answer`, `ask`, `ask-and-write`, `question`, `question-and-write`, `done`, or
   * `end-late`, which is after SIGTERM. With the prefix `hang-after ` its hooks never settle.
   */
  readonly script: string
  /** Additional variables. */
  readonly env?: Readonly<Record<string, string>>
}

/** An oracle in its own process. */
export interface KillableOracle extends AsyncDisposable {
  /** A caller over its socket. */
  readonly actor: TestActor
  /** Sends a signal and waits for the process to end. */
  end(signal: NodeJS.Signals): Promise<void>
}

/**
 * Starts an oracle that a test may kill; disposal kills it at the latest.
 *
 * @param key The user's key.
 */
export const startKillableOracle = async (options: KillableOracleOptions, key: SigningKey): Promise<KillableOracle> => {
  const file = await testProgram(new URL('./killable-oracle-process.ts', import.meta.url))
  const { databaseUrl, mnemonic, journal, script, env = {} } = options
  const args = ['--conditions=sibyl-source', file, databaseUrl, mnemonic, journal, script, JSON.stringify(env)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url, did } = JSON.parse(String(line)) as { url: string; did: string }
  const target = { request: (path: string, init?: RequestInit) => fetch(url + path, init), identity: { did } }
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  return { actor: testActor(target, Date.now, key), end, [Symbol.asyncDispose]: () => end('SIGKILL') }
}
