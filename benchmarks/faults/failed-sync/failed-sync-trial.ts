import type { SigningKey } from '@sibyl/identity'
import { Ledger, type StoredSession } from '../frame/ledger.ts'
import type { Random } from '../frame/random.ts'
import type { Fault } from '../frame/run-fault.ts'
import type { OracleProcess } from '../frame/start-oracle.ts'
import { takeTurn } from '../frame/take-turn.ts'
import type { UnreliableDisk } from '../frame/unreliable-disk.ts'

const atOnce = 8
const turnsBefore = 3
const writesAfter = 5
/** After how long the sync fails, so that clients are at different points of their turns, in milliseconds. */
const armedAfterMs = [100, 400] as const
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
/** Time limit for the end of the process, in milliseconds; the end itself is awaited. */
const latestEndMs = 60_000

/** Exit codes without a restart: a clean end, and code 3 of `examples/deploy/oracle.service`. */
const notRestarted: readonly (number | null)[] = [0, 3]

/**
 * Endings of a process after a failed sync: its own exit, a kill by an impatient supervisor, or a power cut of its
 * disk.
 */
export const endings = ['exit', 'kill', 'power-cut'] as const

/** Fails syncs under an oracle and records what its clients were acknowledged. */
export class FailedSyncTrial {
  readonly #ledger = new Ledger()
  readonly #disk: UnreliableDisk
  readonly #person: SigningKey
  readonly #random: Random
  readonly #counts = { cycles: 0, refused: 0, healthy: 0, accepted: 0, readable: 0, notEnded: 0, ended: 0, kept: 0 }
  readonly #exitCodes = new Set<number | null>()
  /** Sessions whose only write was refused after the failure. */
  readonly #refusedSessions: string[] = []
  #sent = 0

  constructor(disk: UnreliableDisk, person: SigningKey, random: Random) {
    this.#disk = disk
    this.#person = person
    this.#random = random
  }

  /** Works, fails one sync, tries to write on, and ends the process or waits for its end. */
  async cycle(oracle: OracleProcess, ending: (typeof endings)[number]): Promise<void> {
    this.#counts.cycles += 1
    await this.work(oracle)
    let armed = false
    let failureSeen = false
    const converse = async () => {
      const sessionId = this.#name('session')
      while (!failureSeen && oracle.alive) {
        if (await this.#send(oracle, sessionId)) continue
        if (failureSeen || !armed) continue
        failureSeen = true
        await this.#writeOn(oracle)
      }
    }
    const clients = Array.from({ length: atOnce }, converse)
    await pause(this.#random.integer(...armedAfterMs))
    this.#disk.failNextSync()
    armed = true
    if (!(await this.#wasDegraded(oracle))) this.#counts.healthy += 1
    await Promise.all(clients)
    if (ending !== 'exit') {
      await oracle.end('SIGKILL')
      if (ending === 'power-cut') this.#disk.cutPower()
      return
    }
    const given = new Promise(resolve => setTimeout(resolve, latestEndMs).unref())
    const ended = new Promise(resolve => (oracle.alive ? oracle.child.once('exit', resolve) : resolve(undefined)))
    await Promise.race([ended, given])
    if (oracle.alive) {
      this.#counts.notEnded += 1
      await oracle.end('SIGKILL')
      return
    }
    this.#exitCodes.add(oracle.child.exitCode)
    if (notRestarted.includes(oracle.child.exitCode)) this.#counts.ended += 1
  }

  /** Several clients take turns, each in a session of its own. */
  async work(oracle: OracleProcess): Promise<void> {
    const converse = async () => {
      const sessionId = this.#name('session')
      for (let turn = 0; turn < turnsBefore; turn += 1) await this.#send(oracle, sessionId)
    }
    await Promise.all(Array.from({ length: atOnce }, converse))
  }

  /** Compares acknowledged data with stored data, and reports the figures. */
  async judge(oracle: OracleProcess, fault: Fault): Promise<void> {
    const { cycles, refused, healthy, accepted, readable, notEnded, ended } = this.#counts
    const reader = oracle.actor(this.#person)
    const find = async (session: string) => {
      const response = await reader.request(`/sessions/${session}`)
      return response.status === 200 ? ((await response.json()) as StoredSession) : undefined
    }
    const verdict = await this.#ledger.compare(find)
    for (const session of this.#refusedSessions) if (await find(session)) this.#counts.kept += 1
    fault.figure('failed syncs', cycles)
    fault.figure('exit codes', [...this.#exitCodes].join(', '))
    fault.atLeast('writes refused after a failed sync', refused, cycles)
    fault.atMost('writes accepted after a failed sync', accepted, 0)
    fault.atMost('refused writes that could be read', readable, 0)
    fault.atMost('refused writes that were kept', this.#counts.kept, 0)
    fault.atMost('times that /health was not 503, degraded and disconnected', healthy, 0)
    fault.atMost('processes that did not end', notEnded, 0)
    fault.atMost('processes with an exit code that is not restarted', ended, 0)
    fault.figure('messages acknowledged', verdict.messages)
    fault.figure('answers acknowledged', verdict.answers)
    fault.atMost('acknowledged messages lost', verdict.lostMessages, 0)
    fault.atMost('acknowledged answers lost', verdict.lostAnswers, 0)
    fault.atMost('messages stored twice', verdict.doubled, 0)
  }

  /** Says something; whether the oracle took it in. */
  async #send(oracle: OracleProcess, sessionId: string): Promise<boolean> {
    const messageId = this.#name('message')
    const message = { sessionId, messageId, text: messageId }
    const turn = await takeTurn(oracle.actor(this.#person), message, heard => {
      if (heard === 'acknowledged') this.#ledger.message(sessionId, messageId, messageId)
    })
    if (turn.last?.type === 'finish') {
      this.#ledger.answer(sessionId, String(turn.last.eventId).split(':')[0]!, turn.text)
    }
    return turn.status === 200
  }

  /** Whether `/health` said that the database is gone before the process ended, or for too long did not. */
  async #wasDegraded(oracle: OracleProcess): Promise<boolean> {
    const until = performance.now() + latestEndMs
    while (oracle.alive && performance.now() < until) {
      const health = await fetch(`${oracle.url}/health`).catch(() => undefined)
      const { status, database } = ((await health?.json()) ?? {}) as { status?: string; database?: string }
      if (health?.status === 503 && status === 'degraded' && database === 'disconnected') return true
      await pause(20)
    }
    return false
  }

  /** Writes after a write was refused, and reads what of it is there. */
  async #writeOn(oracle: OracleProcess): Promise<void> {
    for (let write = 0; write < writesAfter; write += 1) {
      const sessionId = this.#name('late')
      if (await this.#send(oracle, sessionId)) this.#counts.accepted += 1
      else {
        this.#counts.refused += 1
        this.#refusedSessions.push(sessionId)
      }
      if ((await this.#statusOf(oracle, sessionId)) === 200) this.#counts.readable += 1
    }
  }

  /** The status of a session; undefined once the process has ended. */
  async #statusOf(oracle: OracleProcess, sessionId: string): Promise<number | undefined> {
    try {
      return (await oracle.actor(this.#person).request(`/sessions/${sessionId}`)).status
    } catch {
      return undefined
    }
  }

  #name(kind: string): string {
    this.#sent += 1
    return `${kind}-${this.#sent}`
  }
}
