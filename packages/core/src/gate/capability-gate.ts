import { holdsAbility, type Tool, ToolFailure } from '@sibyl/plugin'
import { abilitiesOf, type LoadMode, sendAbility } from '@sibyl/plugin/host'

export interface ToolOrigin {
  /** The plugin or capability that provides it. */
  readonly capability: string
  readonly mode: LoadMode
  /** Returns whether the manifest requires approval for every call of one of its tools. */
  asksPerson(tool: string): boolean
}

export interface JudgedTool {
  readonly origin: ToolOrigin
  readonly tool: Pick<Tool, 'ability'>
}

/** The caller and the session of a decision. */
export interface GateFacts {
  /** The capabilities that the session has loaded. */
  readonly loaded: ReadonlySet<string>
  /** The abilities of the caller. */
  readonly scopes: readonly string[]
}

/** The decision of the gate on one tool. */
export type GateVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: 'unknown_tool' }
  | { readonly allowed: false; readonly reason: 'not_loaded'; readonly capability: string }
  /** The caller has none of the abilities, of which one is enough. */
  | { readonly allowed: false; readonly reason: 'ability_missing'; readonly abilities: readonly string[] }

/**
 * Decides whether a tool may be offered and run: it belongs to an `always` capability or to a loaded one, and the
 * caller has `chat/send` and the required ability. Everything else is denied.
 */
export const judgeTool = (judged: JudgedTool | undefined, { loaded, scopes }: GateFacts): GateVerdict => {
  if (!judged) return { allowed: false, reason: 'unknown_tool' }
  const { origin, tool } = judged
  if (origin.mode !== 'always' && !loaded.has(origin.capability)) {
    return { allowed: false, reason: 'not_loaded', capability: origin.capability }
  }
  const missing = [sendAbility, tool.ability].find(ability => !holdsAbility(scopes, ability))
  if (missing === undefined) return { allowed: true }
  return { allowed: false, reason: 'ability_missing', abilities: abilitiesOf(missing) }
}

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
        `'${name}' requires the ability ${shownAbilities(verdict.abilities)}, which this caller does not have. It was not run.`,
      )
  }
}

/** Returns the alternative abilities as text. */
export const shownAbilities = (abilities: readonly string[]): string => abilities.join(' or ')
