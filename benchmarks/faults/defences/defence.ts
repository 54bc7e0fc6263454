import type { SourceReplacement } from '../frame/replace-source.ts'

/** A defence of the sources, and the change that removes it. */
export interface Defence {
  /** The consequence of its removal. */
  readonly broken: string
  readonly replacements: readonly SourceReplacement[]
}

/** Defences by name. */
export type Defences = Readonly<Record<string, Defence>>
