import { setTimeout as pause } from 'node:timers/promises'
import { createOracleApp, type OracleApp } from '@sibyl/core'
import { createSigningKey } from '@sibyl/identity'
import { defineTool, type Tool } from '@sibyl/plugin'
import { silentLogger, streamReader, testActor } from '@sibyl/testing'
import { z } from 'zod'
import { bankPlugin } from '../faults/frame/bank-plugin.ts'
import { endlessModel } from '../faults/frame/endless-model.ts'
import type { Operation } from './plan.ts'
import type { SimulatedOracle } from './run-seed.ts'
import { startTime, type World } from './world.ts'

/** The account and the clients, which a crash of a process does not change. */
export interface Outside {
  /** The number of charges of each amount of a message. */
  readonly charges: Map<string, number>
  /** The sessions whose message was accepted. */
  readonly accepted: Set<string>
}

const mnemonic = `${'abandon '.repeat(11)}about`
const person = createSigningKey()

/** Returns an oracle whose every answer charges an account twice, one call a step. */
export const chargingOracle = (url: string, charge: (name: string) => Promise<string>): Promise<OracleApp> => {
  const tool = defineTool({
    description: 'Charges an account.',
    input: z.object({ name: z.string() }),
    effect: 'write',
    execute: ({ name }) => charge(name),
  })
  return createOracleApp({
    plugins: [bankPlugin(tool as Tool)],
    model: endlessModel(({ prompt }) => {
      const asked = prompt.findLastIndex(({ role }) => role === 'user')
      const charged = prompt.slice(asked).filter(({ role }) => role === 'tool').length
      if (charged === 2) return ['Both are ', 'charged.']
      const [, message = ''] = /Pay (\w+)/.exec(JSON.stringify(prompt[asked])) ?? []
      return [`Charge ${charged + 1}. `, { tool: 'charge', input: { name: `${message} ${charged + 1}` } }]
    }),
    logger: silentLogger,
    env: {
      DATABASE_URL: url,
      ORACLE_MNEMONIC: mnemonic,
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_DID_PER_MINUTE: '0',
      SHUTDOWN_GRACE_SECONDS: '1',
    },
  })
}

/** A whole oracle in a process. */
export class TurnsProcess implements SimulatedOracle {
  readonly #world: World
  readonly #outside: Outside
  #app: OracleApp | undefined

  constructor(world: World, outside: Outside) {
    this.#world = world
    this.#outside = outside
  }

  async start(): Promise<void> {
    const { random } = this.#world
    this.#app = await chargingOracle('postgres://simulated/oracle', async name => {
      await pause(random.integer(0, 200))
      this.#outside.charges.set(name, (this.#outside.charges.get(name) ?? 0) + 1)
      await pause(random.integer(0, 200))
      return 'charged'
    })
  }

  async stop(): Promise<void> {
    const app = this.#app
    this.#app = undefined
    await app?.close()
  }

  /** Sends the message of a key, which other operations repeat, and reads what comes. */
  async perform({ key }: Operation, name: string): Promise<boolean> {
    if (!this.#app) return false
    const actor = testActor(this.#app, () => startTime + this.#world.now, person)
    const message = { id: `m${key}`, role: 'user', parts: [{ type: 'text', text: `Pay m${key}` }] }
    const response = await actor.request('/chat', { json: { id: `s${key}`, message } })
    if (response.status !== 200) {
      this.#world.note(name, response.status, (await response.text()).slice(0, 100))
      return false
    }
    this.#outside.accepted.add(`s${key}`)
    const reader = await streamReader(response)
    await reader.rest()
    const finals = reader.events.filter(({ type }) => type === 'finish' || type === 'error' || type === 'abort')
    if (finals.length > 1) this.#world.violate('a reader gets one final event', `${name}: ${JSON.stringify(finals)}`)
    return true
  }
}
