import type { JsonValue } from '@sibyl/protocol'
import type { WriteTransaction } from '../storage/ussd-tables.ts'

/**
 * Text of a screen: the same in every language, or by language code (`{ en: 'Welcome', sw: 'Karibu' }`). `{name}` is
 * replaced by the value of that name.
 */
export type Text = string | Readonly<Record<string, string>>

/** Session data for a flow's functions. */
export interface FlowContext {
  /** E.164 with its plus. */
  readonly phoneNumber: string
  readonly serviceCode: string
  /** The language code of the user: `en`. */
  readonly language: string
  /** Values that the session's screens have collected, by the name given as `into`. */
  readonly values: Readonly<Record<string, JsonValue>>
  /** The signed-in customer. */
  readonly customerId: string | undefined
}

/** Session data for an action. */
export interface ActionContext extends FlowContext {
  /** Values of secret screens, by the name given as `into`; removed once the action has ended. */
  readonly secrets: Readonly<Record<string, string>>
  /** Stable for this run of the action, also after a crash: pass it to services that accept one. */
  readonly idempotencyKey: string
  /** Aborts when the session or the process ends. */
  readonly signal: AbortSignal
}

/** Target of an answer: a screen's name, `exit` for the closing text, or a function that returns one. */
export type Target = string | ((context: FlowContext) => string)

/** Options of every screen. */
interface ScreenBase {
  /**
   * Whether `0` leads back to the previous screen, or the screen that it leads to instead, if the previous screen is
   * not accessible (a menu after signing in). @default true, and false on the start screen
   */
  readonly back?: boolean | string
}

/** Numbered options, one per line. */
export interface MenuScreen extends ScreenBase {
  readonly kind: 'menu'
  readonly text: Text
  /** At least one; numbered from 1 in this order, without those whose `when` returns false. */
  readonly options: readonly MenuOption[]
}

/** One line of a menu. */
export interface MenuOption {
  readonly label: Text
  readonly to: Target
  readonly when?: (context: FlowContext) => boolean
}

/**
 * A question with a free answer, on one message. `*` and `0` keep their meaning; if `0` is a valid answer, set `back:
 * false`. The lines `0. Back` and `*. Exit` are shown if there is space for them, and always work.
 */
export interface InputScreen extends ScreenBase {
  readonly kind: 'input'
  readonly text: Text
  /** The value's name. */
  readonly into: string
  /** Returns the value of the input (trimmed, 1 to 182 characters), or the problem of it. */
  readonly parse: (typed: string, context: FlowContext) => { readonly value: JsonValue } | { readonly problem: Text }
  readonly to: Target
}

/** Text on as many pages as it needs; without `ends`, `0` and `*` lead on. */
export interface MessageScreen extends ScreenBase {
  readonly kind: 'message'
  /** In a computed text braces are literal, and at most 8,000 characters are shown. */
  readonly text: Text | ((context: FlowContext) => Text)
  /** True if the session ends with this text, which must then fit on one page. @default false */
  readonly ends?: boolean
}

/** A question answered by 1 (yes) or 2 (no), by a caller who has seen it: input typed ahead does not answer it. */
export interface ConfirmScreen extends ScreenBase {
  readonly kind: 'confirm'
  readonly text: Text
  readonly yes: Target
  readonly no: Target
}

/** A question with a secret answer, such as a PIN: stored sealed until the next action has ended, and never shown. */
export interface SecretScreen extends ScreenBase {
  readonly kind: 'secret'
  readonly text: Text
  readonly into: string
  /** Returns the problem of the input. `secrets` are the earlier ones. */
  readonly check?: (
    typed: string,
    context: FlowContext & { readonly secrets: Readonly<Record<string, string>> },
  ) => Text | undefined
  readonly to: Target
}

/** One item of a list of any length. */
export interface ChoiceScreen extends ScreenBase {
  readonly kind: 'choice'
  readonly text: Text
  /** Must return the same list for the same context, for each page and for the answer; at most 1,000 are shown. */
  readonly items: (context: FlowContext) => readonly ChoiceItem[]
  /** Text where the list is empty. */
  readonly empty: Text
  readonly into: string
  readonly to: Target
}

