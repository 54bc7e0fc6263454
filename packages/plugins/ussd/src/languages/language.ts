import type { FlowLanguage, FlowWords } from '../flow/flow.ts'

/**
 * The words of the default flow in one language. `{oracle}` is the oracle's name, `{price}` and `{contact}` are what its
 * operator set; the other names in braces stand for values of the session. A screen holds 182 characters of GSM-7, or 80 as
 * soon as one is outside of it: measure with `phoneTextLength`.
 */
export interface DefaultTexts {
  /** Above the start screen. */
  readonly welcome: string
  readonly knowMore: string
  readonly accountMenu: string
  /** Leads to the start screen. */
  readonly mainMenu: string

  /** Options of Know More, and what they show where the operator set nothing. */
  readonly about: string
  readonly aboutText: string
  readonly pricing: string
  /** With `{price}`. */
  readonly pricingText: string
  readonly noPriceText: string
  readonly delivery: string
  readonly deliveryText: string

  readonly language: string
  readonly chooseLanguage: string
  readonly languageSet: string

  readonly logIn: string
  readonly enterCustomerId: string
  readonly customerIdForm: string
  readonly enterPin: string
  readonly pinForm: string
  /** The same where there is no such customer. */
  readonly wrongLogin: string
  readonly tryAgain: string
  readonly forgotPin: string
  /** With `{minutes}`. */
  readonly locked: string

  readonly createAccount: string
  readonly enterName: string
  readonly nameForm: string
  /** 1 answers that there is none. */
  readonly enterEmail: string
  readonly emailForm: string
  /** With `{customerId}`. */
  readonly accountCreated: string
  readonly goOn: string

  readonly choosePin: string
  readonly pinWeak: string
  readonly repeatPin: string
  readonly pinsDiffer: string
  /** For a new PIN that is the old one, or easy to guess. */
  readonly pinRefused: string
  readonly pinChanged: string
  readonly changePin: string
  readonly enterOldPin: string
  readonly wrongPin: string
  /** Before a new PIN must be chosen. */
  readonly pinWasReset: string

  readonly enterIdForReset: string
  /** The same where there is no such customer. */
  readonly enterCode: string
  readonly codeForm: string
  readonly wrongCode: string
  readonly askForReset: string
  /** With `{contact}`. */
  readonly askContactForReset: string

  readonly myAccount: string
  readonly profile: string
  /** With `{name}`, `{email}`, `{phone}` and `{customerId}`. */
  readonly profileText: string
  readonly logOut: string
  readonly loggedOut: string
  readonly signInAgain: string

  readonly report: string
  readonly enterReport: string
  readonly reportForm: string
  /** With `{report}`. */
  readonly confirmReport: string
  /** With `{reference}`. */
  readonly reportSent: string
  readonly reportUnavailable: string

  readonly ask: string
  readonly enterQuestion: string
  readonly questionForm: string
  /** While the oracle answers longer than a phone waits; `1` looks again. */
  readonly answerLate: string
  readonly lastAnswer: string
  readonly noLastAnswer: string
  readonly oracleBusy: string
  readonly oracleUsedUp: string
  readonly creditUsedUp: string
  readonly oracleNotSetUp: string
  readonly oracleUnavailable: string
  readonly answerFailed: string
  readonly answerInterrupted: string
}

/** A language that the default flow speaks. */
export interface Language extends FlowLanguage {
  /** Texts that all screens share. */
  readonly words: Readonly<Record<keyof FlowWords, string>>
  readonly texts: DefaultTexts
}
