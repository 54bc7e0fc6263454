import { isDeepStrictEqual } from 'node:util'
import type { EntityRecord } from '@sibyl/plugin-entities/records'
import type { JsonValue } from '@sibyl/protocol'
import { type CallAnswer, type Caller, call } from '../entities/call.ts'

type Properties = Readonly<Record<string, JsonValue>>
type Relationships = Readonly<Record<string, readonly string[]>>

/** An entity to create, and its creator. */
export interface Creation {
  /** The `Idempotency-Key`. */
  readonly key: string
  readonly by: Caller
  readonly type: string
  readonly protocol?: string
  readonly properties: Properties
  readonly relationships?: Relationships
  readonly membershipGroups?: readonly string[]
  /** Whether the request is sent twice at the same time. */
  readonly twice: boolean
  /** True if it may be deactivated; others are never related to it. */
  readonly mortal: boolean
}

/** A change that a client asks for. */
export type Change =
  | { readonly kind: 'create' | 'deactivate' }
  | { readonly kind: 'patch'; readonly properties: Properties }
  | { readonly kind: 'relate' | 'unrelate'; readonly relationship: string; readonly target: string }

/** Outcome of a request: `broken` if its response was lost, so that it is repeated. */
export type Outcome =
  | 'acknowledged'
  | 'broken'
  | { readonly fault: 'lost' | 'doubled' | 'wrong'; readonly said: string }

/** State of an entity as its client knows it. */
interface State {
  readonly version: number
  readonly status: string
  readonly properties: Properties
  readonly relationships: Relationships
}

/** An entity in its acknowledged state. Its client sends one request at a time. */
export class KnownEntity {
  readonly creation: Creation
  did: string | undefined
  state: State
  /** Names that it had before. */
  readonly oldNames: string[] = []
  #asked: Change | undefined = { kind: 'create' }
  #isAgain = false

  constructor(creation: Creation) {
    this.creation = creation
    this.state = { version: 0, status: 'active', properties: {}, relationships: {} }
  }

  /** Returns whether one of its requests was interrupted and must be repeated. */
  get waits(): boolean {
    return this.#isAgain
  }

  /** Requests a change; repeats the interrupted one if there is one. */
  async turn(url: string, wanted?: Change): Promise<Outcome> {
    const change = this.#asked ?? wanted
    if (!change) throw new Error('nothing is asked for')
    const again = this.#isAgain
    this.#asked = change
    const answer = await this.#send(url, change)
    // The outcome of a postponed write may be unknown, as after a broken connection.
    this.#isAgain = answer === undefined || answer.status === 503
    if (answer === undefined || answer.status === 503) return 'broken'
    this.#asked = undefined
    const after = this.#after(change)
    if (answer.status < 300) return this.#adopt(answer.body, after)
    const isMade =
      again &&
      ((change.kind === 'patch' && answer.status === 412) || (change.kind === 'deactivate' && answer.status === 409))
    const now = await this.#get(url)
    if (now === undefined) return 'broken'
    if (isMade && now.status === 200) return this.#adopt(now.body, after)
    const text = JSON.stringify({ change, again, answer, now: now.body, known: this.state })
    if (now.status === 404) return { fault: 'lost', said: text }
    return { fault: versionFault(now.body.version, this.state.version), said: text }
  }

  /** Reads it, and compares it with what is known. */
  async check(url: string): Promise<Outcome> {
    const answer = await this.#get(url)
    if (answer === undefined) return 'broken'
    if (answer.status !== 200) return { fault: 'lost', said: JSON.stringify({ answer, known: this.state }) }
    return this.#adopt(answer.body, this.state)
  }

  /** Sends its creation again; the answer has to be the one that it was given then. */
  async repeat(url: string): Promise<Outcome> {
    const answer = await this.#create(url)
    if (answer === undefined) return 'broken'
    const { status, body } = answer
    if (status === 201 && body.did === this.did && body.version === 1) return 'acknowledged'
    return {
      fault: status === 201 ? 'doubled' : 'wrong',
      said: JSON.stringify({ again: this.creation.key, answer, did: this.did }),
    }
  }

  #adopt(record: EntityRecord, after: State): Outcome {
    this.did ??= record.did
    const isSame =
      record.did === this.did &&
      record.version === after.version &&
      record.status === after.status &&
      isDeepStrictEqual(record.properties, after.properties) &&
      isDeepStrictEqual(sorted(record.relationships), sorted(after.relationships))
    if (!isSame) {
      const text = JSON.stringify({ record, after, did: this.did })
      return { fault: record.did === this.did ? versionFault(record.version, after.version) : 'doubled', said: text }
    }
    if (after.properties.name !== this.state.properties.name) this.oldNames.push(String(this.state.properties.name))
    this.state = after
    return 'acknowledged'
  }

  #after(change: Change): State {
    const { version, properties, relationships } = this.state
    const next = { ...this.state, version: version + 1 }
    switch (change.kind) {
      case 'create':
        return { ...next, properties: this.creation.properties, relationships: this.creation.relationships ?? {} }
      case 'deactivate':
        return { ...next, status: 'deactivated' }
      case 'patch':
        return { ...next, properties: { ...properties, ...change.properties } }
      default: {
        const { [change.relationship]: targets = [], ...others } = relationships
        const left = targets.filter(one => one !== change.target)
        const now = change.kind === 'relate' ? [...left, change.target] : left
        return { ...next, relationships: now.length > 0 ? { ...others, [change.relationship]: now } : others }
      }
    }
  }

  async #create(url: string): Promise<CallAnswer<EntityRecord> | undefined> {
    const { key, by, twice: _, mortal: __, ...json } = this.creation
    return call(url, {
      method: 'POST',
      path: '/v1/entities',
      by,
      json: json as never,
      headers: { 'idempotency-key': key },
    })
  }

  #get(url: string): Promise<CallAnswer<EntityRecord> | undefined> {
    return call(url, { path: this.#path, by: this.creation.by })
  }

  get #path(): string {
    return `/v1/entities/${encodeURIComponent(this.did ?? 'nobody')}`
  }

  async #send(url: string, change: Change): Promise<CallAnswer<EntityRecord> | undefined> {
    const { by, twice } = this.creation
    const headers = { 'if-match': `"${this.state.version}"` }
    switch (change.kind) {
      case 'create': {
        const [one, other] = await Promise.all([this.#create(url), twice ? this.#create(url) : undefined])
        // The one that did not come through is sent again, and has to give the same.
        if (one && other && other.status < 300) this.did ??= other.body.did
        return one
      }
      case 'deactivate':
        return call(url, { method: 'DELETE', path: this.#path, by, headers })
      case 'patch':
        return call(url, { method: 'PATCH', path: this.#path, by, headers, json: { properties: change.properties } })
      case 'relate': {
        const json = { relationship: change.relationship, targets: [change.target] }
        return call(url, { method: 'POST', path: `${this.#path}/relationships`, by, json })
      }
      default: {
        const query = new URLSearchParams({ relationship: change.relationship, target: change.target })
        return call(url, { method: 'DELETE', path: `${this.#path}/relationships?${query}`, by })
      }
    }
  }
}

const versionFault = (is: number, known: number) => (is < known ? 'lost' : is > known ? 'doubled' : 'wrong')

const sorted = (relationships: Readonly<Record<string, readonly string[] | string>>): Relationships =>
  Object.fromEntries(Object.entries(relationships).map(([name, targets]) => [name, [targets].flat().sort()]))