export interface ChoiceItem {
  readonly label: Text
  readonly value: JsonValue
}

/** Work between two screens. It shows nothing if it is completed in time. */
export interface ActionScreen extends ScreenBase {
  readonly kind: 'action'
  /**
   * Effect of a crash during a run. `read`: it changes nothing except through `write`, so it runs again. `idempotent`:
   * its intent is stored first, and it runs again with the same key. `write`: its intent is stored first, and it never
   * runs again.
   */
  readonly effect: 'read' | 'idempotent' | 'write'
  readonly run: (context: ActionContext) => Promise<ActionResult>
  /** Time that the phone waits, in milliseconds. @default 8000 */
  readonly timeLimitMs?: number
  /** Text for a late action, with `1` to check again. @default the flow's text */
  readonly late?: Text
  /** Target if it throws, or if its outcome is unknown. @default a screen with an error that leads back */
  readonly failed?: Target
  /** All screens that `run` may lead to, for the linter. */
  readonly leadsTo: readonly string[]
}

export interface ActionResult {
  readonly to: string
  /** Values to set; `null` deletes one. */
  readonly values?: Readonly<Record<string, JsonValue>>
  /** Signs a customer in; null signs out. */
  readonly customerId?: string | null
  /** The new language of the session. */
  readonly language?: string
  /** Runs in the same transaction as the session's move: both are stored, once, or neither is. */
  readonly write?: (tx: WriteTransaction) => Promise<void>
}

/** A screen, by its kind. */
export type Screen =
  | MenuScreen
  | InputScreen
  | MessageScreen
  | ConfirmScreen
  | SecretScreen
  | ChoiceScreen
  | ActionScreen

export interface FlowLanguage {
  /** A BCP 47 code: `sw`. */
  readonly code: string
  /** Its own name for itself: `Kiswahili`. */
  readonly name: string
}

/** Texts that every screen shares. */
export interface FlowWords {
  /** The label of `*`: `Exit`. */
  readonly exit: Text
  /** The label of `0`: `Back`. */
  readonly back: Text
  /** The label of `98`: `More`. */
  readonly more: Text
  /** The label of `99`: `Previous`. */
  readonly previous: Text
  readonly yes: Text
  readonly no: Text
  /** Notice above a screen if the answer was none of its options. */
  readonly notAnOption: Text
  /** The last text after `*`. */
  readonly goodbye: Text
  /** Text for a late action; `1` checks again. */
  readonly late: Text
  /** The label of `1` there: `Check`. */
  readonly check: Text
  /** Text for a failed action. */
  readonly failed: Text
  /** Text for an action with an unknown outcome. */
  readonly unknownOutcome: Text
  /** Question of `USSD_RESUME=on`: continue where the last call ended? */
  readonly resume: Text
}

/** Keys that work on every screen. */
export interface FlowKeys {
  /** @default '0' */
  readonly back: string
  /** @default '98' */
  readonly more: string
  /** @default '99' */
  readonly previous: string
}

/** A value as shown in a text. */
export interface FlowValue {
  /**
   * Maximum displayed length; longer values are truncated with `…` or `...`. In characters; those that need two septets
   * in GSM-7 or two code units in UCS-2 count twice.
   */
  readonly longest: number
  /** Value for the linter, in addition to a text of the longest length. */
  readonly example?: string
}

/** A menu tree as data. `*` always ends the session, and an empty text always begins at `start`. */
export interface Flow {
  readonly start: string
  readonly screens: Readonly<Record<string, Screen>>
  /** Languages, the default first. @default English only */
  readonly languages?: readonly FlowLanguage[]
  /** Values that texts show in braces. */
  readonly values?: Readonly<Record<string, FlowValue>> | undefined
  readonly words?: Partial<FlowWords>
  readonly keys?: Partial<FlowKeys>
}
