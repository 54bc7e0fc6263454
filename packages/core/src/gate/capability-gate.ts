import type { LoadMode } from '../plugins/plugin-manifest.ts'

/** Where a tool comes from. */
export interface ToolOrigin {
  /** The plugin or capability that offers it. */
  readonly capability: string
  readonly mode: LoadMode
  /** Whether the manifest has a person approve every call of one of its tools. */
  asksPerson(tool: string): boolean
}

/** The gate's verdict on one tool. */
export type GateVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: 'unknown_tool' | 'not_loaded'; readonly capability?: string }

/**
 * Decides whether a tool may be seen and run: one of an `always` capability, or of one that the session has loaded.
 * Everything else is denied.
 */
export const judgeTool = (origin: ToolOrigin | undefined, loaded: ReadonlySet<string>): GateVerdict => {
  if (!origin) return { allowed: false, reason: 'unknown_tool' }
  if (origin.mode === 'always' || loaded.has(origin.capability)) return { allowed: true }
  return { allowed: false, reason: 'not_loaded', capability: origin.capability }
}
