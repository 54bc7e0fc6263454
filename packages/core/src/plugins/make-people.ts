import { eachRow, type Host, isoTime, type Logger, type PersonalData, type PersonalRecords } from '@sibyl/plugin'
import type { Turns } from '@sibyl/plugin/host'
import { coreErrors } from '../errors/core-errors.ts'
import { createExportStreams } from '../people/export-stream.ts'
import type { Session, SessionStore } from '../sessions/session-store.ts'
import { type StoredMessage, textOf } from '../sessions/stored-message.ts'
import { withinTime } from '../time/time-limit.ts'
import { corePart, sessionsPart } from './plugin-name.ts'

/** Time limit of each part of an export or an erasure. */
export const personalRecordsLimitMs = 30_000

/** The personal data of a plugin, under its name. */
export interface NamedRecords {
  readonly name: string
  readonly records: PersonalRecords
}

export interface PeopleParts {
  readonly turns: {
    readonly forPlugins: Pick<Turns, 'forget'>
    readonly sessions: Pick<SessionStore, 'list' | 'messages'>
  }
  /** The personal data in core besides sessions. */
  readonly core: PersonalRecords
  /** Returns whether a DID is, or was, that of the oracle. */
  isOracle(did: string): Promise<boolean>
  /** Returns whether a person has a legal hold. */
  isHeld(did: string): Promise<boolean>
  /** Returns the plugins with personal data. Throws `not_booted` before they are known. */
  plugins(): readonly NamedRecords[]
  readonly log: Logger
  /** For each part, in milliseconds. @default 30_000 */
  readonly limitMs?: number
}

/**
 * Creates the export and erasure of personal data for plugins. An export reads all parts at the same time. An erasure
 * runs from sessions through the plugins, dependents first, to core, so that each part still finds its dependencies.
 */
export const makePeople = (parts: PeopleParts): Host['people'] => {
  const { turns, log, limitMs = personalRecordsLimitMs } = parts
  const plugins = (): readonly NamedRecords[] => [{ name: corePart, records: parts.core }, ...parts.plugins()]
  const assertPerson = async (did: string): Promise<void> => {
    if (await parts.isOracle(did)) throw coreErrors.person_is_oracle()
  }

  const assertErasable = async (did: string): Promise<void> => {
    await assertPerson(did)
    if (await parts.isHeld(did)) throw coreErrors.person_held()
  }

  /** Runs a part of the work; an error is logged under the name of the part and added to `failed`. */
  const attempt = async <Value>(
    { what, part, failed }: { what: 'export' | 'erase'; part: string; failed: string[] },
    work: () => Promise<Value>,
  ): Promise<Value | undefined> => {
    const result = await withinTime(work, { limitMs })
    if (result.outcome === 'done') return result.value
    failed.push(part)
    const { outcome } = result
    const words = what === 'export' ? 'export' : 'erasure'
    log.error(`the ${words} of the data of a person ${outcome === 'late' ? 'took too long' : 'failed'}`, {
      ...(part === sessionsPart || part === corePart ? {} : { plugin: part }),
      ...(outcome === 'failed' ? { error: result.error } : {}),
    })
    return undefined
  }

  return {
    async export(did) {
      const sources = plugins()
      await assertPerson(did)
      const failed: string[] = []
      const what = 'export'
      const kept = await Promise.all(
        sources.map(({ name, records }) => attempt({ what, part: name, failed }, () => records.export(did))),
      )
      if (failed.length > 0) throw recordsFailed(what, failed)
      const named = sources.flatMap(({ name }, place): [string, PersonalData][] => {
        const value = kept[place]
        return value === undefined ? [] : [[name, value]]
      })
      return { [sessionsPart]: sessionsOf(turns.sessions, did), ...Object.fromEntries(named) }
    },
    stream: createExportStreams(log),
    assertErasable,
    async erase(did) {
      const sources = plugins()
      await assertErasable(did)
      const failed: string[] = []
      const what = 'erase'
      await attempt({ what, part: sessionsPart, failed }, () => turns.forPlugins.forget(did))
      for (const { name, records } of sources.toReversed())
        await attempt({ what, part: name, failed }, () => records.erase(did))
      if (failed.length > 0) throw recordsFailed(what, failed)
    },
  }
}

async function* sessionsOf(sessions: PeopleParts['turns']['sessions'], did: string): AsyncGenerator<PersonalData> {
  const all = eachRow<Session>(last => sessions.list(did, { limit: 100, afterId: last?.id ?? '' }))
  for await (const { id } of all) yield { session: id, messages: messagesOf(sessions, did, id) }
}

async function* messagesOf(sessions: PeopleParts['turns']['sessions'], did: string, session: string) {
  for await (const { role, parts, createdAt } of eachRow<StoredMessage>(last =>
    sessions.messages(did, session, last?.id, 20),
  ))
    yield { role, text: textOf(parts), at: isoTime(createdAt) }
}

const recordsFailed = (what: 'export' | 'erase', parts: readonly string[]) =>
  coreErrors.personal_records_failed({ done: what === 'export' ? 'exported' : 'erased', parts }, { facts: { parts } })
