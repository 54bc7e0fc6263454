import { randomBytes } from 'node:crypto'
import type { OracleAppOptions } from '@sibyl/core'
import { definePlugin, type OraclePlugin, provide } from '@sibyl/plugin'
import { createVault } from '@sibyl/plugin/sealing'
import { claimSubmission, type ServiceOf, smsSender, userPreferences } from '@sibyl/protocol'
import { testApp } from '@sibyl/testing'
import { createCustomers } from '../customers/create-customers.ts'
import { createPhones } from '../customers/create-phones.ts'
import type { SmsMessage } from '../customers/customer-fixture.test.helper.ts'
import { createLockout } from '../customers/lockout.ts'
import { createResetCodes } from '../customers/reset-codes.ts'
import { createFlowMachine } from '../flow/create-flow-machine.ts'
import type { Flow } from '../flow/flow.ts'
import type { FlowFacts, FlowMachine, FlowState, FlowStep } from '../flow/flow-machine.ts'
import { createPhonePeople } from '../people/phone-people.ts'
import { createQuestions } from '../questions/create-questions.ts'
import type { UssdTables } from '../storage/ussd-tables.ts'
import { ussdMigrations } from '../storage/ussd-tables.ts'
import { defaultFlow } from './default-flow.ts'
import type { DefaultFlowOptions, FlowServices } from './menu-kit.ts'

type ActivityClaim = Parameters<ServiceOf<typeof claimSubmission>['submit']>[0]
type Preferences = Awaited<ReturnType<ServiceOf<typeof userPreferences>['get']>>

/** Options of a flow fixture, in addition to those of the oracle. */
export interface FlowFixtureOptions extends Partial<OracleAppOptions> {
  readonly flow?: DefaultFlowOptions
  /** Services that other plugins provide. @default none */
  readonly offers?: readonly ('sms' | 'claims' | 'user-preferences')[]
}

/** The default flow on a booted oracle, with the services of its actions. */
export interface FlowFixture extends AsyncDisposable {
  readonly flow: Flow
  readonly machine: FlowMachine
  readonly services: FlowServices
  /** The SMS that were sent. */
  readonly sent: SmsMessage[]
  readonly claimed: ActivityClaim[]
  readonly preferred: Map<string, Preferences>
  call(phoneNumber?: string, language?: string): FlowCall
}

/** A call that moves through the machine as a session does; actions complete immediately. */
export interface FlowCall {
  /** The text on the phone. */
  readonly text: string
  readonly state: FlowState
  readonly ended: boolean
  answer(...answers: readonly string[]): Promise<string>
}

const plugin = (name: string, setup: OraclePlugin['setup']): OraclePlugin =>
  definePlugin({
    name,
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: name, summary: name, whenToUse: ['never'] },
    setup,
  })

/** Boots an oracle with the default flow. */
export const openFlowFixture = async ({
  flow,
  offers = [],
  ...options
}: FlowFixtureOptions = {}): Promise<FlowFixture> => {
  const sent: SmsMessage[] = []
  const claimed: ActivityClaim[] = []
  const preferred = new Map<string, Preferences>()
  const stands: Record<(typeof offers)[number], () => OraclePlugin> = {
    sms: () => plugin('sms', () => ({ services: [provide(smsSender, { send: async sms => void sent.push(sms) })] })),
    claims: () =>
      plugin('claims', () => ({
        services: [
          provide(claimSubmission, {
            submit: async claim => {
              if (!claimed.some(known => known.idempotencyKey === claim.idempotencyKey)) claimed.push(claim)
              return { claimId: `claim-${claimed.length}` }
            },
          }),
        ],
      })),
    'user-preferences': () =>
      plugin('user-preferences', () => ({
        services: [
          provide(userPreferences, {
            get: async did => preferred.get(did) ?? {},
            async set(did, patch) {
              const kept = { ...preferred.get(did), ...patch }
              preferred.set(did, Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== null)))
            },
          }),
        ],
      })),
  }
  let made: FlowServices | undefined
  const ussd = definePlugin<never, UssdTables>({
    name: 'ussd',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Phones', summary: 'Phones.', whenToUse: ['never'] },
    uses: ['sms', 'claims', 'user-preferences'],
    migrations: ussdMigrations,
    setup(host) {
      const { storage, clock, jobs } = host
      const vault = createVault({ current: randomBytes(32) })
      const lockout = createLockout(storage, vault, () => clock.now())
      const phones = createPhones(storage, vault, clock)
      const sms = host.optionalService(smsSender)
      const resetCodes = createResetCodes({ storage, vault, clock, lockout, jobs, phones, sms })
      const people = createPhonePeople(storage, vault, host.identity)
      const customers = createCustomers({ storage, vault, clock, lockout, resetCodes })
      made = {
        host,
        customers,
        phones,
        questions: createQuestions({ host, vault, people, origins: { of: () => undefined }, keptMs: 3_600_000 }),
      }
      return {}
    },
  })
  const plugins = [...offers.map(name => stands[name]()), ussd, ...(options.plugins ?? [])]
  const { app } = await testApp({ ...options, plugins })
  const services = made!
  const menus = defaultFlow(services, flow)
  const machine = createFlowMachine(menus)
  return {
    flow: menus,
    machine,
    services,
    sent,
    claimed,
    preferred,
    call: (phoneNumber = '+260971234567', language) => callOf({ machine, services }, phoneNumber, language),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

const callOf = (
  { machine, services }: { readonly machine: FlowMachine; readonly services: FlowServices },
  phoneNumber: string,
  language: string | undefined,
): FlowCall => {
  const facts: FlowFacts = { phoneNumber, serviceCode: '*1234#', limits: { gsm7: 182, ucs2: 80 } }
  const shown = (step: FlowStep) => {
    if (step.kind !== 'show') throw new Error(`'${step.state.screen}' runs, and shows nothing`)
    return step
  }
  let step = shown(machine.begin(facts, language === undefined ? {} : { language }))

  const settle = async (next: FlowStep): Promise<FlowStep> => {
    if (next.kind === 'show') return next
    const { state, action } = next
    const result = await action.run({
      ...facts,
      language: state.language,
      values: state.values,
      secrets: state.secrets,
      customerId: state.customerId,
      idempotencyKey: crypto.randomUUID(),
      signal: new AbortController().signal,
    })
    const { write } = result
    if (write) await services.host.storage.write(tx => write(tx))
    return settle(machine.afterAction(state, { kind: 'done', result }, facts))
  }

  return {
    get text() {
      return step.reply.text
    },
    get state() {
      return step.state
    },
    get ended() {
      return step.reply.kind === 'end'
    },
    async answer(...answers) {
      for (const answer of answers) step = shown(await settle(machine.input(step.state, answer, facts)))
      return step.reply.text
    },
  }
}
