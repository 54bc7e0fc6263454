import { createOracleApp, type OracleApp, type OracleAppOptions } from '@sibyl/core'
import { createMnemonic } from '@sibyl/identity'
import { operations } from '@sibyl/operations'
import { silentLogger } from '@sibyl/plugin/host'
import { type ReadStream, readStream } from './read-stream.ts'
import { type TestActor, testActor } from './test-actor.ts'

/** A booted oracle for tests, in memory, with a fresh key and the offline model. */
export interface TestApp extends AsyncDisposable {
  readonly app: OracleApp
  /** A user to call it as. */
  readonly actor: TestActor
  /**
   * Says something as `actor` and reads the whole answer.
   *
   * @param options `abilities`: what the caller holds. @default ['*']
   */
  chat(
    text: string,
    options?: { readonly session?: string; readonly messageId?: string; readonly abilities?: readonly string[] },
  ): Promise<ReadStream>
  /** Runs a durable job now; see `runJob` of `app`. */
  runJob(kind: string, data?: unknown): Promise<void>
}

/**
 * Boots an oracle for tests: database in memory, fresh mnemonic, offline model, no log, no rate limits,
 * and no grace at its end. Everything can be overridden.
 *
 * @example
 * await using oracle = await testApp({ plugins: [hello()] })
 * const { text } = await oracle.chat('Say hello to Ada')
 */
export const testApp = async (options: OracleAppOptions): Promise<TestApp> => {
  const env: OracleAppOptions['env'] = {
    DATABASE_URL: 'memory:',
    ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_DID_PER_MINUTE: '0',
    SHUTDOWN_GRACE_SECONDS: '0',
    ...options.env,
  }
  const adapters = [operations(), ...(options.adapters ?? [])]
  const app = await createOracleApp({ logger: silentLogger, ...options, adapters, env })
  const { clock } = options
  const actor = testActor(app, clock ? () => clock.now() : Date.now)
  return {
    app,
    actor,
    async chat(text, { session, messageId, abilities } = {}) {
      const message = messageId === undefined ? text : { id: messageId, role: 'user', parts: [{ type: 'text', text }] }
      const id = session === undefined ? {} : { id: session }
      return readStream(await actor.request('/chat', { json: { ...id, message }, abilities }))
    },
    async runJob(kind, data) {
      await app.runJob(kind, data)
    },
    async [Symbol.asyncDispose]() {
      await app.close()
    },
  }
}
