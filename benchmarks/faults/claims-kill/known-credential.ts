import { type CallAnswer, call } from '../entities/call.ts'
import type { StepOutcome } from './known-claim.ts'

interface Issued {
  readonly id: string
  readonly status: string
}

/** A credential that is issued separately, and possibly revoked, in the state that was acknowledged. */
export class KnownCredential {
  readonly key: string
  readonly asset: string
  id: string | undefined
  state: 'none' | 'active' | 'revoked' = 'none'
  waits = false
  readonly #steps: ('issue' | 'revoke')[]

  constructor(key: string, asset: string, isRevoked: boolean) {
    this.key = key
    this.asset = asset
    this.#steps = isRevoked ? ['issue', 'revoke'] : ['issue']
  }

  /** Whether there is nothing left to do. */
  get isOver(): boolean {
    return this.#steps.length === 0
  }

  /** Takes the next step, or repeats the interrupted one. */
  async turn(url: string): Promise<StepOutcome> {
    const [step] = this.#steps
    const answer = await (step === 'issue' ? this.#issue(url) : this.#revoke(url))
    this.waits = answer === undefined || answer.status === 503
    if (answer === undefined || answer.status === 503) return 'broken'
    const wanted = step === 'issue' ? 'active' : 'revoked'
    this.id ??= answer.body.id
    this.#steps.shift()
    if (answer.status < 300 && answer.body.id === this.id && answer.body.status === wanted) {
      this.state = wanted
      return 'acknowledged'
    }
    this.#steps.length = 0
    return { said: JSON.stringify({ step, key: this.key, id: this.id, answer }) }
  }

  /** Reads it, and compares it with what is known. */
  async check(url: string): Promise<StepOutcome> {
    const answer = await call<Issued>(url, { path: `/credentials/${this.id}`, by: 'oracle' })
    if (answer?.status === 200 && answer.body.status === this.state) return 'acknowledged'
    return { said: JSON.stringify({ key: this.key, known: this.state, answer }) }
  }

  /** Has it issued again: it has to be the one that it is. */
  async repeat(url: string): Promise<StepOutcome> {
    const answer = await this.#issue(url)
    if (answer?.status === 201 && answer.body.id === this.id) return 'acknowledged'
    return { said: JSON.stringify({ again: this.key, id: this.id, answer }) }
  }

  #issue(url: string): Promise<CallAnswer<Issued> | undefined> {
    const json = { type: 'StoveCredential', subject: { id: this.asset, key: this.key } }
    const headers = { 'idempotency-key': this.key }
    return call(url, { method: 'POST', path: '/credentials/issue', by: 'oracle', json, headers })
  }

  #revoke(url: string): Promise<CallAnswer<Issued> | undefined> {
    const json = { reason: 'It is not so.' }
    return call(url, { method: 'POST', path: `/credentials/${this.id}/revoke`, by: 'oracle', json })
  }
}
