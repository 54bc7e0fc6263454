import type { Mnemonic } from '@sibyl/identity'
import { CommandError } from '../errors/command-error.ts'
import { type RegistryNode, shownAddress } from '../registry/registry-node.ts'
import type { ScaffoldAnswers } from './answers/scaffold-answers.ts'
import type { Progress } from './journal/scaffold-journal.ts'
import type { ScaffoldMeans } from './scaffold-effects.ts'

export interface Registration {
  readonly entityDid: string
  readonly controllerDid: string
  /** Where it is, for people. */
  readonly registry: { readonly title: string; readonly url: string; readonly startedHere: boolean }
}

interface NewOracle {
  readonly answers: ScaffoldAnswers
  readonly words: Mnemonic
  readonly oracleDid: string
}

/** Codes of a registry that has not taken what it was sent. */
const refusals: ReadonlySet<string> = new Set(['registry_refused', 'access_refused', 'not_signed_in'])

/** How long registries know an idempotency key for certain, in milliseconds: an hour less than the day that they promise. */
const keyMs = 23 * 3_600_000

/** Registers an oracle's entity, once, however often it is tried. */
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
    const need = { answers, mnemonic: words.reveal(), expectedDid: controllerDid }
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
    // Also where the clock was ahead then: how long ago that was is not known.
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
      if (!wasBegun && error instanceof CommandError && refusals.has(error.code)) await progress.takeBack()
      throw error
    }
  } finally {
    await node.close()
  }
}

/** Opens it; where the person did not wait for it, it is let go of as soon as it is there. */
const openNode = async ({ answers }: NewOracle, { effects, signal }: ScaffoldMeans): Promise<RegistryNode> => {
  const node = await effects.openNode(answers)
  if (signal.aborted) await node.close()
  return node
}
