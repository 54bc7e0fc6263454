import type { Host, Logger } from '@sibyl/plugin'
import type { claimSubmission, ServiceOf, smsSender, userPreferences } from '@sibyl/protocol'
import type { Customers, Phones } from '../customers/customers.ts'
import type { FlowContext, Text } from '../flow/flow.ts'
import type { DefaultTexts, Language } from '../languages/language.ts'
import type { Questions } from '../questions/questions.ts'
import type { UssdTables } from '../storage/ussd-tables.ts'

/** Context of the default flow's menus. */
export interface MenuKit extends Pick<FlowServices, 'customers' | 'phones' | 'questions'> {
  readonly languages: readonly [Language, ...Language[]]
  /** Returns the text of that name in every language. */
  text(name: keyof DefaultTexts): Text
  /** Returns the DID of a caller; undefined while the oracle has no signing key. */
  didOf(context: Pick<FlowContext, 'phoneNumber'>): string | undefined
  /** Sends one-time codes and receipts; undefined without an sms plugin. */
  readonly sms: ServiceOf<typeof smsSender> | undefined
  readonly claims: ServiceOf<typeof claimSubmission> | undefined
  readonly preferences: ServiceOf<typeof userPreferences> | undefined
  readonly log: Logger
}

export interface FlowServices {
  readonly host: Host<unknown, UssdTables>
  readonly customers: Customers
  readonly phones: Phones
  readonly questions: Questions
}

export interface DefaultFlowOptions {
  /** The languages, the first one as the default. @default English, Swahili, French */
  readonly languages?: readonly [Language, ...Language[]]
  /** Text of `About this service`. @default the oracle's description, else a sentence on how to ask it */
  readonly about?: Text | undefined
  /** Text of `Pricing`. @default the `price` of `oracle.config.json`, else a text that no price is set */
  readonly pricing?: Text | undefined
  /** Text of `Delivery`. @default how answers arrive */
  readonly delivery?: Text | undefined
  /**
   * Contact of the operator, for a new PIN: `+260 211 123456`. @default a text that asks the caller to contact the
   * operator
   */
  readonly contact?: string | undefined
}
