import type { Mnemonic } from '@sibyl/identity'
import { CommandError } from '../errors/command-error.ts'
import { type RegistryNode, shownAddress } from '../registry/registry-node.ts'
import type { ScaffoldAnswers } from './answers/scaffold-answers.ts'
import type { Progress } from './journal/scaffold-journal.ts'
import type { ScaffoldMeans } from './scaffold-effects.ts'

export interface Registration {
  readonly entityDid: string
  readonly controllerDid: string
  /** Its location, for display. */
  readonly registry: { readonly title: string; readonly url: string; readonly startedHere: boolean }
}

interface NewOracle {
  readonly answers: ScaffoldAnswers
  readonly words: Mnemonic
  readonly oracleDid: string
}

/** Error codes of a registry that rejected the request. */
const refusals: ReadonlySet<string> = new Set(['registry_refused', 'access_refused', 'not_signed_in'])

/** Time in milliseconds that registries certainly remember an idempotency key: an hour less than the guaranteed day. */
const keyMs = 23 * 3_600_000

/** Registers the entity of an oracle; repeated attempts register it once. */
export const registerEntity = async (
  oracle: NewOracle,
  progress: Progress,
  means: ScaffoldMeans,
): Promise<Registration> => {
  const { answers, words, oracleDid } = oracle
  const { effects, asker } = means
  const { entityDid, controllerDid, registry } = progress.record
  if (entityDid !== undefined && controllerDid !== undefined && registry !== undefined) {
    return { entityDid, controllerDid, registry }
  }
  const node = await asker.during(`Connecting to the registry of ${answers.network}`, () => openNode(oracle, means))
  try {
    const need = { answers, mnemonic: words, expectedDid: controllerDid }
    const controller = await effects.controllerFor(need, node)
    means.signal.throwIfAborted()
    const opened = await effects.openRegistry(node, controller, { signal: means.signal })
    const place = { title: node.title, url: shownAddress(node), startedHere: node.startedHere }
    const wasBegun = progress.begun
    await progress.note({ controllerDid: controller.did, registry: place })
    const { idempotencyKey, startedAt } = progress.record
    const done = async (entityDid: string): Promise<Registration> => {
      await progress.note({ entityDid })
      await opened.forget(idempotencyKey)
      return { entityDid, controllerDid: controller.did, registry: place }
    }
    // Also if the clock was ahead at that time: the age of the record is unknown.
    if (wasBegun && Math.abs(Date.now() - Date.parse(startedAt)) > keyMs) {
      const found = await asker.during(`Looking for ${answers.profile.name} at ${node.title}`, () =>
        effects.findOracle({ opened, oracleDid }),
      )
      if (found !== undefined) {
        asker.note([`Already registered by the previous run: ${found}`])
        return await done(found)
      }
    }
    try {
      const made = await asker.during(`Registering ${answers.profile.name} at ${node.title}`, () =>
        effects.registerOracle({ answers, opened, oracleDid, idempotencyKey }),
      )
      return await done(made)
    } catch (error) {
      if (!wasBegun && error instanceof CommandError && refusals.has(error.code)) await progress.discard()
      throw error
    }
  } finally {
    await node.close()
  }
}

/** Opens the registry; if the user canceled the wait, it is closed as soon as it is open. */
const openNode = async ({ answers }: NewOracle, { effects, signal }: ScaffoldMeans): Promise<RegistryNode> => {
  const node = await effects.openNode(answers)
  if (signal.aborted) await node.close()
  return node
}
