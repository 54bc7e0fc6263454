import {
  type Logger,
  type Refusal,
  type Turn,
  type TurnEnd,
  type TurnHooks,
  type TurnRecord,
  withTimeout,
} from '@sibyl/plugin'
import type { TurnStore } from './turn-store.ts'

export interface PluginHooks {
  readonly plugin: string
  readonly hooks: TurnHooks
}

/** The longest that one `before` hook may keep a person waiting, in milliseconds. */
export const beforeLimitMs = 2_000
/** The longest that one `after` hook may take, in milliseconds. */
export const afterLimitMs = 10_000

/** Runs the plugins' turn hooks; what they throw, return or never finish stays with them. */
export class TurnHookRunner {
  readonly #hooks: PluginHooks[] = []
  readonly #log: Logger

  constructor(log: Logger) {
    this.#log = log
  }

  /** Adds the hooks of a plugin, after those of the plugins that it depends on. */
  add(hooks: PluginHooks): void {
    this.#hooks.push(hooks)
  }

  /** Whether any plugin may refuse a turn. */
  get hasBefore(): boolean {
    return this.#hooks.some(({ hooks }) => hooks.before)
  }

  /** Whether any plugin wants to hear of a turn's end. */
  get hasAfter(): boolean {
    return this.#hooks.some(({ hooks }) => hooks.after)
  }

  /** Asks each plugin in turn; the first refusal counts. A hook that fails or takes too long does not refuse. */
  before(turn: Turn): Promise<Refusal | undefined> {
    return this.#refusal('before', hooks => hooks.before?.(turn))
  }

  /** Asks each plugin whether a tool call may run, as `before` does. */
  beforeCall(...call: Parameters<NonNullable<TurnHooks['beforeCall']>>): Promise<Refusal | undefined> {
    return this.#refusal('beforeCall', hooks => hooks.beforeCall?.(...call))
  }

  /**
   * Calls the hook of each plugin, in reverse order.
   *
   * @param succeeded Plugins whose hook succeeded before, which are not called again; those whose hook succeeds now are added.
   * @returns whether all have succeeded
   */
  async after(turn: TurnRecord, end: TurnEnd, succeeded: Set<string>): Promise<boolean> {
    let failed = 0
    for (const { plugin, hooks } of [...this.#hooks].reverse()) {
      if (!hooks.after || succeeded.has(plugin)) continue
      const isDone = await this.#contained(plugin, 'after', afterLimitMs, async () => {
        await hooks.after?.(turn, end)
        return true
      })
      if (isDone) succeeded.add(plugin)
      else failed += 1
    }
    return failed === 0
  }

  async #refusal(hook: 'before' | 'beforeCall', ask: (hooks: TurnHooks) => unknown): Promise<Refusal | undefined> {
    for (const { plugin, hooks } of this.#hooks) {
      if (!hooks[hook]) continue
      const answer = await this.#contained(plugin, hook, beforeLimitMs, () => ask(hooks))
      const refusal = readRefusal(answer)
      if (refusal) return refusal
      if (answer !== undefined) this.#log.error(`a ${hook} hook returned an invalid value`, { plugin })
    }
    return undefined
  }

  async #contained(plugin: string, hook: string, limitMs: number, call: () => unknown): Promise<unknown> {
    try {
      return await withTimeout(call, { timeoutMs: limitMs })
    } catch (error) {
      this.#log.error('a turn hook failed', { plugin, hook, error })
      return undefined
    }
  }
}

const statuses = new Set<unknown>([402, 403, 404, 409, 429, 503])

/** The longest text of a refusal, in characters. */
const maxDetail = 500

/** Returns a hook's value as a clean refusal; undefined when it is not a refusal. */
const readRefusal = (answer: unknown): Refusal | undefined => {
  if (typeof answer !== 'object' || answer === null) return undefined
  const { status, code, detail, retryAfterSeconds } = answer as { readonly [Key in keyof Refusal]: unknown }
  if (!statuses.has(status) || typeof code !== 'string' || typeof detail !== 'string') return undefined
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(code)) return undefined
  const waits = typeof retryAfterSeconds === 'number' && retryAfterSeconds >= 0 && retryAfterSeconds < 1e9
  return {
    status: status as Refusal['status'],
    code,
    detail: detail.slice(0, maxDetail),
    ...(waits ? { retryAfterSeconds: Math.ceil(retryAfterSeconds) } : {}),
  }
}

/** A turn that has ended, for the `after` hooks. */
export interface EndedTurn {
  readonly turn: TurnRecord
  readonly end: TurnEnd
  /** The plugins whose hooks succeeded before. */
  readonly done?: readonly string[]
  /** The number of earlier calls in which a hook of this turn failed. */
  readonly tries?: number
}

/** The pause before the second call of a failed hook, and the longest one, in milliseconds. */
const firstPauseMs = 1_000
const longestPauseMs = 3_600_000

/**
 * Calls the `after` hooks of ended turns. A turn owes them until each has succeeded: what failed is stored, and called again by
 * recovery.
 */
export class AfterHooks {
  readonly #hooks: TurnHookRunner
  readonly #turns: TurnStore
  readonly #log: Logger
  readonly #underWay = new Set<string>()
  /** Plugins whose hooks succeeded, of turns of which that could not be stored yet. */
  readonly #succeeded = new Map<string, Set<string>>()

  constructor(hooks: TurnHookRunner, turns: TurnStore, log: Logger) {
    this.#hooks = hooks
    this.#turns = turns
    this.#log = log
  }

  /** Whether the hooks of a turn are being called here. */
  isCalling(turnId: string): boolean {
    return this.#underWay.has(turnId)
  }

  /** Calls the hooks that a turn owes, and stores which of them succeeded. Never rejects. */
  async call({ turn, end, done = [], tries = 0 }: EndedTurn): Promise<void> {
    if (this.#underWay.has(turn.id)) return
    this.#underWay.add(turn.id)
    const succeeded = this.#succeeded.get(turn.id) ?? new Set(done)
    this.#succeeded.set(turn.id, succeeded)
    try {
      const isDone = await this.#hooks.after(turn, end, succeeded)
      if (isDone) await this.#turns.markHooksCalled(turn.id)
      else {
        const afterMs = Math.min(firstPauseMs * 2 ** tries, longestPauseMs)
        await this.#turns.postponeHooks(turn.id, { done: [...succeeded], tries: tries + 1, afterMs })
      }
      this.#succeeded.delete(turn.id)
    } catch (error) {
      this.#log.warn('the results of the hooks of a turn could not be stored; this is retried', {
        turn: turn.id,
        error,
      })
    } finally {
      this.#underWay.delete(turn.id)
    }
  }
}
