import type { Asker } from '../ask/asker.ts'
import type { ScaffoldJournal } from './journal/scaffold-journal.ts'
import type { ScaffoldEffects } from './scaffold-effects.ts'

/** What making it needs. */
export interface ScaffoldMeans {
  /** How `sibyl new` was called, to be typed again: `npm create sibyl --`. */
  readonly called: string
  readonly effects: ScaffoldEffects
  readonly asker: Asker
  readonly journal: ScaffoldJournal
  /** Ends it; from the moment on at which the project is in its place, nothing does. */
  readonly signal: AbortSignal
}
