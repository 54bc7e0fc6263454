import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createSigningKey, type SigningKey } from '@sibyl/identity'
import { type TestActor, testActor } from '@sibyl/testing'
import { testProgram } from '@sibyl/testing/program'

/** Options of `shared-oracle-process.ts`. */
export interface SharedOracleOptions {
  readonly databaseUrl: string
  readonly mnemonic: string
  /** The file that records effects that must not repeat. */
  readonly journal: string
  /** @default 0, a free one */
  readonly port?: number
  /** Offset of its clock. @default 0 */
  readonly clockAheadMs?: number
  /** Number of `before` hooks that never settle: each delays the admission of a turn by 2 s. @default 0 */
  readonly hangingBefore?: number
  /** Whether its `after` hook never settles. */
  readonly hangsAfter?: boolean
  /** More variables. */
  readonly env?: Readonly<Record<string, string>>
}

/** One of several oracle processes on one database. */
export interface SharedOracle extends AsyncDisposable {
  readonly port: number
  /** The oracle's DID. */
  readonly did: string
  /** A caller over its socket. */
  readonly actor: TestActor
  readonly isRunning: boolean
  /** Sends a signal, and waits for the process to end if the signal ends it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
}

/**
 * Starts a process that shares its database with others; disposal kills it at the latest.
 *
 * @param key The user's key. @default a new one
 */
export const startSharedOracle = async (
  options: SharedOracleOptions,
  key: SigningKey = createSigningKey(),
): Promise<SharedOracle> => {
  const file = await testProgram(new URL('./shared-oracle-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=sibyl-source', file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const content = once(createInterface({ input: child.stdout }), 'line')
  const [line] = await Promise.race([content, ended.then(() => ['{}'])])
  const { port = 0, did = '' } = JSON.parse(String(line)) as { port?: number; did?: string }
  if (port === 0) throw new Error('The oracle ended before it listened.')
  const target = {
    request: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
    identity: { did },
  }
  const end = async (signal: NodeJS.Signals) => {
    child.kill('SIGCONT')
    child.kill(signal)
    await ended
  }
  return {
    port,
    did,
    actor: testActor(target, () => Date.now() + (options.clockAheadMs ?? 0), key),
    get isRunning() {
      return child.exitCode === null && child.signalCode === null
    },
    end,
    signal: signal => void child.kill(signal),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  }
}
