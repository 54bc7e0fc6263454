import type { FlowLanguage, FlowWords } from '../flow/flow.ts'
import type { english } from './english.ts'

/**
 * The texts of the default flow in one language, by the names of the English ones. `{oracle}` is the oracle's name;
 * `{price}` and `{contact}` are set by its operator; the other names in braces are values of the session. A screen
 * holds 182 characters of GSM-7, or 80 with one character outside of it: measure with `phoneTextLength`.
 */
export type DefaultTexts = Readonly<Record<keyof (typeof english)['texts'], string>>

export interface Language extends FlowLanguage {
  /** Texts that all screens share. */
  readonly words: Readonly<Record<keyof FlowWords, string>>
  readonly texts: DefaultTexts
}
