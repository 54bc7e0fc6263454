import type { Logger } from '@sibyl/plugin'
import { createVault } from '@sibyl/plugin/sealing'
import { sql } from '@sibyl/plugin/storage'
import { openJobs, type Storage } from '@sibyl/storage'
import { silentLogger } from '@sibyl/testing'
import { createFlowMachine } from '../flow/create-flow-machine.ts'
import type { Flow } from '../flow/flow.ts'
import type { UssdRequest } from '../requests/ussd-request.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { createSessionEngine, type SessionEngine, type SessionEngineDependencies } from './session-engine.ts'
import type { SessionSettings } from './session-env.ts'

/** Options of a line. */
export interface PhoneLineOptions extends Partial<Pick<SessionEngineDependencies, 'counts' | 'knownLanguage'>> {
  readonly storage: UssdStorage
  /** Storage of the jobs. @default `storage` */
  readonly jobStorage?: Parameters<typeof openJobs>[0]['storage']
  readonly flow: Flow
  readonly settings?: Partial<SessionSettings>
  readonly log?: Logger
  /** Initial offset of its clock, in milliseconds. @default 0 */
  readonly aheadMs?: number
  /** @default one with a key of zeros */
  readonly keys?: Parameters<typeof createVault>[0]
}

/** A phone that calls a session engine. */
export interface Phone {
  /** Returns the text shown, with the prefix `END ` for the last text. */
  dial(more?: Partial<UssdRequest>): Promise<string>
  /** Sends a raw text. */
  send(text: string, more?: Partial<UssdRequest>): Promise<string>
  /** Ends the call from the network. */
  hangUp(event?: 'release' | 'timeout'): Promise<void>
}

/** A session engine with its own clock. */
export interface PhoneLine extends AsyncDisposable {
  readonly sessions: SessionEngine
  phone(more?: Partial<UssdRequest>): Phone
  /** Advances the time of the engine and its database. */
  pass(ms: number): Promise<void>
  /** Moves the engine's clock forward or back. */
  jump(ms: number): void
}

/** Opens a line. */
export const openLine = async (options: PhoneLineOptions): Promise<PhoneLine> => {
  const {
    storage,
    flow,
    settings,
    counts,
    knownLanguage,
    log = silentLogger,
    keys = { current: new Uint8Array(32) },
  } = options
  let passed = 0
  let jumped = 0
  const start = Date.now() + (options.aheadMs ?? 0)
  const jobs = await openJobs({ storage: options.jobStorage ?? (storage as Storage) })
  const engine = createSessionEngine({
    storage,
    jobs,
    vault: createVault(keys),
    machine: createFlowMachine(flow),
    clock: { now: () => start + passed + jumped },
    stopwatch: () => passed,
    log,
    settings: { ttlMs: 180_000, resume: false, serviceCodes: [], ...settings },
    ...(counts && { counts }),
    ...(knownLanguage && { knownLanguage }),
  })
  await jobs.start()
  const dispose = async () => {
    await jobs.stop()
    await engine.dispose()
  }
  const sessions = { ...engine, dispose }
  return {
    sessions,
    phone(given = {}) {
      const call = async (request: Partial<UssdRequest>): Promise<string> => {
        const reply = await sessions.serve({
          provider: 'plain',
          sessionId: 's1',
          phoneNumber: '+260971234567',
          serviceCode: '*1234#',
          event: 'input',
          text: '',
          textMode: 'cumulative',
          limits: { gsm7: 182, ucs2: 80 },
          ...given,
          ...request,
        })
        return reply === undefined ? '' : `${reply.kind === 'end' ? 'END ' : ''}${reply.text}`
      }
      return {
        dial: (more = {}) => call({ event: 'dial', ...more }),
        send: (text, more = {}) => call({ text, ...more }),
        hangUp: async (event = 'release') => void (await call({ event })),
      }
    },
    async pass(ms) {
      passed += ms
      if (storage.engine === 'sqlite') return
      await storage.write(tx =>
        sql`update ussd_sessions set born_at = born_at - ${ms}, updated_at = updated_at - ${ms},
          expires_at = expires_at - ${ms}, run_until = run_until - ${ms}`.execute(tx),
      )
    },
    jump(ms) {
      jumped += ms
    },
    [Symbol.asyncDispose]: dispose,
  }
}
