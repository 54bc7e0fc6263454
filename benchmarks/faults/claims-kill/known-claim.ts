import type { ClaimDetails, ClaimState } from '@sibyl/plugin-claims/records'
import { type CallAnswer, call } from '../entities/call.ts'
import type { OpenCollection } from './claim-setup.ts'

/** A claim to submit, and its planned course. */
export interface Plan {
  readonly key: string
  readonly collection: OpenCollection
  readonly asset: string
  /** Fewer than 2 are refused. */
  readonly hours: number
  readonly day: number
  /** Planned end of its dispute; undefined without a dispute. */
  readonly dispute: 'uphold' | 'invalidate' | undefined
  /** Whether requests are sent twice at the same time. */
  readonly twice: boolean
}

/** Outcome of a step: `broken` if its response was lost, `waiting` while the agent is working. */
export type StepOutcome = 'acknowledged' | 'refused' | 'broken' | 'waiting' | { readonly said: string }

type Step = 'submit' | 'evaluate' | 'await' | 'confirm' | 'dispute' | 'resolve'
type Answer = CallAnswer<ClaimDetails> | undefined

/** A claim in progress, in the state that was acknowledged to its users. */
export class KnownClaim {
  readonly plan: Plan
  id: string | undefined
  state: ClaimState | 'none' | 'refused' = 'none'
  /** True if one of its requests was interrupted and must be repeated. */
  waits = false
  readonly #steps: Step[]

  constructor(plan: Plan) {
    this.plan = plan
    const decision: Step[] = this.#isApproved
      ? (({ agent: ['await'], confirmed: ['confirm'] } as Record<string, Step[]>)[plan.collection.kind] ?? [])
      : plan.collection.kind === 'confirmed'
        ? ['confirm']
        : []
    this.#steps = ['submit', 'evaluate', ...decision, ...(plan.dispute ? (['dispute', 'resolve'] as const) : [])]
  }

  /** Whether there is nothing left to do. */
  get isOver(): boolean {
    return this.#steps.length === 0
  }

  get #isApproved(): boolean {
    return this.plan.hours >= 2
  }

  /** Takes the next step, or repeats the interrupted one. */
  async turn(url: string): Promise<StepOutcome> {
    const step = this.#steps[0]!
    const again = this.waits
    const answer = await this.#send(url, step)
    this.waits = answer === undefined || answer.status === 503
    if (answer === undefined || answer.status === 503) return 'broken'
    const { status, body } = answer
    const { collection } = this.plan
    if (
      step === 'submit' &&
      status === 409 &&
      body.code === 'claim_quota_reached' &&
      collection.kind.startsWith('few')
    ) {
      this.#steps.length = 0
      this.state = 'refused'
      return 'refused'
    }
    if (status === 409 && body.code === 'claim_state_conflict' && again) return this.#adopt(await this.#read(url), step)
    if (step === 'await' && body.state === 'evaluating') return 'waiting'
    return this.#adopt(answer, step)
  }

  /** Reads it, and compares it with what is known. */
  async check(url: string): Promise<StepOutcome> {
    const answer = await this.#read(url)
    const isLate = this.#steps[0] === 'await' && answer?.body.state === 'approved'
    if (answer?.status === 200 && (answer.body.state === this.state || isLate)) return 'acknowledged'
    return { said: JSON.stringify({ known: this.state, plan: this.plan, answer }) }
  }

  /** Submits it again: it has to be the claim that it is. */
  async repeat(url: string): Promise<StepOutcome> {
    const answer = await this.#post(url, '/v1/claims', this.#creation, 'farm', this.plan.key)
    if (answer?.status === 200 && answer.body.id === this.id) return 'acknowledged'
    return { said: JSON.stringify({ again: this.plan, id: this.id, answer }) }
  }

  #adopt(answer: Answer, step: Step): StepOutcome {
    if (answer === undefined) {
      this.waits = true
      return 'broken'
    }
    const { status, body } = answer
    const wanted = this.#stateAfter(step)
    this.id ??= body.id
    // The agent may have judged before its judge is answered, and where both of two were asked, one is refused.
    const isThere =
      body.state === wanted || (step === 'evaluate' && wanted === 'evaluating' && body.state === 'approved')
    if (status > 202 || !isThere || body.id !== this.id) {
      this.#steps.length = 0
      return { said: JSON.stringify({ step, plan: this.plan, known: this.state, answer }) }
    }
    this.state = wanted
    this.#steps.shift()
    return 'acknowledged'
  }

  #stateAfter(step: Step): ClaimState {
    const decided = this.#isApproved ? 'approved' : 'rejected'
    switch (step) {
      case 'submit':
        return 'submitted'
      case 'evaluate': {
        const { kind } = this.plan.collection
        return kind === 'confirmed' || (kind === 'agent' && this.#isApproved) ? 'evaluating' : decided
      }
      case 'dispute':
        return 'disputed'
      case 'resolve':
        return this.plan.dispute === 'uphold' ? 'upheld' : 'invalidated'
      default:
        return decided
    }
  }

  get #creation() {
    const { collection, asset, hours, day } = this.plan
    return { collection: collection.id, asset, data: { hours, day } }
  }

  async #send(url: string, step: Step): Promise<Answer> {
    const path = `/v1/claims/${this.id}`
    const { collection, dispute } = this.plan
    const decision = this.#isApproved ? 'approve' : 'reject'
    switch (step) {
      case 'submit':
        return this.#maybeTwice(() => this.#post(url, '/v1/claims', this.#creation, 'farm', this.plan.key))
      case 'evaluate':
        return this.#maybeTwice(() => this.#post(url, `${path}/evaluate`, undefined, 'judge'))
      case 'await':
        return this.#read(url)
      case 'confirm':
        return this.#maybeTwice(() => this.#post(url, `${path}/confirm`, { decision, reason: 'It is so.' }, 'judge'))
      case 'dispute':
        return this.#post(url, `${path}/dispute`, { reason: 'It is not so.' }, 'farm')
      default: {
        // Not who decided: of what the agent approved, the oracle did.
        const by = collection.kind === 'agent' && this.#isApproved ? 'judge' : 'oracle'
        return this.#post(url, `${path}/resolve`, { resolution: dispute!, reason: 'The dispute was reviewed.' }, by)
      }
    }
  }

  /** Sends a request twice at the same time: what one of them was answered, the good answer first. */
  async #maybeTwice(send: () => Promise<Answer>): Promise<Answer> {
    if (!this.plan.twice) return send()
    const answers = await Promise.all([send(), send()])
    const good = answers.find(answer => answer && answer.status < 300)
    return (
      good ?? (answers.includes(undefined) ? undefined : answers.find(answer => answer?.status === 503)) ?? answers[0]
    )
  }

  #read(url: string): Promise<Answer> {
    return call(url, { path: `/v1/claims/${this.id}`, by: 'oracle' })
  }

  #post(
    url: string,
    path: string,
    json: object | undefined,
    by: 'farm' | 'judge' | 'oracle',
    key?: string,
  ): Promise<Answer> {
    const headers = key === undefined ? {} : { headers: { 'idempotency-key': key } }
    return call(url, { method: 'POST', path, by, ...(json ? { json: json as never } : {}), ...headers })
  }
}
