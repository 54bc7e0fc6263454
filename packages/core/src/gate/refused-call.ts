import { ToolFailure } from '@sibyl/plugin'
import type { GateVerdict } from './capability-gate.ts'

/** Creates the error that the model reads when the gate denies a call. */
export const refusedCall = (name: string, verdict: Extract<GateVerdict, { allowed: false }>): ToolFailure => {
  switch (verdict.reason) {
    case 'unknown_tool':
      return new ToolFailure(`There is no tool '${name}'.`)
    case 'not_loaded':
      return new ToolFailure(
        `'${name}' belongs to '${verdict.capability}', which is not loaded: call load_capability first.`,
      )
    case 'ability_missing':
      return new ToolFailure(
        `'${name}' needs the ability ${shownAbilities(verdict.abilities)}, which this caller does not hold. It was not run.`,
      )
  }
}

/** The abilities of which one is enough, as text. */
export const shownAbilities = (abilities: readonly string[]): string => abilities.join(' or ')
