import { setTimeout as pause } from 'node:timers/promises'
import { createSigningKey } from '@sibyl/identity'
import type { OracleProcess } from '../frame/start-oracle.ts'
import { takeTurn } from '../frame/take-turn.ts'

const maxTries = 100

/** A person who says one thing after the other, each until it has an end. */
export class Talk {
  sent = 0
  ended = 0
  readonly #oracle: OracleProcess
  readonly #key = createSigningKey()

  constructor(oracle: OracleProcess) {
    this.#oracle = oracle
  }

  async send(): Promise<void> {
    this.sent += 1
    const content = { sessionId: `s${this.sent}`, messageId: `m${this.sent}`, text: 'How is the harbour?' }
    for (let tries = 0; tries < maxTries; tries += 1) {
      const { last } = await takeTurn(this.#oracle.actor(this.#key), content)
      if (last) {
        this.ended += 1
        return
      }
      await pause(100)
    }
  }
}
