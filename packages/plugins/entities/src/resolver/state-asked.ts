import type { DidResolutionOptions } from '@sibyl/protocol'
import { z } from 'zod'
import type { StateAsked } from './past-state.ts'

const time = z.iso.datetime({ offset: true })

/**
 * Reads which state of a document is asked for. A time without fractions of a second means the whole second, as `created`
 * and `updated` are told in whole seconds.
 *
 * @returns undefined for the present one; a text that says what is wrong
 */
export const stateAsked = ({ versionId, versionTime }: DidResolutionOptions): StateAsked | string | undefined => {
  if (versionId !== undefined && versionTime !== undefined) return 'Give versionId or versionTime, not both.'
  if (versionId !== undefined) {
    return /^[1-9]\d{0,8}$/.test(versionId)
      ? { version: Number(versionId) }
      : 'A versionId is a number from 1, such as 3.'
  }
  if (versionTime === undefined) return undefined
  if (!time.safeParse(versionTime).success) return 'A versionTime is a time such as 2026-11-21T09:30:00Z.'
  const at = Date.parse(versionTime)
  return { at: versionTime.includes('.') ? at : at + 999 }
}
