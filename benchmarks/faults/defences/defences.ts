import { accessDefences } from './access.ts'
import type { Defences } from './defence.ts'
import { limitDefences } from './limits.ts'
import { storageDefences } from './storage.ts'
import { turnDefences } from './turns.ts'
import { twinDefences } from './twins.ts'
import { ussdDefences } from './ussd.ts'

export type { Defence } from './defence.ts'

/** Every defence that a fault script or `tooling/broken-defences` can remove. */
export const defences: Defences = {
  ...turnDefences,
  ...accessDefences,
  ...limitDefences,
  ...storageDefences,
  ...ussdDefences,
  ...twinDefences,
}
