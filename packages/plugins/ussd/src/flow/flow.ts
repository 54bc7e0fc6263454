import type { JsonValue } from '@sibyl/protocol'
import type { WriteTransaction } from '../storage/ussd-tables.ts'

/**
 * Words of a screen: the same in every language, or by language code (`{ en: 'Welcome', sw: 'Karibu' }`). `{name}` stands
 * for the value of that name.
 */
export type Text = string | Readonly<Record<string, string>>

/** Session data for a flow's functions. */
export interface FlowContext {
  /** E.164 with its plus. */
  readonly phoneNumber: string
  readonly serviceCode: string
  /** The code of the language the person reads: `en`. */
  readonly language: string
  /** Values that the session's screens gathered so far, by the name given as `into`. */
  readonly values: Readonly<Record<string, JsonValue>>
  /** The signed-in customer. */
  readonly customerId: string | undefined
}

/** Session data for an action. */
export interface ActionContext extends FlowContext {
  /** Values of secret screens, by the name given as `into`; removed once the action has ended. */
  readonly secrets: Readonly<Record<string, string>>
  /** Stable for this run of the action, also after a crash: hand it to services that take one. */
  readonly idempotencyKey: string
  /** Aborts when the session or the process ends. */
  readonly signal: AbortSignal
}

/** Target of an answer: a screen's name, `exit` for the closing text, or a function that chooses. */
export type Target = string | ((context: FlowContext) => string)

/** Options of every screen. */
interface ScreenBase {
  /**
   * Whether `0` leads back to the previous screen, or the screen that it leads to instead, if the previous screen is
   * not accessible (a menu after signing in). @default true, and false on the start screen
   */
  readonly back?: boolean | string
}

/** Numbered options, one to a line. */
export interface MenuScreen extends ScreenBase {
  readonly kind: 'menu'
  readonly text: Text
  /** At least one; numbered from 1 in this order, those whose `when` says no left out. */
  readonly options: readonly MenuOption[]
}

/** One line of a menu. */
export interface MenuOption {
  readonly label: Text
  readonly to: Target
  readonly when?: (context: FlowContext) => boolean
}

/**
 * A question with a free answer, on one message. `*` and `0` alone keep their meaning; where `0` is an answer, say
 * `back: false`. The lines `0. Back` and `*. Exit` are shown where there is room for them, and work in any case.
 */
export interface InputScreen extends ScreenBase {
  readonly kind: 'input'
  readonly text: Text
  /** The value's name. */
  readonly into: string
  /** Returns the value of the input (trimmed, 1 to 182 characters), or what is wrong with it. */
  readonly parse: (typed: string, context: FlowContext) => { readonly value: JsonValue } | { readonly problem: Text }
  readonly to: Target
}

/** Words to read, on as many pages as they need; without `ends`, `0` and `*` are the ways on. */
export interface MessageScreen extends ScreenBase {
  readonly kind: 'message'
  /** In a computed text braces are literal, and no more than 8,000 characters are shown. */
  readonly text: Text | ((context: FlowContext) => Text)
  /** True if the session ends with this text, which must then fit on one page. @default false */
  readonly ends?: boolean
}

/** A question to be answered by 1 (yes) or 2 (no), by a caller who has seen it: input typed ahead does not answer it. */
export interface ConfirmScreen extends ScreenBase {
  readonly kind: 'confirm'
  readonly text: Text
  readonly yes: Target
  readonly no: Target
}

/** A question whose answer is secret, such as a PIN: stored sealed until the next action has ended, never shown. */
export interface SecretScreen extends ScreenBase {
  readonly kind: 'secret'
  readonly text: Text
  readonly into: string
  /** Returns what is wrong with the input. `secrets` are those gathered before. */
  readonly check?: (
    typed: string,
    context: FlowContext & { readonly secrets: Readonly<Record<string, string>> },
  ) => Text | undefined
  readonly to: Target
}

/** One of a list, of any length. */
export interface ChoiceScreen extends ScreenBase {
  readonly kind: 'choice'
  readonly text: Text
  /** The same list for the same context, as it is made for each page and for the answer; 1,000 of them are shown at most. */
  readonly items: (context: FlowContext) => readonly ChoiceItem[]
  /** Text where the list is empty. */
  readonly empty: Text
  readonly into: string
  readonly to: Target
}

/** One item of a choice. */
export interface ChoiceItem {
  readonly label: Text
  readonly value: JsonValue
}

/** Work between two screens. It shows nothing while it is in time. */
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
  /** Shown when it is late, with `1` to look again. @default the flow's words for it */
  readonly late?: Text
  /** Target when it throws, or when its outcome is unknown. @default a screen that says so and leads back */
  readonly failed?: Target
  /** Every screen that `run` may lead to: the linter follows them. */
  readonly leadsTo: readonly string[]
}

/** Result of an action. */
export interface ActionResult {
  readonly to: string
  /** Values to set; `null` forgets one. */
  readonly values?: Readonly<Record<string, JsonValue>>
  /** Signs a customer in; null signs out. */
  readonly customerId?: string | null
  /** The language from now on. */
  readonly language?: string
  /** Done in the same transaction as the session's move: both are on disk, once, or neither is. */
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

/** A language that a flow speaks. */
export interface FlowLanguage {
  /** A BCP 47 code: `sw`. */
  readonly code: string
  /** As those who speak it write it: `Kiswahili`. */
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
  /** Above a screen whose answer was none of its options. */
  readonly notAnOption: Text
  /** The last words after `*`. */
  readonly goodbye: Text
  /** Text for a late action; `1` checks again. */
  readonly late: Text
  /** The label of `1` there: `Check`. */
  readonly check: Text
  /** Text for a failed action. */
  readonly failed: Text
  /** Text for an action with an unknown outcome. */
  readonly unknownOutcome: Text
  /** Offered by `USSD_RESUME=on`: go on where the last call ended? */
  readonly resume: Text
}

/** Keys of the moves that every screen has. */
export interface FlowKeys {
  /** @default '0' */
  readonly back: string
  /** @default '98' */
  readonly more: string
  /** @default '99' */
  readonly previous: string
}

/** A value as it may stand in a text. */
export interface FlowValue {
  /**
   * Maximum displayed length; longer values are truncated with `…` or `...`. In characters; those that need two septets
   * in GSM-7 or two code units in UCS-2 count twice.
   */
  readonly longest: number
  /** Value that the linter uses besides a text of the longest length. */
  readonly example?: string
}

/** A menu tree as data. `*` always ends the session, and an empty text always begins at `start`. */
export interface Flow {
  readonly start: string
  readonly screens: Readonly<Record<string, Screen>>
  /** The first one is spoken to those who chose none. @default English alone */
  readonly languages?: readonly FlowLanguage[]
  /** Values that texts show in braces. */
  readonly values?: Readonly<Record<string, FlowValue>>
  readonly words?: Partial<FlowWords>
  readonly keys?: Partial<FlowKeys>
}
